import { Button, Group, SegmentedControl, Stack, Text, TextInput, Textarea } from '@mantine/core';
import { type ChangeEvent, useState } from 'react';
import { useMutation } from 'urql';
import { failureCode } from '../../client';
import {
  type LinkPageFragment,
  PreviewPageDocument,
  SavePageDocument,
  StoredPageDocument,
} from '../../graph/link/graphql';
import { useTranslator } from '../../i18n';
import { fieldProblem } from '../../problemText';
import { ConflictAlert } from '../../ui/conflictAlert';
import { useNotice } from '../../ui/notice';
import { Panel } from '../../ui/panel';
import { RefusalAlert } from '../../ui/refusalAlert';
import { UnsavedWarning } from '../../ui/unsavedWarning';
import { useDebouncedQuery } from '../../ui/useDebouncedQuery';
import { type FormState, useFormState } from '../../ui/useFormState';
import { useFreshRead } from '../../ui/useFreshRead';
import type { LinkDetails } from './link';
import {
  type PageFields,
  changedInput,
  conflictingFields,
  formInput,
  isSameForm,
  keepSaved,
  questionsOf,
  thanksOf,
  resetField,
} from './pageFields';
import { PageQuestions } from './pageQuestions';

/** Edits the page of a link, next to a preview: the page as the gateway renders it for viewers. */
export function PageEditor({
  link,
  mayWrite,
}: {
  link: LinkDetails;
  mayWrite: boolean | undefined;
}) {
  const { t } = useTranslator();
  const editor = usePageEditor(link);
  const { title, body, questions, thanks, conflict, error } = editor;
  return (
    <div className="with-preview">
      {mayWrite && (
        <Panel title={t('links.page')}>
          <Stack p="md">
            <TextInput
              label={t('links.title')}
              description={link.draft && t('page.ofDraft')}
              readOnly={Boolean(link.draft)}
              value={title.value}
              onChange={(event) => setText(title, event)}
              error={fieldProblem(error, 'title')}
            />
            <Textarea
              label={t('page.body')}
              description={t(link.draft ? 'page.ofDraft' : 'page.bodyHint')}
              readOnly={Boolean(link.draft)}
              autosize
              minRows={6}
              maxRows={20}
              dir="auto"
              value={body.value}
              onChange={(event) => setText(body, event)}
              error={fieldProblem(error, 'body')}
            />
            <PageQuestions
              questions={questions.value}
              setQuestions={questions.change}
              error={error}
            />
            {questions.value.length > 0 && (
              <Textarea
                label={t('page.thanks')}
                description={t('page.thanksHint')}
                autosize
                minRows={2}
                dir="auto"
                value={thanks.value}
                onChange={(event) => setText(thanks, event)}
                error={fieldProblem(error, 'form/thanks')}
              />
            )}
            <RefusalAlert error={editor.refusal} />
            {conflict && <PageConflict stored={conflict} editor={editor} />}
            <Group>
              <Button loading={editor.fetching} onClick={() => void editor.store()}>
                {t('action.save')}
              </Button>
            </Group>
            <UnsavedWarning isUnsaved={editor.isChanged} />
          </Stack>
        </Panel>
      )}
      <Preview html={editor.html} isCurrent={editor.isCurrent} hasProblem={editor.hasProblem} />
    </div>
  );
}

function setText(
  form: FormState<string>,
  event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>,
): void {
  const { value } = event.currentTarget;
  form.change(() => value);
}

/**
 * The edited fields of a page, each with the stored value that it began with, and their preview.
 */
function usePageEditor(link: LinkDetails) {
  const { updatedAt } = link;
  const title = useFormState({ value: link.title, updatedAt }, Object.is);
  const body = useFormState({ value: link.body ?? '', updatedAt }, Object.is);
  const questions = useFormState({ value: questionsOf(link), updatedAt }, isSameForm);
  const thanks = useFormState({ value: thanksOf(link), updatedAt }, Object.is);
  const fields = { title, body, questions, thanks };
  const isChanged = Object.values(fields).some((field) => field.isChanged);
  const { refusal, ...saving } = usePageSaving(link, fields);
  const [saved] = useState(link.preview ? { pagePreview: link.preview } : null);
  const preview = useDebouncedQuery(
    PreviewPageDocument,
    {
      input: {
        title: title.value,
        body: body.value,
        form: formInput(questions.value, thanks.value),
      },
    },
    saved,
    isChanged,
  );
  const problem = isChanged ? preview.error : undefined;
  return {
    ...fields,
    ...saving,
    refusal,
    isChanged,
    error: problem ?? (isChanged && preview.isCurrent ? undefined : refusal),
    html: (isChanged ? preview.data?.pagePreview : link.preview)?.html ?? '',
    isCurrent: !isChanged || preview.isCurrent,
    hasProblem: Boolean(problem),
  };
}

