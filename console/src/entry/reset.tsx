import { Alert, Anchor } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import { useTranslator } from '../i18n';
import { forgetPassword, secretOfAddress, setPasswordByLink } from './entry';
import { EntryForm, EntryPage } from './entryForm';

/** Sets a new password by a link that an owner made or that was mailed, or mails such a link. */
export default function Reset() {
  const { t } = useTranslator();
  const [secret, setSecret] = useState(secretOfAddress);
  useEffect(() => {
    const read = () => setSecret(secretOfAddress());
    window.addEventListener('hashchange', read);
    return () => window.removeEventListener('hashchange', read);
  }, []);
  if (!secret) {
    return <Forgotten />;
  }
  return (
    <EntryPage title={t('entry.resetTitle')} lead={t('entry.resetLead')}>
      <EntryForm
        fields={[
          {
            name: 'password',
            label: 'account.newPassword',
            hint: 'entry.passwordHint',
            type: 'password',
            autoComplete: 'new-password',
          },
        ]}
        submit={t('entry.reset')}
        send={(values) => setPasswordByLink(secret, values)}
      />
    </EntryPage>
  );
}

/** Mails a link for a new password; the answer does not tell whether there is such a user. */
function Forgotten() {
  const { t } = useTranslator();
  const [asked, setAsked] = useState<string | null>(null);
  return (
    <EntryPage title={t('signin.forgotten')}>
      {asked === null ? (
        <EntryForm
          fields={[
            { name: 'email', label: 'signin.email', type: 'email', autoComplete: 'username' },
          ]}
          submit={t('members.mailLink')}
          send={({ email = '' }) => forgetPassword(email).then(() => setAsked(email))}
          opensConsole={false}
        />
      ) : (
        <Alert role="status">{t('entry.forgottenSent', { email: asked })}</Alert>
      )}
      <Anchor component={Link} href="/">
        {t('signin.title')}
      </Anchor>
    </EntryPage>
  );
}
