import { Alert, Stack, Text } from '@mantine/core';
import { useMutation } from 'urql';
import { useLocation } from 'wouter';
import {
  ConfirmPersonaDocument,
  DeletePersonaDocument,
  UpdatePersonaDocument,
} from '../../graph/persona/graphql';
import { useTranslator } from '../../i18n';
import { ConfirmedButton } from '../../ui/confirmedButton';
import { EditForm, EditPanel } from '../../ui/editForm';
import { GuardedButton } from '../../ui/guardedButton';
import { useNotice } from '../../ui/notice';
import {
  PersonaFields,
  type PersonaValue,
  changedFields,
  isSamePersona,
  textFields,
  usageFields,
} from '../../ui/personaFields';
import { useAction } from '../../ui/useAction';
import { useFormState } from '../../ui/useFormState';
import { discardUnsaved } from '../../unsavedChanges';
import type { PersonaDetails } from './persona';

interface ProfileProps {
  readonly persona: PersonaDetails;
  readonly mayWrite: boolean | undefined;
}

/** What a persona is: shown, or edited in its place. */
export function Profile({ persona, mayWrite }: ProfileProps) {
  const { t } = useTranslator();
  return (
    <EditPanel
      title={t('persona.about')}
      mayWrite={mayWrite}
      note={persona.draftedByModel && <Unconfirmed persona={persona} mayWrite={mayWrite} />}
      facts={<Facts persona={persona} />}
      form={(close) => <ProfileForm key={persona.id} persona={persona} close={close} />}
    />
  );
}

/** Says that a model wrote the fields, until a person has confirmed them. */
function Unconfirmed({ persona, mayWrite }: ProfileProps) {
  const { t } = useTranslator();
  const confirm = useAction(ConfirmPersonaDocument);
  return (
    <Alert color="orange" m="md" title={t('persona.drafted')}>
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{t('persona.draftedHint')}</Text>
        <GuardedButton
          allowed={mayWrite}
          size="xs"
          variant="light"
          loading={confirm.fetching}
          onClick={() => void confirm.run({ personaId: persona.id })}
        >
          {t('persona.confirm')}
        </GuardedButton>
      </Stack>
    </Alert>
  );
}

function Facts({ persona }: { persona: PersonaDetails }) {
  const { t } = useTranslator();
  const texts = textFields.filter((field) => field !== 'name' && persona[field]);
  return (
    <Stack gap="sm" p="md">
      {texts.map((field) => (
        <div key={field}>
          <Text size="xs" c="dimmed" fw={600}>
            {t(`persona.${field}`)}
          </Text>
          <Text size="sm" dir="auto">
            {persona[field]}
          </Text>
        </div>
      ))}
      <Text size="xs" c="dimmed">
        {[
          persona.isActive ? null : t('persona.inactive'),
          ...usageFields
            .filter((field) => field !== 'isActive' && persona[field])
            .map((field) => t(`persona.${field}`)),
        ]
          .filter(Boolean)
          .join(' · ')}
      </Text>
    </Stack>
  );
}

function ProfileForm({ persona, close }: { persona: PersonaDetails; close: () => void }) {
  const { t } = useTranslator();
  const stored = { value: persona, updatedAt: persona.updatedAt };
  const form = useFormState<PersonaValue>(stored, isSamePersona);
  const [{ fetching, error }, update] = useMutation(UpdatePersonaDocument);
  const save = async () => {
    const changes = changedFields(form.value, form.base.value);
    const { data } = await update({ input: { personaId: persona.id, ...changes } });
    return Boolean(data?.updatePersona);
  };
  return (
    <EditForm
      form={form}
      stored={stored}
      labels={textFields.map((field) => [field, t(`persona.${field}`)] as const)}
      error={error}
      fields={textFields}
      isSaving={fetching}
      save={save}
      saved={t('persona.saved')}
      close={close}
      actions={<Removal persona={persona} />}
    >
      <PersonaFields
        value={form.value}
        change={(change) => form.change((before) => ({ ...before, ...change }))}
        error={error}
      />
    </EditForm>
  );
}

function Removal({ persona }: { persona: PersonaDetails }) {
  const { t } = useTranslator();
  const notify = useNotice();
  const [, navigate] = useLocation();
  const remove = useAction(DeletePersonaDocument);
  const erase = async () => {
    if (await remove.run({ personaId: persona.id })) {
      discardUnsaved();
      notify(t('persona.deleted'));
      navigate('/personas');
    }
  };
  return (
    <ConfirmedButton
      size="xs"
      variant="subtle"
      color="red"
      loading={remove.fetching}
      subject={persona.id}
      action={t('action.delete')}
      question={t('action.deleteQuestion', { name: persona.name })}
      run={erase}
    />
  );
}
