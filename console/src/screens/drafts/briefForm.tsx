import {
  Alert,
  Button,
  Group,
  NativeSelect,
  NumberInput,
  Stack,
  TextInput,
  Textarea,
} from '@mantine/core';
import { IconFileText } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { useLocation } from 'wouter';
import type { DraftsQuery } from '../../graph/drafts/graphql';
import { useTranslator } from '../../i18n';
import { ModelHint } from '../../ui/modelHint';
import { Panel } from '../../ui/panel';
import { type Brief, emptyBrief } from './brief';
import { BriefSources } from './briefSources';
import { BriefStyle } from './briefStyle';
import { useBrief } from './useBrief';

/** The types of pieces that the form offers. */
const types = ['auto', 'press_release', 'blog', 'email', 'linkedin_post', 'speech'] as const;

interface BriefProps {
  /** The document to write from. */
  readonly source: DraftsQuery['source'];
  readonly close: () => void;
}

/** Has a text written from a brief, shows it as it is written, and keeps it as a draft. */
export function BriefForm({ source, close }: BriefProps) {
  const { t } = useTranslator();
  const [, navigate] = useLocation();
  const [brief, setBrief] = useState<Brief>({ ...emptyBrief, sources: source ? [source] : [] });
  const writing = useBrief((draftId) => navigate(`/drafts/${draftId}`));
  const change = (part: Partial<Brief>) => setBrief((before) => ({ ...before, ...part }));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    writing.write(brief);
  };
  return (
    <Panel title={t('brief.title')}>
      <Stack component="form" p="md" onSubmit={submit}>
        <Subject brief={brief} change={change} />
        <BriefStyle brief={brief} change={change} />
        {writing.problem && (
          <Alert color="red" role="alert">
            {writing.problem}
          </Alert>
        )}
        {writing.text && (
          <div className="prose" role="log" aria-label={t('brief.text')} dir="auto">
            {writing.text}
          </div>
        )}
        <Group>
          <Button
            type="submit"
            leftSection={<IconFileText size={16} aria-hidden />}
            disabled={!brief.prompt.trim()}
            loading={writing.isBusy}
          >
            {t('brief.write')}
          </Button>
          <Button variant="subtle" onClick={close}>
            {t('action.cancel')}
          </Button>
          <ModelHint message="brief.noModel" />
        </Group>
      </Stack>
    </Panel>
  );
}

/** What a text is about, what it must say, for whom and as what. */
function Subject({
  brief,
  change,
}: {
  readonly brief: Brief;
  readonly change: (part: Partial<Brief>) => void;
}) {
  const { t } = useTranslator();
  return (
    <>
      <Textarea
        label={t('brief.prompt')}
        description={t('brief.promptHint')}
        value={brief.prompt}
        onChange={(event) => change({ prompt: event.currentTarget.value })}
        autosize
        minRows={3}
        dir="auto"
      />
      <BriefSources sources={brief.sources} change={(sources) => change({ sources })} />
      {brief.sources.length === 0 && (
        <Textarea
          label={t('brief.sourceText')}
          value={brief.sourceText}
          onChange={(event) => change({ sourceText: event.currentTarget.value })}
          autosize
          minRows={2}
          maxRows={10}
          dir="auto"
        />
      )}
      <Textarea
        label={t('brief.points')}
        description={t('brief.pointsHint')}
        value={brief.points}
        onChange={(event) => change({ points: event.currentTarget.value })}
        autosize
        minRows={2}
        dir="auto"
      />
      <TextInput
        label={t('brief.audiences')}
        description={t('source.tagsHint')}
        value={brief.audiences}
        onChange={(event) => change({ audiences: event.currentTarget.value })}
      />
      <NativeSelect
        label={t('brief.type')}
        value={brief.contentType}
        onChange={(event) => change({ contentType: event.currentTarget.value })}
        data={types.map((value) => ({ value, label: t(`brief.type.${value}`) }))}
      />
      <NumberInput
        label={t('brief.targetWords')}
        min={20}
        max={5000}
        allowDecimal={false}
        value={brief.targetWords}
        onChange={(value) => change({ targetWords: value === '' ? '' : Number(value) })}
      />
    </>
  );
}
