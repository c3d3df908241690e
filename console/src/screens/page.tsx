import { ActionIcon, Button, Checkbox, Group, NativeSelect, SegmentedControl, Stack, Text, TextInput, Textarea } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconTrash } from '@tabler/icons-react';
import { type ChangeEvent, useRef, useState } from 'react';
import { type CombinedError, useMutation } from 'urql';
import { type FormFieldType, type LinkPageFragment, PreviewPageDocument, SavePageDocument, StoredPageDocument } from '../graph/link/graphql';
import { useTranslator } from '../i18n';
import { fieldProblem } from '../problem';
import { Conflict } from '../ui/conflict';
import { type Edited, useEdited } from '../ui/edited';
import { useLatest } from '../ui/latest';
import { useNotice } from '../ui/notice';
import { Panel } from '../ui/panel';
import { Refusal } from '../ui/refusal';
import { useStoredRead } from '../ui/stored';
import { UnsavedWarning } from '../ui/unsaved';
import type { Found } from './link';
import { type PageFields, type Question, changedInput, conflictingFields, formInput, isSameForm, keepSaved, questionsOf, resetField } from './pagefields';

/** The page of a link: its title, HTML and form, next to the page as the gateway renders it for viewers. */
export function PageEditor({ link, mayWrite }: { link: Found; mayWrite: boolean | undefined }) {
  const { t } = useTranslator();
  const editor = usePageEditor(link);
  const { title, body, questions, conflict, error } = editor;
  return (
    <div className="with-preview">
      {mayWrite && (
        <Panel title={t('links.page')}>
          <Stack p="md">
            <TextInput label={t('links.title')} value={title.value} onChange={(event) => setText(title, event)} error={fieldProblem(error, 'title')} />
            <Textarea label={t('page.body')} description={t('page.bodyHint')} autosize minRows={6} maxRows={20} dir="auto" value={body.value} onChange={(event) => setText(body, event)} error={fieldProblem(error, 'body')} />
            <Questions questions={questions.value} setQuestions={questions.change} error={error} />
            <Refusal error={editor.refusal} />
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

function setText(edited: Edited<string>, event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>): void {
  const { value } = event.currentTarget;
  edited.change(() => value);
}

/** The fields of a page while they are edited, each with the stored value that it began with, and the preview of them. */
function usePageEditor(link: Found) {
  const { updatedAt } = link;
  const title = useEdited({ value: link.title, updatedAt }, Object.is);
  const body = useEdited({ value: link.body ?? '', updatedAt }, Object.is);
  const questions = useEdited({ value: questionsOf(link), updatedAt }, isSameForm);
  const fields = { title, body, questions };
  const isChanged = title.isChanged || body.isChanged || questions.isChanged;
  const { refusal, ...saving } = usePageSaving(link, fields);
  const saved = useRef(link.preview ? { pagePreview: link.preview } : null);
  const preview = useLatest(PreviewPageDocument, { input: { title: title.value, body: body.value, form: formInput(questions.value) } }, saved.current, isChanged);
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
 * Saves the changed fields. A link has no version, so the stored link is read first: a conflict is the stored link if one of the changed fields is
 * another than the value that the changes began with.
 */
function usePageSaving(link: Found, fields: PageFields) {
  const notify = useNotice();
  const { t } = useTranslator();
  const { isReading, read } = useStoredRead(StoredPageDocument, { id: link.id });
  const [conflict, setConflict] = useState<LinkPageFragment | null>(null);
  const [{ fetching, error: refusal }, save] = useMutation(SavePageDocument);
  const store = async (expected?: LinkPageFragment) => {
    const sent = { title: fields.title.value, body: fields.body.value, questions: fields.questions.value };
    const stored = (await read())?.link;
    if (!stored) {
      return;
    }
    if (conflictingFields(fields, stored, expected).length > 0) {
      setConflict(stored);
      return;
    }
    const input = changedInput(fields);
    const { data } = Object.keys(input).length > 0 ? await save({ input: { linkId: link.id, ...input } }) : { data: { updateLink: { link: stored } } };
    if (data?.updateLink) {
      setConflict(null);
      keepSaved(fields, sent, data.updateLink.link);
      notify(t('drafts.stored'));
    }
  };
  const useStored = () => {
    if (conflict) {
      conflictingFields(fields, conflict).forEach((name) => resetField(fields, name, conflict));
      setConflict(null);
    }
  };
  return { fetching: fetching || isReading, refusal, conflict: conflict && conflictingFields(fields, conflict).length > 0 ? conflict : null, store, useStored };
}

/** The changed fields that another editor saved, next to the choice between them and the fields here. */
function PageConflict({ stored, editor }: { stored: LinkPageFragment; editor: ReturnType<typeof usePageEditor> }) {
  const { t } = useTranslator();
  const texts = {
    title: { label: t('links.title'), text: stored.title },
    body: { label: t('page.body'), text: stored.body ?? '' },
    questions: { label: t('page.form'), text: questionsOf(stored).map(({ label }) => label).join('\n') },
  };
  const fields = conflictingFields(editor, stored).map((name) => texts[name]);
  return <Conflict updatedAt={stored.updatedAt} fields={fields} isSaving={editor.fetching} useStored={editor.useStored} saveMine={() => void editor.store(stored)} />;
}

interface QuestionsProps {
  readonly questions: readonly Question[];
  readonly setQuestions: (change: (before: readonly Question[]) => readonly Question[]) => void;
  readonly error: CombinedError | undefined;
}

/** Returns a name that no question has. */
function freeName(questions: readonly Question[]): string {
  const names = new Set(questions.map(({ name }) => name.toLowerCase()));
  let number = questions.length + 1;
  while (names.has(`field_${number}`)) {
    number++;
  }
  return `field_${number}`;
}

function Questions({ questions, setQuestions, error }: QuestionsProps) {
  const { t } = useTranslator();
  const change = (row: string, part: Partial<Question>) => setQuestions((before) => before.map((question) => (question.row === row ? { ...question, ...part } : question)));
  const move = (from: number, to: number) =>
    setQuestions((before) => {
      const rest = before.filter((_, i) => i !== from);
      return [...rest.slice(0, to), ...before.slice(from, from + 1), ...rest.slice(to)];
    });
  return (
    <Stack gap="sm" component="fieldset" className="facet">
      <Text component="legend" size="sm" fw={500}>
        {t('page.form')}
      </Text>
      {questions.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('page.noForm')}
        </Text>
      )}
      {questions.map((question, i) => (
        <QuestionFields
          key={question.row}
          question={question}
          number={i + 1}
          isLast={i === questions.length - 1}
          problem={(member) => fieldProblem(error, `form/fields/${i}/${member}`)}
          change={(part) => change(question.row, part)}
          move={(step) => move(i, i + step)}
          remove={() => setQuestions((before) => before.filter(({ row }) => row !== question.row))}
        />
      ))}
      <Group>
        <Button
          size="xs"
          variant="default"
          onClick={() => setQuestions((before) => [...before, { row: crypto.randomUUID(), name: freeName(before), label: t('page.newField'), type: 'TEXT', required: false }])}
        >
          {t('page.addField')}
        </Button>
      </Group>
    </Stack>
  );
}

interface QuestionFieldsProps {
  readonly question: Question;
  readonly number: number;
  readonly isLast: boolean;
  readonly problem: (member: string) => string | undefined;
  readonly change: (part: Partial<Question>) => void;
  readonly move: (step: number) => void;
  readonly remove: () => void;
}

const types: readonly FormFieldType[] = ['TEXT', 'EMAIL', 'TEL', 'URL', 'NUMBER', 'TEXTAREA', 'CHECKBOX', 'DATE'];

function QuestionFields({ question, number, isLast, problem, change, move, remove }: QuestionFieldsProps) {
  const { t, name } = useTranslator();
  const buttons = [
    ['page.up', IconArrowUp, number === 1, () => move(-1)],
    ['page.down', IconArrowDown, isLast, () => move(1)],
    ['page.remove', IconTrash, false, remove],
  ] as const;
  return (
    <Stack gap={6} role="group" aria-label={t('page.field', { number })} className="question">
      <Group gap={6} align="flex-start">
        <TextInput size="xs" label={t('page.label')} value={question.label} onChange={(event) => change({ label: event.currentTarget.value })} error={problem('label')} style={{ flex: '2 1 9rem' }} />
        <TextInput size="xs" label={t('page.name')} value={question.name} onChange={(event) => change({ name: event.currentTarget.value })} error={problem('name')} style={{ flex: '1 1 7rem' }} />
        <NativeSelect
          size="xs"
          label={t('page.type')}
          data={types.map((value) => ({ value, label: name('field', value) }))}
          value={question.type}
          onChange={(event) => change({ type: event.currentTarget.value as FormFieldType })}
          style={{ flex: '1 1 7rem' }}
        />
      </Group>
      <Group justify="space-between">
        <Checkbox size="xs" label={t('page.required')} checked={question.required} onChange={(event) => change({ required: event.currentTarget.checked })} />
        <Group gap={2}>
          {buttons.map(([key, Icon, disabled, run]) => (
            <ActionIcon key={key} variant="subtle" color="gray" title={t(key, { number })} aria-label={t(key, { number })} disabled={disabled} onClick={run}>
              <Icon size={16} aria-hidden />
            </ActionIcon>
          ))}
        </Group>
      </Group>
    </Stack>
  );
}

/** The page in a frame without scripts and forms, as wide as a window or as a telephone. */
function Preview({ html, isCurrent, hasProblem }: { html: string; isCurrent: boolean; hasProblem: boolean }) {
  const { t } = useTranslator();
  const [width, setWidth] = useState('wide');
  return (
    <Panel
      title={t('links.preview')}
      actions={<SegmentedControl size="xs" value={width} onChange={setWidth} data={(['wide', 'phone'] as const).map((value) => ({ value, label: t(`page.${value}`) }))} aria-label={t('page.width')} />}
    >
      <iframe className="page-preview" data-current={isCurrent} style={width === 'phone' ? { inlineSize: 'min(390px, 100%)' } : undefined} sandbox="" srcDoc={html} title={t('links.preview')} />
      <Text size="xs" c={hasProblem ? 'red' : 'dimmed'} px="md" py="xs" role="status">
        {hasProblem ? t('page.stale') : t('page.previewHint')}
      </Text>
    </Panel>
  );
}
