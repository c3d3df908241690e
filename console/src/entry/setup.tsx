import { useState } from 'react';
import { useTranslator } from '../i18n';
import { secretOfAddress, setUp } from './entry';
import { EntryForm, EntryPage } from './entryForm';

/** Creates the first workspace and its owner, with the token that the server printed. */
export default function Setup() {
  const { t } = useTranslator();
  const [token] = useState(secretOfAddress);
  return (
    <EntryPage title={t('entry.setupTitle')} lead={t('entry.setupLead')}>
      <EntryForm
        fields={[
          { name: 'workspace', label: 'entry.workspace', autoComplete: 'organization' },
          { name: 'name', label: 'members.name', autoComplete: 'name' },
          { name: 'email', label: 'signin.email', type: 'email', autoComplete: 'username' },
          {
            name: 'password',
            label: 'signin.password',
            hint: 'entry.passwordHint',
            type: 'password',
            autoComplete: 'new-password',
          },
          { name: 'token', label: 'entry.token', hint: 'entry.tokenHint', initial: token },
        ]}
        submit={t('entry.setup')}
        send={setUp}
      />
    </EntryPage>
  );
}
