import { Checkbox, Group, NativeSelect, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useMutation } from 'urql';
import { InviteMemberDocument, type Role } from '../../graph/members/graphql';
import { useTranslator } from '../../i18n';
import { fieldProblem } from '../../problemText';
import { useMay } from '../../liveUpdates';
import { sendsMail } from '../../session';
import { GuardedButton } from '../../ui/guardedButton';
import { RefusalAlert } from '../../ui/refusalAlert';
import { roles } from './roles';
import type { NewLink } from './shownLink';

/** The form that invites a person; its answer has the link. */
export function InviteForm({ show }: { show: (made: NewLink) => void }) {
  const { t, name } = useTranslator();
  const [email, setEmail] = useState('');
  const [person, setPerson] = useState('');
  const [role, setRole] = useState<Role>('EDITOR');
  const [isMailed, setMailed] = useState(sendsMail);
  const mayManage = useMay('MANAGE');
  const [{ fetching, error }, invite] = useMutation(InviteMemberDocument);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const { data } = await invite({ input: { email, name: person, role, sendMail: isMailed } });
    if (data?.inviteMember) {
      setEmail('');
      setPerson('');
      const { invite: made, link } = data.inviteMember;
      show({ person: made.email, address: link, isMailed });
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)} className="panel card" noValidate>
      <Group align="flex-start">
        <TextInput
          type="email"
          label={t('signin.email')}
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
          error={fieldProblem(error, 'email')}
          style={{ flex: '2 1 14rem' }}
        />
        <TextInput
          label={t('members.name')}
          value={person}
          onChange={(event) => setPerson(event.currentTarget.value)}
          error={fieldProblem(error, 'name')}
          style={{ flex: '1 1 10rem' }}
        />
        <NativeSelect
          label={t('members.role')}
          value={role}
          onChange={(event) => setRole(event.currentTarget.value as Role)}
          data={roles.map((one) => ({ value: one, label: name('role', one) }))}
          error={fieldProblem(error, 'role')}
        />
        <GuardedButton
          allowed={mayManage}
          reason="guard.MANAGE"
          type="submit"
          loading={fetching}
          mt={25}
        >
          {t('members.invite')}
        </GuardedButton>
      </Group>
      <Text size="sm" c="dimmed">
        {name('roleHint', role)}
      </Text>
      {sendsMail && (
        <Checkbox
          label={t('members.mailLink')}
          checked={isMailed}
          onChange={(event) => setMailed(event.currentTarget.checked)}
        />
      )}
      <RefusalAlert error={error} fields={['email', 'name', 'role']} />
    </form>
  );
}
