import { Button, Stack, TextInput } from '@mantine/core';
import { useMemo, useRef, useState } from 'react';
import { useMutation } from 'urql';
import { useLocation, useParams } from 'wouter';
import { AnalyzeTextDocument, DeleteDraftDocument, DraftScreenDocument, type DraftScreenQuery, SaveDraftDocument } from '../graph/draft/graphql';
import { useTranslator } from '../i18n';
import { fieldProblem } from '../problem';
import { useAction } from '../ui/action';
import { ConfirmedButton } from '../ui/confirm';
import { MarkedEditor, type Selected, selectQuote } from '../ui/editor';
import { useLatest } from '../ui/latest';
import { useNotice } from '../ui/notice';
import type { Quoted } from '../ui/passage';
import { Refusal } from '../ui/refusal';
import { Screen, useScreen } from '../ui/screen';
import { Coverage, MachineStyle, type Point, givenPoints, marksOf } from './check';
import { ExportButton } from './export';
import { ProposalView, RewriteSelection, useProposal } from './rewrite';
import { Tests } from './test';

export type Found = NonNullable<DraftScreenQuery['draft']>;
export type Reader = NonNullable<DraftScreenQuery['personas']>['nodes'][number];

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
      {(data) => draft && <Editor key={draft.id} draft={draft} readers={data.personas?.nodes ?? []} mayWrite={mayWrite} />}
    </Screen>
  );
}

/** The longest text that is analyzed, in code points. */
const longestText = 100_000;

/** The fields of a draft while they are edited, and their analysis. */
function useEditor(draft: Found) {
  const notify = useNotice();
  const { t } = useTranslator();
  const [title, setTitle] = useState(draft.title);
  const [content, setContent] = useState(draft.content ?? '');
  const [points, setPoints] = useState<readonly Point[]>(() => draft.metadata.pullThroughPriorities.map(({ key, ...point }) => ({ ...point, id: key, row: key })));
  const [{ fetching, error }, save] = useMutation(SaveDraftDocument);
  const given = givenPoints(points);
  const isAnalyzed = content.trim() !== '' && content.length <= longestText;
  const saved = useRef(draft.analysis ? { textAnalysis: draft.analysis } : null);
  const { data, ...state } = useLatest(AnalyzeTextDocument, { input: { content, pullThroughPriorities: given.map(({ text, level }) => ({ text, level })) } }, saved.current, isAnalyzed);
  const analysis = isAnalyzed ? (data?.textAnalysis ?? null) : null;
  const store = async () => {
    const pullThroughPriorities = given.map(({ id, text, level, fromKb }) => ({ text, level, fromKb, ...(id && { id }) }));
    const { data: stored } = await save({ input: { draftId: draft.id, ifVersion: [draft.version], title, content, pullThroughPriorities } });
    const keys = stored?.saveDraft?.draft.metadata.pullThroughPriorities.map(({ key }) => key);
    if (!keys) {
      return false;
    }
    setPoints((before) => before.map((point) => ({ ...point, id: keys[given.findIndex(({ row }) => row === point.row)] ?? point.id })));
    notify(t('drafts.stored'));
    return true;
  };
  return { title, setTitle, content, setContent, points, setPoints, given, fetching, error, store, analysis, live: { ...state, isTooLong: content.length > longestText } };
}

export type DraftEditor = ReturnType<typeof useEditor>;

function Editor({ draft, readers, mayWrite }: { draft: Found; readers: readonly Reader[]; mayWrite: boolean }) {
  const { t } = useTranslator();
  const notify = useNotice();
  const editor = useEditor(draft);
  const area = useRef<HTMLTextAreaElement>(null);
  const [selected, setSelected] = useState<Selected>({ start: 0, end: 0 });
  const proposal = useProposal(editor.content, editor.setContent, area);
  const marks = useMemo(() => marksOf(editor.analysis, t), [editor.analysis, t]);
  const show = (quote: Quoted) => {
    if (!selectQuote(area.current, quote)) {
      notify(t('check.gone'), true);
    }
  };
  return (
    <div className="with-aside aside-end">
      <Stack style={{ minInlineSize: 0 }}>
        <TextInput label={t('drafts.title')} value={editor.title} onChange={(event) => editor.setTitle(event.currentTarget.value)} readOnly={!mayWrite} error={fieldProblem(editor.error, 'title')} />
        <MarkedEditor
          area={area}
          label={t('document.text')}
          value={editor.content}
          change={editor.setContent}
          select={setSelected}
          marks={marks}
          readOnly={!mayWrite}
          error={fieldProblem(editor.error, 'content')}
        />
        {mayWrite && <RewriteSelection content={editor.content} selected={selected} proposal={proposal} />}
        <ProposalView proposal={proposal} />
        <EditorActions draft={draft} editor={editor} mayWrite={mayWrite} />
      </Stack>
      <Stack gap="lg" component="aside" aria-label={t('drafts.checks')}>
        <Coverage editor={editor} show={show} mayWrite={mayWrite} />
        <MachineStyle editor={editor} show={show} proposal={proposal} mayWrite={mayWrite} />
        <Tests draft={draft} editor={editor} readers={readers} show={show} mayWrite={mayWrite} />
      </Stack>
    </div>
  );
}

function EditorActions({ draft, editor, mayWrite }: { draft: Found; editor: DraftEditor; mayWrite: boolean }) {
  const { t } = useTranslator();
  const { title, content, error, fetching, store } = editor;
  return (
    <>
      <Refusal error={error} />
      <ExportButton title={title} content={content} contentType={draft.contentType} themes={draft.metadata.themes} mayWrite={mayWrite} end={mayWrite && <DeleteButton draft={draft} />}>
        {mayWrite && (
          <Button onClick={() => void store()} loading={fetching}>
            {t('action.save')}
          </Button>
        )}
      </ExportButton>
    </>
  );
}

function DeleteButton({ draft }: { draft: Found }) {
  const { t } = useTranslator();
  const [, navigate] = useLocation();
  const remove = useAction(DeleteDraftDocument);
  const run = async () => {
    if (await remove.run({ draftId: draft.id })) {
      navigate('/drafts');
    }
  };
  return (
    <ConfirmedButton
      ms="auto"
      variant="subtle"
      color="red"
      loading={remove.fetching}
      subject={draft.id}
      action={t('action.delete')}
      question={t('action.deleteQuestion', { name: draft.title || t('document.untitled') })}
      run={run}
    />
  );
}
