import { Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from 'urql';
import {
  type MediaProvenance,
  UpdateDocumentDocument,
  type UpdateDocumentInput,
} from '../../graph/document/graphql';
import { useTranslator } from '../../i18n';
import { fieldProblem } from '../../problemText';
import { EditForm, EditPanel, differing } from '../../ui/editForm';
import { wordsOf } from '../../ui/sourceFields';
import { useFormState } from '../../ui/useFormState';
import { VisibilityFields, localTime, visibilityInput } from '../../ui/visibilityFields';
import type { DocumentDetails } from './document';

const textFields = ['title', 'author', 'company', 'executive', 'communicationType'] as const;
const provenances: readonly MediaProvenance[] = ['OWNED', 'EARNED', 'PAID'];

/** The attribution of a document while it is corrected; an empty text stands for nothing. */
type Value = ReturnType<typeof valueOf>;

/** The labels with commas between them, without the one of texts by personas. */
const shownTags = (document: DocumentDetails) =>
  document.tags.filter((tag) => tag !== 'generated').join(', ');

const valueOf = (document: DocumentDetails) => ({
  title: document.title,
  author: document.author ?? '',
  company: document.companyName ?? '',
  executive: document.executive?.name ?? '',
  communicationType: document.communicationType ?? '',
  extractedDate: document.extractedDate?.slice(0, 10) ?? '',
  mediaProvenance: document.mediaProvenance ?? '',
  tags: shownTags(document),
  visibility: document.visibility,
  until: localTime(document.embargoedUntil),
});

const names = [
  ...textFields,
  'extractedDate',
  'mediaProvenance',
  'tags',
  'visibility',
  'until',
] as const satisfies (keyof Value)[];

const isSame = (a: Value, b: Value) => differing(a, b).length === 0;

/** Returns the changed fields as the gateway takes them; an empty one is cleared. */
function changes(value: Value, base: Value): Omit<UpdateDocumentInput, 'documentId'> {
  const changed = differing(value, base);
  const plain = changed.filter((name) => name !== 'visibility' && name !== 'until');
  const input: Omit<UpdateDocumentInput, 'documentId'> = Object.fromEntries(
    plain.map((name) => [name, value[name] || null]),
  );
  if (input['extractedDate']) {
    input['extractedDate'] = `${value.extractedDate}T00:00:00Z`;
  }
  if (changed.includes('tags')) {
    input['tags'] = wordsOf(value.tags);
  }
  return plain.length < changed.length ? { ...input, ...visibilityInput(value) } : input;
}

interface DetailsProps {
  readonly document: DocumentDetails;
  readonly mayWrite: boolean | undefined;
}

/** Where a document comes from and who may know it, with the origin of each part; editable. */
export function Details({ document, mayWrite }: DetailsProps) {
  const { t } = useTranslator();
  return (
    <EditPanel
      title={t('document.details')}
      mayWrite={mayWrite}
      facts={<Facts document={document} />}
      form={(close) => <DetailsForm key={document.id} document={document} close={close} />}
    />
  );
}

function Facts({ document }: { document: DocumentDetails }) {
  const { t, name, date, dateTime } = useTranslator();
  const { attributionOrigins: origins, mediaProvenance } = document;
  const until = document.embargoedUntil && dateTime(document.embargoedUntil);
  const visibility = name('visibility', document.visibility);
  const rows = [
    ['title', document.title, origins.title],
    ['author', document.author, origins.author],
    ['company', document.companyName, origins.company],
    ['executive', document.executive?.name, origins.executive],
    ['communicationType', document.communicationType, origins.communicationType],
    [
      'extractedDate',
      document.extractedDate && date(document.extractedDate),
      origins.extractedDate,
    ],
    ['mediaProvenance', mediaProvenance && name('provenance', mediaProvenance), null],
    ['tags', shownTags(document), null],
    ['visibility', until ? `${visibility} → ${until}` : visibility, origins.visibility],
  ] as const;
  return (
    <Stack gap={6} p="md">
      {rows.map(([field, value, origin]) => (
        <Group key={field} justify="space-between" gap="xs" align="baseline" wrap="nowrap">
          <Text size="xs" c="dimmed" style={{ flexShrink: 0 }}>
            {t(`document.${field}`)}
          </Text>
          <Text size="sm" ta="end" dir="auto">
            {value || '—'}
            {value && origin && (
              <Text span size="xs" c="dimmed">
                {' '}
                · {name('origin', origin)}
              </Text>
            )}
          </Text>
        </Group>
      ))}
    </Stack>
  );
}

function DetailsForm({ document, close }: { document: DocumentDetails; close: () => void }) {
  const { t } = useTranslator();
  const stored = { value: valueOf(document), updatedAt: document.updatedAt ?? '' };
  const form = useFormState(stored, isSame);
  const [{ fetching, error }, update] = useMutation(UpdateDocumentDocument);
  const save = async () => {
    const input = { documentId: document.id, ...changes(form.value, form.base.value) };
    const { data } = await update({ input });
    return Boolean(data?.updateDocument);
  };
  return (
    <EditForm
      form={form}
      stored={stored}
      labels={names.map((name) => [name, t(`document.${name}`)] as const)}
      error={error}
      fields={names}
      isSaving={fetching}
      save={save}
      saved={t('document.saved')}
      close={close}
    >
      <Fields
        value={form.value}
        change={(change) => form.change((before) => ({ ...before, ...change }))}
        error={error}
      />
    </EditForm>
  );
}

interface FieldsProps {
  readonly value: Value;
  readonly change: (change: Partial<Value>) => void;
  readonly error: Parameters<typeof fieldProblem>[0];
}

function Fields({ value, change, error }: FieldsProps) {
  const { t, name } = useTranslator();
  return (
    <>
      {textFields.map((field) => (
        <TextInput
          key={field}
          label={t(`document.${field}`)}
          required={field === 'title'}
          value={value[field]}
          error={fieldProblem(error, field)}
          dir="auto"
          onChange={(event) => change({ [field]: event.currentTarget.value })}
        />
      ))}
      <TextInput
        type="date"
        label={t('document.extractedDate')}
        value={value.extractedDate}
        error={fieldProblem(error, 'extractedDate')}
        onChange={(event) => change({ extractedDate: event.currentTarget.value })}
      />
      <NativeSelect
        label={t('document.mediaProvenance')}
        data={['', ...provenances].map((one) => ({
          value: one,
          label: one ? name('provenance', one) : '—',
        }))}
        value={value.mediaProvenance}
        onChange={(event) => change({ mediaProvenance: event.currentTarget.value })}
      />
      <TextInput
        label={t('document.tags')}
        description={t('source.tagsHint')}
        value={value.tags}
        error={fieldProblem(error, 'tags')}
        dir="auto"
        onChange={(event) => change({ tags: event.currentTarget.value })}
      />
      <VisibilityFields value={value} change={change} error={error} />
    </>
  );
}
