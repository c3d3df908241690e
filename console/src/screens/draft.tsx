import { Button, Stack, TextInput } from '@mantine/core';
import { useMemo, useRef, useState } from 'react';
import { type CombinedError, useMutation } from 'urql';
import { useLocation, useParams } from 'wouter';
import { failureCode } from '../client';
import { AnalyzeTextDocument, DeleteDraftDocument, DraftScreenDocument, type DraftScreenQuery, type DraftTextFragment, SaveDraftDocument, type SaveDraftInput, StoredDraftDocument } from '../graph/draft/graphql';
import { useTranslator } from '../i18n';
import { useMayWrite } from '../live';
import { fieldProblem } from '../problem';
import { discardUnsaved } from '../unsaved';
import { useAction } from '../ui/action';
import { ConfirmedButton } from '../ui/confirm';
import { Conflict } from '../ui/conflict';
import { type EditState, type Edited, useEdited } from '../ui/edited';
import { MarkedEditor, type Selected, selectQuote } from '../ui/editor';
import { useKeeping, useKeptChanges } from '../ui/kept';
import { useLatest } from '../ui/latest';
import { useNotice } from '../ui/notice';
import type { Quoted } from '../ui/passage';
import { Refusal } from '../ui/refusal';
import { Screen, useScreen } from '../ui/screen';
import { useStoredRead } from '../ui/stored';
import { UnsavedWarning } from '../ui/unsaved';
import { Coverage, MachineStyle, type Point, givenPoints, marksOf } from './check';
import { type DraftFields, analysisInput, isSameFields, isSamePoints, pointInputs, savedFields, storedFields } from './draftfields';
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
  const mayWrite = useMayWrite();
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
  const { item, kept } = useKeptChanges<EditState<DraftFields>>(draft.id);
  const edited = useEdited(storedFields(draft), isSameFields, kept);
  useKeeping(item, edited.isChanged ? { base: edited.base, value: edited.value } : null);
  const { title, content, points } = edited.value;
  const setField = (part: Partial<DraftFields>) => edited.change((before) => ({ ...before, ...part }));
  return {
    title,
    setTitle: (value: string) => setField({ title: value }),
    content,
    setContent: (value: string) => setField({ content: value }),
    points,
    setPoints: (change: (before: readonly Point[]) => readonly Point[]) => edited.change((before) => ({ ...before, points: change(before.points) })),
    given: givenPoints(points),
    isChanged: edited.isChanged,
    isKept: item !== null,
    ...useSaving(draft, edited),
    ...useAnalysis(draft, edited),
  };
}

/** Saves the fields if the stored draft still has the version that they began with; a conflict is the draft that is stored instead. */
function useSaving(draft: Found, edited: Edited<DraftFields>) {
  const notify = useNotice();
  const { t } = useTranslator();
  const { read } = useStoredRead(StoredDraftDocument, { id: draft.id });
  const [{ fetching, error }, save] = useMutation(SaveDraftDocument);
  const [conflict, setConflict] = useState<DraftTextFragment | null>(null);
  const loadConflict = async () => {
    setConflict((await read())?.draft ?? null);
    if (!edited.isChanged) {
      notify(t('conflict.title'), true);
    }
  };
  const store = async (version = edited.base.version ?? draft.version) => {
    const sent = edited.value;
    const input: SaveDraftInput = { draftId: draft.id, ifVersion: [version], title: sent.title, content: sent.content, pullThroughPriorities: pointInputs(sent.points) };
    const { data, error: refusal } = await save({ input });
    if (isConflict(refusal)) {
      await loadConflict();
    }
    const saved = data?.saveDraft?.draft;
    if (!saved) {
      return false;
    }
    const stored = storedFields(saved);
    setConflict(null);
    edited.setBase(stored, (present) => savedFields(present, sent, stored.value));
    notify(t('drafts.stored'));
    return true;
  };
  const useStored = () => {
    if (conflict) {
      edited.setBase(storedFields(conflict));
      setConflict(null);
    }
  };
  return { fetching, error: isConflict(error) ? undefined : error, conflict: edited.isChanged && conflict?.version !== edited.base.version ? conflict : null, store, useStored };
}

function isConflict(error: CombinedError | undefined): boolean {
  return failureCode({ error }) === 'precondition_failed';
}

/** The analysis of the fields: the stored draft's until the text or the points change. */
function useAnalysis(draft: Found, { value, base }: Edited<DraftFields>) {
  const input = analysisInput(value);
  const isTooLong = value.content.length > longestText;
  const isAnalyzed = value.content.trim() !== '' && !isTooLong;
  const isStored = draft.version === base.version && JSON.stringify(input) === JSON.stringify(analysisInput(base.value));
  const saved = useRef(draft.analysis ? { textAnalysis: draft.analysis } : null);
  const { data, error, isCurrent } = useLatest(AnalyzeTextDocument, { input }, saved.current, isAnalyzed && !isStored);
  const found = isStored ? draft.analysis : data?.textAnalysis;
  return { analysis: (isAnalyzed && found) || null, live: { error: isStored ? undefined : error, isCurrent: isStored || isCurrent, isTooLong } };
}

export type DraftEditor = ReturnType<typeof useEditor>;

function Editor({ draft, readers, mayWrite }: { draft: Found; readers: readonly Reader[]; mayWrite: boolean | undefined }) {
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
        {editor.conflict && <DraftConflict stored={editor.conflict} editor={editor} />}
        <EditorActions draft={draft} editor={editor} mayWrite={mayWrite} />
        <UnsavedWarning isUnsaved={editor.isChanged} isKept={editor.isKept} />
      </Stack>
      <Stack gap="lg" component="aside" aria-label={t('drafts.checks')}>
        <Coverage editor={editor} show={show} mayWrite={mayWrite} />
        <MachineStyle editor={editor} show={show} proposal={proposal} mayWrite={mayWrite} />
        <Tests draft={draft} editor={editor} readers={readers} show={show} mayWrite={mayWrite} />
      </Stack>
    </div>
  );
}

function EditorActions({ draft, editor, mayWrite }: { draft: Found; editor: DraftEditor; mayWrite: boolean | undefined }) {
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

/** The draft that another editor saved, next to the choice between it and the fields. */
function DraftConflict({ stored, editor }: { stored: DraftTextFragment; editor: DraftEditor }) {
  const { t } = useTranslator();
  const { value } = storedFields(stored);
  const fields = [
    ...(value.title === editor.title ? [] : [{ label: t('drafts.title'), text: value.title }]),
    ...(value.content === editor.content ? [] : [{ label: t('document.text'), text: value.content }]),
    ...(isSamePoints(value.points, editor.points) ? [] : [{ label: t('check.points'), text: value.points.map(({ text }) => text).join('\n') }]),
  ];
  return <Conflict updatedAt={stored.updatedAt} fields={fields} isSaving={editor.fetching} useStored={editor.useStored} saveMine={() => void editor.store(stored.version)} />;
}

function DeleteButton({ draft }: { draft: Found }) {
  const { t } = useTranslator();
  const [, navigate] = useLocation();
  const remove = useAction(DeleteDraftDocument);
  const run = async () => {
    if (await remove.run({ draftId: draft.id })) {
      discardUnsaved();
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
