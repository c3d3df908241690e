import { Button, Group, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { type CombinedError, useMutation } from 'urql';
import { CreateGroupDocument, UpdateGroupDocument } from '../../graph/groups/graphql';
import { useTranslator } from '../../i18n';
import { fieldProblem } from '../../problemText';
import { GuardedButton } from '../../ui/guardedButton';
import { useNotice } from '../../ui/notice';
import { RefusalAlert } from '../../ui/refusalAlert';
import type { AudienceGroup } from './groups';

interface GroupValues {
  readonly name: string;
  readonly displayName: string;
  readonly sortOrder: string;
}

const fields = ['name', 'displayName', 'sortOrder'] as const;

const inputOf = ({ name, displayName, sortOrder }: GroupValues) => ({
  name,
  displayName: displayName.trim() || null,
  sortOrder: Number(sortOrder) || 0,
});

interface FieldsProps {
  readonly values: GroupValues;
  readonly change: (values: GroupValues) => void;
  readonly error: CombinedError | undefined;
  readonly isReadOnly?: boolean;
}

function GroupFields({ values, change, error, isReadOnly = false }: FieldsProps) {
  const { t } = useTranslator();
  return fields.map((field) => (
    <TextInput
      key={field}
      label={t(`groups.field.${field}`)}
      inputMode={field === 'sortOrder' ? 'numeric' : undefined}
      value={values[field]}
      readOnly={isReadOnly}
      onChange={(event) => change({ ...values, [field]: event.currentTarget.value })}
      error={fieldProblem(error, field)}
      style={{ flex: field === 'sortOrder' ? '0 1 7rem' : '1 1 12rem' }}
    />
  ));
}

interface CreateProps {
  readonly mayWrite: boolean | undefined;
  readonly reload: () => void;
}

export function CreateGroup({ mayWrite, reload }: CreateProps) {
  const { t } = useTranslator();
  const notify = useNotice();
  const empty = { name: '', displayName: '', sortOrder: '0' };
  const [values, setValues] = useState<GroupValues>(empty);
  const [{ fetching, error }, create] = useMutation(CreateGroupDocument);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const { data } = await create({ input: inputOf(values) });
    if (data?.createAudienceGroup) {
      setValues(empty);
      notify(t('drafts.stored'));
      reload();
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)} className="panel card" noValidate>
      <Group align="flex-end">
        <GroupFields values={values} change={setValues} error={error} isReadOnly={!mayWrite} />
        <GuardedButton allowed={mayWrite} type="submit" loading={fetching}>
          {t('groups.add')}
        </GuardedButton>
      </Group>
      <RefusalAlert error={error} fields={fields} />
    </form>
  );
}

interface EditProps {
  readonly group: AudienceGroup;
  readonly close: () => void;
  readonly reload: () => void;
}

/** Changes a group. Its category may change while it has no personas; the gateway says so. */
export function EditGroup({ group, close, reload }: EditProps) {
  const { t } = useTranslator();
  const notify = useNotice();
  const [values, setValues] = useState<GroupValues>({
    name: group.name,
    displayName: group.displayName ?? '',
    sortOrder: String(group.sortOrder),
  });
  const [{ fetching, error }, update] = useMutation(UpdateGroupDocument);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const { data } = await update({ input: { groupId: group.id, ...inputOf(values) } });
    if (data?.updateAudienceGroup) {
      close();
      notify(t('drafts.stored'));
      reload();
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Group align="flex-end">
        <GroupFields values={values} change={setValues} error={error} />
        <Button type="submit" loading={fetching}>
          {t('action.save')}
        </Button>
        <Button variant="default" onClick={close}>
          {t('action.cancel')}
        </Button>
      </Group>
      <RefusalAlert error={error} fields={fields} />
    </form>
  );
}
