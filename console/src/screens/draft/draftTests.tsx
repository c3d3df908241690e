import { Badge, Button, Group, MultiSelect, Stack, Text, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import { useMutation, useSubscription } from 'urql';
import { useSearchParams } from 'wouter';
import {
  DraftTestDocument,
  type DraftTestSubscription,
  TestDraftDocument,
} from '../../graph/draft/graphql';
import { useTranslator } from '../../i18n';
import { fieldProblem, problemText } from '../../problemText';
import { JobRow } from '../../ui/jobRow';
import { useNotice } from '../../ui/notice';
import { ModelHint } from '../../ui/modelHint';
import { Panel } from '../../ui/panel';
import type { Quote } from '../../ui/passages';
import { EmptyState } from '../../ui/screen';
import { SentimentBadge } from '../../ui/sentimentBadge';
import type { DraftDetails, DraftReader } from './draft';
import type { DraftEditor } from './useDraftEditor';

interface TestsProps {
  readonly draft: DraftDetails;
  readonly editor: DraftEditor;
  readonly readers: readonly DraftReader[];
  readonly show: (quote: Quote) => void;
  readonly mayWrite: boolean | undefined;
}

/**
 * A test of the draft on personas: who reads it, its progress, and what they say. The address has
 * the test's id.
 */
export function DraftTests({ draft, editor, readers, show, mayWrite }: TestsProps) {
  const { t } = useTranslator();
  const [search, setSearch] = useSearchParams();
  const jobId = search.get('test');
  const [{ data }] = useSubscription({
    query: DraftTestDocument,
    variables: { jobId: jobId ?? '' },
    pause: !jobId,
  });
  const watched = data?.jobProgress.job;
  const job = jobId === watched?.id ? watched : undefined;
  return (
    <Panel title={t('drafts.tests')}>
      {mayWrite && (
        <ReaderChoice
          draft={draft}
          editor={editor}
          readers={readers}
          begin={(id) => setSearch({ test: id }, { replace: true })}
        />
      )}
      {job && (
        <ul className="rows">
          <JobRow job={job} mayWrite={mayWrite} />
        </ul>
      )}
      {job?.result?.__typename === 'NarrativeTestResult' && <Result result={job.result} />}
      <Reactions draft={draft} isChanged={editor.content !== (draft.content ?? '')} show={show} />
    </Panel>
  );
}

function ReaderChoice({
  draft,
  editor,
  readers,
  begin,
}: Pick<TestsProps, 'draft' | 'editor' | 'readers'> & { begin: (jobId: string) => void }) {
  const { t } = useTranslator();
  const notify = useNotice();
  const audience = draft.metadata.audiencePersonaIds.filter((id) =>
    readers.some((reader) => reader.id === id),
  );
  const [chosen, setChosen] = useState<string[]>(audience);
  const [{ fetching, error }, test] = useMutation(TestDraftDocument);
  const problem = fieldProblem(error, 'personaIds');
  const run = async () => {
    if (!(await editor.store())) {
      return;
    }
    const { data, error: failure } = await test({
      input: { draftId: draft.id, ...(chosen.length > 0 && { personaIds: chosen }) },
    });
    if (data?.startNarrativeTest) {
      begin(data.startNarrativeTest.job.id);
    } else if (failure && !fieldProblem(failure, 'personaIds')) {
      notify(problemText(failure, t), true);
    }
  };
  if (readers.length === 0) {
    return <EmptyState title={t('drafts.noReaders')} hint={t('drafts.noReadersHint')} />;
  }
  return (
    <Stack p="md" gap="sm">
      <MultiSelect
        size="xs"
        label={t('drafts.readers')}
        placeholder={chosen.length === 0 ? t('drafts.allReaders') : ''}
        data={readers.map(({ id, name }) => ({ value: id, label: name }))}
        value={chosen}
        onChange={setChosen}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': t('drafts.clearReaders') }}
        error={problem}
      />
      <Button
        size="xs"
        variant="light"
        loading={fetching}
        disabled={!editor.content.trim()}
        onClick={() => void run()}
      >
        {t('drafts.test')}
      </Button>
      <ModelHint message="model.noOpinions" />
    </Stack>
  );
}

type TestResult = Extract<
  NonNullable<NonNullable<DraftTestSubscription['jobProgress']['job']>['result']>,
  { __typename: 'NarrativeTestResult' }
>;

const colors: Record<string, string> = { RESONATES: 'green', MIXED: 'orange', MISSES: 'red' };

function Result({ result }: { result: TestResult }) {
  const { t, number, name } = useTranslator();
  const facts = [
    result.averageRating != null &&
      t('drafts.average', { rating: number(Math.round(result.averageRating * 10) / 10) }),
    t('drafts.readBy', { count: result.reacted + result.kept }),
    result.failed > 0 && t('drafts.failedReaders', { count: result.failed }),
    result.coverage &&
      t('drafts.coveredPoints', {
        made: result.coverage.filter(({ covered }) => covered).length,
        all: result.coverage.length,
      }),
  ];
  return (
    <Stack p="md" gap={6} data-result>
      <Text size="sm" fw={600}>
        {facts.filter(Boolean).join(' · ')}
      </Text>
      {result.verdicts.map(({ personaId, personaName, verdict }) => (
        <Group key={personaId} justify="space-between" wrap="nowrap">
          <Text size="sm">{personaName}</Text>
          <Badge size="sm" variant="light" color={colors[verdict] ?? 'gray'}>
            {name('testVerdict', verdict)}
          </Badge>
        </Group>
      ))}
    </Stack>
  );
}

function Reactions({
  draft,
  isChanged,
  show,
}: Pick<TestsProps, 'draft' | 'show'> & { isChanged: boolean }) {
  const { t } = useTranslator();
  const reactions = draft.reactions?.nodes ?? [];
  const newest = reactions[0]?.version;
  if (reactions.length === 0) {
    return <EmptyState title={t('document.noReactions')} hint={t('drafts.noTests')} />;
  }
  return (
    <ul className="rows">
      {reactions.map((reaction) => (
        <li key={reaction.id}>
          <Group justify="space-between" wrap="nowrap">
            <Text size="sm" fw={600}>
              {reaction.persona?.name}
            </Text>
            <Group gap={4} wrap="nowrap">
              {(isChanged || reaction.version !== newest) && (
                <Badge size="xs" variant="outline" color="gray">
                  {t('drafts.earlier')}
                </Badge>
              )}
              <SentimentBadge value={reaction.sentiment} rating={reaction.rating} />
            </Group>
          </Group>
          <Text size="sm">{reaction.text}</Text>
          {reaction.warning && (
            <Text size="xs" c="dimmed">
              {reaction.warning}
            </Text>
          )}
          {reaction.quotes.map((quote) => (
            <UnstyledButton
              key={quote.start}
              className="quote"
              mt={4}
              dir="auto"
              onClick={() => show(quote)}
            >
              <Text size="xs">{quote.text}</Text>
            </UnstyledButton>
          ))}
        </li>
      ))}
    </ul>
  );
}