/**
 * Saves the changed fields of the stored link, which is read first. It is a conflict if somebody else
 * changed one of these fields.
 */
function usePageSaving(link: LinkDetails, fields: PageFields) {
  const notify = useNotice();
  const { t } = useTranslator();
  const { isReading, read } = useFreshRead(StoredPageDocument, { id: link.id });
  const [conflict, setConflict] = useState<LinkPageFragment | null>(null);
  const [{ fetching, error: refusal }, save] = useMutation(SavePageDocument);
  const store = async (expected?: LinkPageFragment): Promise<void> => {
    const sent = {
      title: fields.title.value,
      body: fields.body.value,
      questions: fields.questions.value,
      thanks: fields.thanks.value,
    };
    const stored = (await read())?.link;
    if (!stored) {
      return;
    }
    if (conflictingFields(fields, stored, expected).length > 0) {
      setConflict(stored);
      return;
    }
    const input = changedInput(fields, stored);
    const result =
      Object.keys(input).length > 0
        ? await save({ input: { linkId: link.id, ifVersion: [stored.version], ...input } })
        : { data: { updateLink: { link: stored } }, error: undefined };
    if (failureCode(result) === 'precondition_failed') {
      return store(expected); // saved by somebody else between both
    }
    const { data } = result;
    if (data?.updateLink) {
      setConflict(null);
      keepSaved(fields, sent, data.updateLink.link);
      notify(t('drafts.stored'));
    }
  };
  const takeStored = () => {
    if (conflict) {
      conflictingFields(fields, conflict).forEach((name) => resetField(fields, name, conflict));
      setConflict(null);
    }
  };
  return {
    fetching: fetching || isReading,
    refusal,
    conflict: conflict && conflictingFields(fields, conflict).length > 0 ? conflict : null,
    store,
    takeStored,
  };
}

/** Shows the fields that another editor saved, and asks which ones stay. */
function PageConflict({
  stored,
  editor,
}: {
  stored: LinkPageFragment;
  editor: ReturnType<typeof usePageEditor>;
}) {
  const { t } = useTranslator();
  const texts = {
    title: { label: t('links.title'), text: stored.title },
    body: { label: t('page.body'), text: stored.body ?? '' },
    questions: {
      label: t('page.form'),
      text: questionsOf(stored)
        .map(({ label }) => label)
        .join('\n'),
    },
    thanks: { label: t('page.thanks'), text: thanksOf(stored) },
  };
  const fields = conflictingFields(editor, stored).map((name) => texts[name]);
  return (
    <ConflictAlert
      updatedAt={stored.updatedAt}
      fields={fields}
      isSaving={editor.fetching}
      takeStored={editor.takeStored}
      saveMine={() => void editor.store(stored)}
    />
  );
}

/** The page in a frame without scripts and forms, as wide as a window or as a telephone. */
function Preview({
  html,
  isCurrent,
  hasProblem,
}: {
  html: string;
  isCurrent: boolean;
  hasProblem: boolean;
}) {
  const { t } = useTranslator();
  const [width, setWidth] = useState('wide');
  return (
    <Panel
      title={t('links.preview')}
      actions={
        <SegmentedControl
          size="xs"
          value={width}
          onChange={setWidth}
          data={(['wide', 'phone'] as const).map((value) => ({ value, label: t(`page.${value}`) }))}
          aria-label={t('page.width')}
        />
      }
    >
      <iframe
        className="page-preview"
        data-current={isCurrent}
        style={width === 'phone' ? { inlineSize: 'min(390px, 100%)' } : undefined}
        sandbox=""
        srcDoc={html}
        title={t('links.preview')}
      />
      <Text size="xs" c={hasProblem ? 'red' : 'dimmed'} px="md" py="xs" role="status">
        {hasProblem ? t('page.stale') : t('page.previewHint')}
      </Text>
    </Panel>
  );
}
