import { Alert } from '@mantine/core';
import { useEffect, useState } from 'react';
import { refusalText } from '../errorTranslation';
import { useTranslator } from '../i18n';
import { Problem } from '../session';
import { type OpenInvite, acceptInvite, readInvite, secretOfAddress } from './entry';
import { EntryForm, EntryPage } from './entryForm';

/** Accepts an invite: a new person chooses name and password, another proves the account. */
export default function Invite() {
  const translator = useTranslator();
  const { t, name } = translator;
  const [secret] = useState(secretOfAddress);
  const [invite, setInvite] = useState<OpenInvite | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  useEffect(() => {
    readInvite(secret).then(setInvite, (error: unknown) =>
      setProblem(error instanceof Problem ? error : new Problem('', '', [])),
    );
  }, [secret]);
  if (problem) {
    return (
      <EntryPage title={t('entry.inviteTitle')}>
        <Alert color="red" role="alert">
          {problem.code === 'not_found'
            ? t('entry.inviteGone')
            : problem.code
              ? refusalText(translator, problem.code, problem.message, problem.fields)
              : t('state.offlineHint')}
        </Alert>
      </EntryPage>
    );
  }
  if (!invite) {
    return <EntryPage title={t('state.loading')}>{null}</EntryPage>;
  }
  const role = name('role', invite.role.toUpperCase());
  return (
    <EntryPage
      title={t('entry.joinTitle', { name: invite.workspace })}
      lead={t(invite.has_account ? 'entry.joinKnown' : 'entry.joinNew', {
        email: invite.email,
        role,
      })}
    >
      <EntryForm
        fields={[
          ...(invite.has_account
            ? []
            : [
                {
                  name: 'name',
                  label: 'members.name',
                  autoComplete: 'name',
                  initial: invite.name,
                } as const,
              ]),
          {
            name: 'password',
            label: 'signin.password',
            hint: invite.has_account ? 'entry.knownHint' : 'entry.passwordHint',
            type: 'password',
            autoComplete: invite.has_account ? 'current-password' : 'new-password',
          },
        ]}
        submit={t('entry.join')}
        send={(values) => acceptInvite(invite, { secret, ...values })}
      />
    </EntryPage>
  );
}
