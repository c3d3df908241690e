import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useLocation, useParams, useSearch } from 'wouter';
import { failureCode } from '../../client';
import { DeleteDraftDocument, DraftScreenDocument } from '../../graph/draft/graphql';
import { useTranslator } from '../../i18n';
import { useMay } from '../../liveUpdates';
import { fieldProblem } from '../../problemText';
import { ConfirmedButton } from '../../ui/confirmedButton';
import { useNotice } from '../../ui/notice';
import type { Quote } from '../../ui/passages';
import { RefusalAlert } from '../../ui/refusalAlert';
import { Screen, useScreen, useSubject } from '../../ui/screen';
import { UnsavedWarning } from '../../ui/unsavedWarning';
import { useAction } from '../../ui/useAction';
import { discardUnsaved } from '../../unsavedChanges';
import { marksOf } from './analysisMarks';
import { commentMarks, marksAt } from './commentPassages';
import { Comments, CommentsAtCursor, showComment } from './comments';
import { DraftConflict } from './conflict';
import { Coverage } from './coverage';
import type { DraftDetails, DraftReader } from './draft';
import { DraftTests } from './draftTests';
import { ExportButton } from './exportButton';
import { History } from './history';
import { HouseCheck, houseMarks, useHouseCheck } from './houseCheck';
import { KeepDeleted } from './keepDeleted';
import { MachineStyle } from './machineStyle';
import { DraftText } from './draftText';
import { type TextEditor, type TextSelection, selectQuote } from './markedEditor';
import { Review } from './review';
import { ProposalView, RewriteSelection, useProposal } from './rewriteProposal';
import { type DraftEditor, useDraftEditor } from './useDraftEditor';

/** The editor of a draft: its text, the points it makes, its style, and reactions of personas. */
export default function DraftPage() {
  const { t } = useTranslator();
  const { id = '' } = useParams();
  const result = useScreen(DraftScreenDocument, { id });
  const [draft, known] = useSubject(result, (data) => data.draft);
  const mayWrite = useMay('WRITE');
  return (
    <Screen title={draft ? draft.title || t('document.untitled') : t('nav.drafts')} result={known}>
      {(data) =>
        draft && (
          <Editor
            key={draft.id}
            draft={draft}
            readers={data.personas?.nodes ?? []}
            mayWrite={mayWrite}
            isDeleted={known.isDeleted ?? false}
          />
        )
      }
    </Screen>
  );
}

function Editor({
  draft,
  readers,
  mayWrite,
  isDeleted,
}: {
  draft: DraftDetails;
  readers: readonly DraftReader[];
  mayWrite: boolean | undefined;
  isDeleted: boolean;
}) {
  const mayAsk = useMay('ASK');
  const { t } = useTranslator();
  const notify = useNotice();
  const editor = useDraftEditor(draft);
  const text = useRef<TextEditor>(null);
  const [selected, setSelected] = useState<TextSelection>({ start: 0, end: 0 });
  const proposal = useProposal(editor.content, text);
  const comments = useComments(draft);
  const house = useHouseCheck(editor.content);
  const marks = useMemo(
    () => [...comments.marks, ...houseMarks(house.check), ...marksOf(editor.analysis, t)],
    [comments.marks, house.check, editor.analysis, t],
  );
  const atCursor =
    selected.start === selected.end ? marksAt(editor.content, comments.marks, selected.start) : [];
  const show = (quote: Quote) => {
    if (!selectQuote(text.current, editor.content, quote)) {
      notify(t('check.gone'), true);
    }
  };
  return (
    <div className="with-aside aside-end">
      <Stack style={{ minInlineSize: 0 }}>
        <TextInput
          label={t('drafts.title')}
          value={editor.title}
          onChange={(event) => editor.setTitle(event.currentTarget.value)}
          readOnly={!mayWrite}
          error={fieldProblem(editor.error, 'title')}
        />
        <DraftText
          contentType={draft.contentType}
          handle={text}
          label={t('document.text')}
          value={editor.content}
          change={editor.setContent}
          select={setSelected}
          marks={marks}
          readOnly={!mayWrite}
          error={fieldProblem(editor.error, 'content')}
        />
        <CommentsAtCursor marks={atCursor} />
        {mayWrite && (
          <RewriteSelection content={editor.content} selected={selected} proposal={proposal} />
        )}
        <ProposalView proposal={proposal} />
        {editor.conflict && (
          <DraftConflict key={editor.conflict.version} stored={editor.conflict} editor={editor} />
        )}
        {isDeleted || failureCode({ error: editor.error }) === 'not_found' ? (
          <KeepDeleted draft={draft} editor={editor} mayWrite={mayWrite} />
        ) : (
          <EditorActions draft={draft} editor={editor} mayWrite={mayWrite} />
        )}
        <UnsavedWarning isUnsaved={editor.isChanged} isRestorable={editor.isRestorable} />
      </Stack>
      <Stack gap="lg" component="aside" aria-label={t('drafts.checks')}>
        <Review draft={draft} mayWrite={mayWrite} isChanged={editor.isChanged} />
        <Comments
          draft={draft}
          selected={selected}
          isChanged={editor.isChanged}
          show={show}
          active={atCursor.map(({ id }) => id)}
          named={comments.named}
        />
        <Coverage editor={editor} show={show} mayWrite={mayWrite} />
        <HouseCheck
          live={house}
          content={editor.content}
          show={show}
          proposal={proposal}
          mayWrite={mayWrite}
        />
        <MachineStyle editor={editor} show={show} proposal={proposal} mayWrite={mayWrite} />
        <DraftTests draft={draft} editor={editor} readers={readers} show={show} mayWrite={mayAsk} />
        <History draft={draft} mayWrite={mayWrite} />
      </Stack>
    </div>
  );
}

/** The marks of commented passages, and the comment that the address names, which is shown. */
function useComments(draft: DraftDetails) {
  const named = new URLSearchParams(useSearch()).get('comment');
  const open = draft.comments?.nodes;
  const marks = useMemo(() => commentMarks(draft.content ?? '', open ?? []), [draft.content, open]);
  useEffect(() => {
    if (named) {
      showComment(named);
    }
  }, [named]);
  return { named, marks };
}

function EditorActions({
  draft,
  editor,
  mayWrite,
}: {
  draft: DraftDetails;
  editor: DraftEditor;
  mayWrite: boolean | undefined;
}) {
  const { t, ago } = useTranslator();
  const { title, content, error, fetching, isChanged, store } = editor;
  return (
    <>
      <Text size="sm" c="dimmed" data-draft-state>
        {isChanged ? t('drafts.changed') : t('drafts.saved', { when: ago(draft.updatedAt) })}
      </Text>
      <RefusalAlert error={error} />
      <ExportButton
        title={title}
        content={content}
        contentType={draft.contentType}
        themes={draft.metadata.themes}
        mayWrite={mayWrite}
        end={mayWrite && <DeleteButton draft={draft} />}
      >
        {mayWrite && (
          <Button onClick={() => void store()} loading={fetching}>
            {t('action.save')}
          </Button>
        )}
      </ExportButton>
    </>
  );
}

function DeleteButton({ draft }: { draft: DraftDetails }) {
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
