import { Alert, Badge, Button, Group, Select, Stack, Text, TextInput, Textarea } from '@mantine/core';
import { useRef, useState } from 'react';
import { useMutation } from 'urql';
import { useLocation, useParams } from 'wouter';
import { DeleteDraftDocument, DraftScreenDocument, type DraftScreenQuery, ExportDraftDocument, type ExportFormat, RewriteSelectionDocument, SaveDraftDocument, TestDraftDocument } from '../graph/draft/graphql';
import { useTranslator } from '../i18n';
import { fieldProblem } from '../problem';
import { useAction } from '../ui/action';
import { useNotice } from '../ui/notice';
import { Panel } from '../ui/panel';
import { Sentiment } from '../ui/rating';
import { EmptyState, Screen, useScreen } from '../ui/screen';
import { Coverage, MachineStyle } from './check';

export type Found = NonNullable<DraftScreenQuery['draft']>;

/** The editor of a draft: its text, which points it makes, its style, and what personas say to it. */
export default function DraftPage() {
  const { t, ago } = useTranslator();
  const { id = '' } = useParams();
  const result = useScreen(DraftScreenDocument, { id });
  const draft = result.data?.draft;
  const mayWrite = result.data?.viewer?.scopes.includes('WRITE') ?? false;
  const known = { ...result, data: result.data && !draft ? undefined : result.data };
  return (
    <Screen title={draft ? draft.title || t('document.untitled') : t('nav.drafts')} lead={draft && t('drafts.saved', { when: ago(draft.updatedAt) })} result={known}>
      {() => draft && <Editor key={draft.id} draft={draft} mayWrite={mayWrite} reload={result.retry} />}
    </Screen>
  );
}

function Editor({ draft, mayWrite, reload }: { draft: Found; mayWrite: boolean; reload: () => void }) {
  const { t } = useTranslator();
  const notify = useNotice();
  const [title, setTitle] = useState(draft.title);
  const [content, setContent] = useState(draft.content ?? '');
  const savedPoints = draft.metadata.pullThroughPriorities.map(({ text }) => text).join('\n');
  const [points, setPoints] = useState(savedPoints);
  const area = useRef<HTMLTextAreaElement>(null);
  const [{ fetching, error }, save] = useMutation(SaveDraftDocument);
  const priorities = points.split('\n').map((text) => text.trim()).filter(Boolean).map((text) => ({ text }));
  const isSaved = content === (draft.content ?? '') && points === savedPoints;
  const saved = isSaved ? draft.metadata.pullThroughPriorities.flatMap(({ coverage }) => coverage ?? []) : [];
  const store = async () => {
    const { data } = await save({ input: { draftId: draft.id, ifVersion: [draft.version], title, content, pullThroughPriorities: priorities } });
    if (data?.saveDraft) {
      notify(t('drafts.stored'));
    }
    return Boolean(data?.saveDraft);
  };
  return (
    <div className="with-aside aside-end">
      <Stack>
        <TextInput label={t('drafts.title')} value={title} onChange={(event) => setTitle(event.currentTarget.value)} readOnly={!mayWrite} error={fieldProblem(error, 'title')} />
        <Textarea
          ref={area}
          label={t('document.text')}
          autosize
          minRows={16}
          dir="auto"
          value={content}
          onChange={(event) => setContent(event.currentTarget.value)}
          readOnly={!mayWrite}
          error={fieldProblem(error, 'content')}
        />
        {error && (
          <Alert color="red" role="alert">
            {error.graphQLErrors[0]?.message ?? error.message}
          </Alert>
        )}
        {mayWrite && (
          <Group>
            <Button onClick={() => void store()} loading={fetching}>
              {t('action.save')}
            </Button>
            <RewriteSelection area={area} content={content} setContent={setContent} />
            <ExportButton title={title} content={content} />
            <DeleteButton draft={draft} />
          </Group>
        )}
      </Stack>
      <Stack gap="lg" component="aside" aria-label={t('drafts.checks')}>
        <Coverage content={content} points={points} setPoints={setPoints} priorities={priorities} saved={saved} mayWrite={mayWrite} />
        <MachineStyle content={content} use={setContent} mayWrite={mayWrite} />
        <Tests draft={draft} mayWrite={mayWrite} store={store} reload={reload} />
      </Stack>
    </div>
  );
}

