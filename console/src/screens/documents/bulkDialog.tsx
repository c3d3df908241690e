import { Button, Group, Modal, NativeSelect, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useMutation } from 'urql';
import {
  type BulkAction,
  StartBulkUpdateDocument,
  type StartBulkUpdateMutation,
  type Visibility,
} from '../../graph/documents/graphql';
import { useTranslator } from '../../i18n';
import { RefusalAlert } from '../../ui/refusalAlert';
import { visibilities } from './documentFilter';
import {
  type BulkForm,
  type Intent,
  type Selection,
  type TextField,
  bulkInput,
  countOf,
  emptyForm,
  setOf,
  textFieldLabels,
  textFields,
} from './bulk';
import { BulkPreview } from './bulkPreview';
import { BulkTags } from './bulkTags';

export type Preview = NonNullable<
  NonNullable<StartBulkUpdateMutation['startBulkUpdate']>['preview']
>;

interface DialogProps {
  readonly action: BulkAction;
  readonly selection: Selection;
  readonly close: () => void;
  /** Runs with the id of the job that was started. */
  readonly start: (jobId: string) => void;
}

/** Asks what to change, shows what would be changed, and then changes it. */
export default function BulkDialog({ action, selection, close, start }: DialogProps) {
  const { t } = useTranslator();
  const [form, setForm] = useState(emptyForm);
  const [preview, setPreview] = useState<Preview | null>(null);
  const [{ error, fetching }, run] = useMutation(StartBulkUpdateDocument);
  const set = action === 'UPDATE' ? setOf(form) : null;
  const send = async (dryRun: boolean) => {
    const { data } = await run({ input: bulkInput(selection, action, set, dryRun) });
    const started = data?.startBulkUpdate;
    if (started?.job) {
      start(started.job.id);
    } else {
      setPreview(started?.preview ?? null);
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void send(!preview);
  };
  const count = preview?.changedCount ?? 0;
  return (
    <Modal
      opened
      onClose={close}
      size="lg"
      title={t(`bulk.title.${action}`, { count: countOf(selection) })}
      closeButtonProps={{ 'aria-label': t('action.close') }}
      transitionProps={{ duration: 0 }}
    >
      <form onSubmit={submit} noValidate>
        <Stack gap="sm">
          {action === 'UPDATE' && (
            <BulkFields
              form={form}
              change={(next) => {
                setForm(next);
                setPreview(null);
              }}
            />
          )}
          {action === 'UPDATE' && (
            <BulkTags
              tags={form.tags}
              change={(tags) => {
                setForm({ ...form, tags });
                setPreview(null);
              }}
              error={error}
            />
          )}
          {preview && <BulkPreview preview={preview} action={action} />}
          <RefusalAlert error={error} fields={['set/autoTagValues']} />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={close}>
              {t('action.cancel')}
            </Button>
            {preview ? (
              <Button
                type="submit"
                loading={fetching}
                disabled={count === 0}
                color={action === 'DELETE' ? 'red.9' : 'harbor'}
              >
                {t(`bulk.confirm.${action}`, { count })}
              </Button>
            ) : (
              <Button type="submit" loading={fetching} disabled={action === 'UPDATE' && !set}>
                {t('bulk.preview')}
              </Button>
            )}
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

interface FieldsProps {
  readonly form: BulkForm;
  readonly change: (form: BulkForm) => void;
}

/** The fields of documents: each stays, gets a value, or is emptied. */
function BulkFields({ form, change }: FieldsProps) {
  const { t, name } = useTranslator();
  const setField = (field: TextField, value: Partial<BulkForm['fields'][TextField]>) =>
    change({ ...form, fields: { ...form.fields, [field]: { ...form.fields[field], ...value } } });
  return (
    <>
      <Group gap="sm" align="flex-end" grow>
        <NativeSelect
          label={t('documents.visibility')}
          data={[
            { value: '', label: t('bulk.intent.keep') },
            ...visibilities.map((value) => ({ value, label: name('visibility', value) })),
          ]}
          value={form.visibility}
          onChange={(event) =>
            change({ ...form, visibility: event.currentTarget.value as Visibility | '' })
          }
        />
        {form.visibility === 'EMBARGOED' && (
          <TextInput
            type="datetime-local"
            required
            label={t('documents.embargoedUntil')}
            value={form.until}
            onChange={(event) => change({ ...form, until: event.currentTarget.value })}
          />
        )}
      </Group>
      {textFields.map((field) => {
        const { intent, value } = form.fields[field];
        const label = t(textFieldLabels[field]);
        return (
          <Group key={field} gap="sm" align="flex-end" grow>
            <NativeSelect
              label={label}
              data={intents.map((one) => ({ value: one, label: t(`bulk.intent.${one}`) }))}
              value={intent}
              onChange={(event) => setField(field, { intent: event.currentTarget.value as Intent })}
            />
            {intent === 'set' && (
              <TextInput
                type={field === 'extractedDate' ? 'date' : 'text'}
                required
                dir="auto"
                maxLength={field === 'communicationType' ? 100 : 500}
                aria-label={t('bulk.valueOf', { field: label })}
                value={value}
                onChange={(event) => setField(field, { value: event.currentTarget.value })}
              />
            )}
          </Group>
        );
      })}
    </>
  );
}

const intents: readonly Intent[] = ['keep', 'set', 'clear'];
