import { Badge, Button, Group, Stack, Switch, Text } from '@mantine/core';
import { useState } from 'react';
import { useMutation, useQuery } from 'urql';
import { failureCode } from '../../client';
import {
  CommentOnDraftDocument,
  type DiscussionFragment,
  ResolvedCommentsDocument,
  StoredDraftDocument,
} from '../../graph/draft/graphql';
import { useTranslator } from '../../i18n';
import { useMay } from '../../liveUpdates';
import { problemText } from '../../problemText';
import { GuardedButton } from '../../ui/guardedButton';
import { Panel } from '../../ui/panel';
import type { Quote } from '../../ui/passages';
import { EmptyState } from '../../ui/screen';
import { useFreshRead } from '../../ui/useFreshRead';
import { CommentForm, type CommentValue } from './commentForm';
import { type ChosenPassage, chosenPassage, laterPassage } from './commentPassages';
import { commentElement, Discussion } from './discussion';
import type { DraftDetails } from './draft';
import type { Mark, TextSelection } from './markedEditor';

interface CommentsProps {
  readonly draft: DraftDetails;
  readonly selected: TextSelection;
  /** True if the fields have words that are not saved: passages are those of the saved text. */
  readonly isChanged: boolean;
  readonly show: (quote: Quote) => void;
  /** The ids of the comments at the cursor, or of the one that the address names. */
  readonly active: readonly string[];
  /** The comment that the address names. */
  readonly named: string | null;
}

/** What a new comment is about: a passage of a version, or the whole draft. */
interface Subject {
  readonly passage: ChosenPassage | null;
  readonly versionId: string | null;
}

/** The comments on a draft and on passages of its text, the open ones first. */
export function Comments({ draft, selected, isChanged, show, active, named }: CommentsProps) {
  const { t, number } = useTranslator();
  const mayAsk = useMay('ASK');
  const [subject, setSubject] = useState<Subject | null>(null);
  const open = draft.comments?.nodes ?? [];
  const total = draft.comments?.totalCount ?? 0;
  const [showsResolved, setShowsResolved] = useState(
    named !== null && !open.some(({ id, replies }) => isNamed(named, id, replies)),
  );
  const passage = isChanged ? null : chosenPassage(draft.content ?? '', selected);
  const begin = (chosen: ChosenPassage | null) =>
    setSubject({ passage: chosen, versionId: chosen && (draft.currentVersion?.id ?? null) });
  const list = (comments: readonly DiscussionFragment[]) => (
    <ul className="rows">
      {comments.map((comment) => (
        <Discussion
          key={comment.id}
          draft={draft}
          comment={comment}
          isActive={active.includes(comment.id)}
          show={show}
        />
      ))}
    </ul>
  );
  return (
    <Panel
      title={t('comments.title')}
      actions={total > 0 && <Badge variant="light">{number(total)}</Badge>}
    >
      <Stack gap="xs" p="md">
        {subject ? (
          <NewComment draft={draft} subject={subject} close={() => setSubject(null)} />
        ) : (
          <>
            <Group gap="xs">
              <GuardedButton
                size="xs"
                variant="light"
                allowed={mayAsk}
                disabled={!passage}
                onClick={() => begin(passage)}
              >
                {t('comments.onSelection')}
              </GuardedButton>
              <GuardedButton
                size="xs"
                variant="default"
                allowed={mayAsk}
                onClick={() => begin(null)}
              >
                {t('comments.onDraft')}
              </GuardedButton>
            </Group>
            {mayAsk && !passage && (
              <Text size="xs" c="dimmed">
                {t(isChanged ? 'comments.saveFirst' : 'comments.selectFirst')}
              </Text>
            )}
          </>
        )}
      </Stack>
      {open.length === 0 ? <EmptyState title={t('comments.none')} /> : list(open)}
      {total > open.length && (
        <Text size="xs" c="dimmed" px="md" pb="xs">
          {t('comments.more', { count: total - open.length })}
        </Text>
      )}
      <Stack p="md" gap="xs">
        <Switch
          size="xs"
          label={t('comments.showResolved')}
          checked={showsResolved}
          onChange={(event) => setShowsResolved(event.currentTarget.checked)}
        />
      </Stack>
      {showsResolved && <Resolved draft={draft} list={list} />}
    </Panel>
  );
}

/** Reports whether an address names a comment or one of its replies. */
function isNamed(named: string, id: string, replies: DiscussionFragment['replies']): boolean {
  return named === id || Boolean(replies?.nodes.some((reply) => reply.id === named));
}

function Resolved({
  draft,
  list,
}: {
  draft: DraftDetails;
  list: (comments: readonly DiscussionFragment[]) => React.ReactNode;
}) {
  const { t } = useTranslator();
  const [{ data, error }] = useQuery({
    query: ResolvedCommentsDocument,
    variables: { id: draft.id },
    requestPolicy: 'cache-and-network',
  });
  const resolved = data?.draft?.comments;
  if (error) {
    return (
      <Text size="sm" c="red" p="md">
        {problemText(error, t)}
      </Text>
    );
  }
  if (!resolved) {
    return null;
  }
  return (
    <section aria-label={t('comments.resolved')}>
      {resolved.nodes.length === 0 ? (
        <EmptyState title={t('comments.noneResolved')} />
      ) : (
        list(resolved.nodes)
      )}
    </section>
  );
}

/** The form of a new comment. It finds the passage again if the text was saved meanwhile. */
function NewComment({
  draft,
  subject,
  close,
}: {
  draft: DraftDetails;
  subject: Subject;
  close: () => void;
}) {
  const { t } = useTranslator();
  const [{ fetching, error }, comment] = useMutation(CommentOnDraftDocument);
  const { read } = useFreshRead(StoredDraftDocument, { id: draft.id });
  const sendAs = async (value: CommentValue, { passage, versionId }: Subject) =>
    comment({ input: { draftId: draft.id, ...value, ...(passage && { passage, versionId }) } });
  const send = async (value: CommentValue): Promise<boolean> => {
    let result = await sendAs(value, subject);
    if (subject.passage && failureCode(result) === 'precondition_failed') {
      const stored = (await read())?.draft;
      const passage = laterPassage(stored?.content ?? '', subject.passage);
      if (stored && passage) {
        result = await sendAs(value, { passage, versionId: stored.currentVersion?.id ?? null });
      }
    }
    return Boolean(result.data?.createDraftComment);
  };
  return (
    <CommentForm
      label={t('comments.yourComment')}
      action={t('comments.send')}
      quote={subject.passage?.quote}
      fetching={fetching}
      error={error}
      send={send}
      close={close}
    />
  );
}

/** Leads from the cursor in the text to the comments on the passage there. */
export function CommentsAtCursor({ marks }: { marks: readonly Mark[] }) {
  const { t } = useTranslator();
  if (marks.length === 0) {
    return null;
  }
  return (
    <Group gap="xs">
      {marks.map(({ id, label }) => (
        <Button
          key={id}
          size="compact-xs"
          variant="default"
          maw="100%"
          onClick={() => showComment(id)}
        >
          {t('comments.atCursor', { words: label.slice(0, 60) })}
        </Button>
      ))}
    </Group>
  );
}

/** Scrolls to a comment and gives it the focus. */
export function showComment(id: string): void {
  const element = document.getElementById(commentElement(id));
  element?.focus({ preventScroll: true });
  element?.scrollIntoView({ block: 'nearest' });
}
