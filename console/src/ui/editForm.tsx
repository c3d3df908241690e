import { Button, Group, Stack } from '@mantine/core';
import type { CombinedError } from '@urql/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useTranslator } from '../i18n';
import { discardUnsaved } from '../unsavedChanges';
import { ConflictAlert } from './conflictAlert';
import { GuardedButton } from './guardedButton';
import { useNotice } from './notice';
import { Panel } from './panel';
import { RefusalAlert } from './refusalAlert';
import { UnsavedWarning } from './unsavedWarning';
import type { FormState, StoredValue } from './useFormState';

interface PanelProps {
  readonly title: string;
  readonly mayWrite: boolean | undefined;
  /** Stands above the shown or edited content. */
  readonly note?: ReactNode;
  readonly facts: ReactNode;
  readonly form: (close: () => void) => ReactNode;
}

/** A panel that shows something, and edits it in its place. */
export function EditPanel({ title, mayWrite, note, facts, form }: PanelProps) {
  const { t } = useTranslator();
  const [isEdited, setEdited] = useState(false);
  const edit = (
    <GuardedButton
      allowed={mayWrite}
      size="compact-xs"
      variant="subtle"
      onClick={() => setEdited(true)}
    >
      {t('action.edit')}
    </GuardedButton>
  );
  return (
    <Panel title={title} actions={!isEdited && edit}>
      {note}
      {isEdited ? form(() => setEdited(false)) : facts}
    </Panel>
  );
}

/** Returns the fields that differ in two values. */
export const differing = <Value extends object>(
  a: Value,
  b: Value,
  names = Object.keys(a) as (keyof Value)[],
) => names.filter((name) => a[name] !== b[name]);

/** Returns the fields that were changed in two ways: in a form, and by somebody else. */
export const clashing = <Value extends object>(base: Value, value: Value, theirs: Value) =>
  differing(value, base).filter(
    (name) => theirs[name] !== base[name] && theirs[name] !== value[name],
  );

interface FormProps<Value> {
  readonly form: FormState<Value>;
  readonly stored: StoredValue<Value>;
  /** The names of the fields that two people may change differently, with their labels. */
  readonly labels: readonly (readonly [keyof Value & string, string])[];
  readonly error: CombinedError | undefined;
  /** The fields that show their own reasons. */
  readonly fields: readonly string[];
  readonly isSaving: boolean;
  /** Sends the changed fields only, so that the changes of others stay; true if they are saved. */
  readonly save: () => Promise<boolean>;
  readonly saved: string;
  readonly close: () => void;
  readonly children: ReactNode;
  /** Further buttons. */
  readonly actions?: ReactNode;
}

/** A form that edits something in its place. Fields that others have changed meanwhile are a conflict. */
export function EditForm<Value extends object>({
  form,
  stored,
  labels,
  error,
  fields,
  isSaving,
  save,
  saved,
  close,
  children,
  actions,
}: FormProps<Value>) {
  const { t } = useTranslator();
  const notify = useNotice();
  const { base, value } = form;
  const clashes = new Set<keyof Value>(clashing(base.value, value, stored.value));
  const conflicts = labels
    .filter(([name]) => clashes.has(name))
    .map(([name, label]) => ({ label, text: String(stored.value[name]) }));
  const store = async () => {
    if (await save()) {
      discardUnsaved();
      notify(saved);
      close();
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void store();
  };
  return (
    <form onSubmit={submit} noValidate>
      <UnsavedWarning isUnsaved={form.isChanged} />
      <Stack gap="sm" p="md">
        {children}
        <RefusalAlert error={error} fields={fields} />
        {conflicts.length > 0 && (
          <ConflictAlert
            updatedAt={stored.updatedAt}
            fields={conflicts}
            isSaving={isSaving}
            takeStored={() => form.setBase(stored)}
            saveMine={() => void store()}
          />
        )}
        <Group gap="xs">
          <Button type="submit" size="xs" loading={isSaving} disabled={conflicts.length > 0}>
            {t('action.save')}
          </Button>
          <Button size="xs" variant="default" onClick={close}>
            {t('action.cancel')}
          </Button>
          {actions}
        </Group>
      </Stack>
    </form>
  );
}
