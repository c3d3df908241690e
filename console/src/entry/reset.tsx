import { useState } from 'react';
import { useTranslator } from '../i18n';
import { secretOfAddress, setPasswordByLink } from './entry';
import { EntryForm, EntryPage } from './entryForm';

/** Sets a new password by a link that an owner made. */
export default function Reset() {
  const { t } = useTranslator();
  const [secret] = useState(secretOfAddress);
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
        send={({ password = '' }) => setPasswordByLink(secret, password)}
      />
    </EntryPage>
  );
}