function RewriteSelection({ area, content, setContent }: { area: React.RefObject<HTMLTextAreaElement | null>; content: string; setContent: (text: string) => void }) {
  const { t } = useTranslator();
  const notify = useNotice();
  const rewrite = useAction(RewriteSelectionDocument);
  const run = async () => {
    const { selectionStart = 0, selectionEnd = 0 } = area.current ?? {};
    const segmentText = content.slice(selectionStart, selectionEnd);
    if (!segmentText.trim()) {
      notify(t('drafts.select'), true);
      return;
    }
    const data = await rewrite.run({ input: { fullDraft: content, segments: [{ segmentText }] } });
    if (data?.rewritePhrases) {
      setContent(data.rewritePhrases.text.content);
      notify(data.rewritePhrases.text.warning ?? t('drafts.rewritten'));
    }
  };
  return (
    <Button variant="light" loading={rewrite.fetching} onClick={() => void run()}>
      {t('drafts.rewrite')}
    </Button>
  );
}

const formats: readonly ExportFormat[] = ['DOCX', 'PDF', 'HTML', 'MD', 'TXT'];

function ExportButton({ title, content }: { title: string; content: string }) {
  const { t } = useTranslator();
  const notify = useNotice();
  const [format, setFormat] = useState<ExportFormat>('DOCX');
  const make = useAction(ExportDraftDocument);
  const run = async () => {
    const data = await make.run({ input: { format, title, contentText: content, contentType: 'markdown' } });
    const file = data?.exportContent?.file;
    if (!file) {
      return;
    }
    const bytes = Uint8Array.from(atob(file.content), (letter) => letter.charCodeAt(0));
    const address = URL.createObjectURL(new Blob([bytes], { type: file.mediaType }));
    Object.assign(document.createElement('a'), { href: address, download: file.name }).click();
    URL.revokeObjectURL(address);
    if (file.warning) {
      notify(file.warning, true);
    }
  };
  return (
    <Group gap={4} wrap="nowrap">
      <Select aria-label={t('drafts.format')} w={90} data={formats} value={format} onChange={(value) => setFormat((value as ExportFormat | null) ?? 'DOCX')} allowDeselect={false} />
      <Button variant="default" loading={make.fetching} onClick={() => void run()}>
        {t('drafts.export')}
      </Button>
    </Group>
  );
}

function DeleteButton({ draft }: { draft: Found }) {
  const { t } = useTranslator();
  const [, navigate] = useLocation();
  const [confirming, setConfirming] = useState(false);
  const remove = useAction(DeleteDraftDocument);
  const run = async () => {
    if (await remove.run({ draftId: draft.id })) {
      navigate('/drafts');
    }
  };
  return (
    <Button variant="subtle" color="red" loading={remove.fetching} onClick={() => (confirming ? void run() : setConfirming(true))}>
      {confirming ? t('document.confirm') : t('action.delete')}
    </Button>
  );
}

function Tests({ draft, mayWrite, store, reload }: { draft: Found; mayWrite: boolean; store: () => Promise<boolean>; reload: () => void }) {
  const { t } = useTranslator();
  const notify = useNotice();
  const test = useAction(TestDraftDocument);
  const run = async () => {
    if ((await store()) && (await test.run({ draftId: draft.id }))) {
      notify(t('drafts.testing'));
    }
  };
  const reactions = draft.reactions?.nodes ?? [];
  return (
    <Panel
      title={t('drafts.tests')}
      actions={
        mayWrite && (
          <Group gap={4}>
            <Button size="xs" variant="subtle" onClick={reload}>
              {t('action.reload')}
            </Button>
            <Button size="xs" variant="light" loading={test.fetching} onClick={() => void run()}>
              {t('drafts.test')}
            </Button>
          </Group>
        )
      }
    >
      {reactions.length === 0 ? (
        <EmptyState title={t('document.noReactions')} hint={t('document.noReactionsHint')} />
      ) : (
        <ul className="rows">
          {reactions.map((reaction) => (
            <li key={reaction.id}>
              <Group justify="space-between" wrap="nowrap">
                <Text size="sm" fw={600}>
                  {reaction.persona?.name}
                </Text>
                <Group gap={4} wrap="nowrap">
                  {reaction.version !== draft.version && <Badge size="xs" variant="outline" color="gray">{t('drafts.earlier')}</Badge>}
                  <Sentiment value={reaction.sentiment} rating={reaction.rating} />
                </Group>
              </Group>
              <Text size="sm">{reaction.text}</Text>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
