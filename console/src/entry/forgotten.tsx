import { Alert, Anchor } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import { useTranslator } from '../i18n';
import { forgetPassword } from './entry';
import { EntryForm, EntryPage } from './entryForm';

/** Mails a link for a new password; the answer does not tell whether there is such a user. */
export default function Forgotten() {
  const { t } = useTranslator();
  const [asked, setAsked] = useState<string | null>(null);
  return (
    <EntryPage title={t('signin.forgotten')}>
      {asked === null ? (
        <EntryForm
          fields={[
            { name: 'email', label: 'signin.email', type: 'email', autoComplete: 'username' },
          ]}
          submit={t('entry.forgotten')}
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
