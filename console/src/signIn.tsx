import {
  Alert,
  Anchor,
  Button,
  Center,
  Divider,
  Paper,
  PasswordInput,
  Stack,
  Text,
  Title,
} from '@mantine/core';
import { type FormEvent, useEffect, useState } from 'react';
import { Link } from 'wouter';
import { needsSetup } from './entry/entry';
import { EntryForm } from './entry/entryForm';
import { useTranslator } from './i18n';
import { oidcAddress, rememberPage, sendsMail, signInWithKey, signInWithPassword } from './session';
import { leaveForSignIn } from './unsavedChanges';

function leave(): void {
  rememberPage();
  leaveForSignIn();
}

/**
 * The sign-in: by password, by the identity provider if there is one, or with a key, which stays in
 * memory. `hasUnsavedText` is about the hidden page.
 */
export default function SignIn({
  code,
  hasUnsavedText,
}: {
  code: string;
  hasUnsavedText: boolean;
}) {
  const { t } = useTranslator();
  useEffect(() => {
    const { title } = document;
    document.title = `${t('signin.title')} · Rostrum`;
    return () => {
      document.title = title;
    };
  }, [t]);
  return (
    <Center component="main" mih="100dvh" p="md">
      <Paper className="panel" p="xl" w="100%" maw={420}>
        <Stack>
          <div>
            <Title order={1} size="h2">
              {t('signin.title')}
            </Title>
            <Text c="dimmed" mt={4}>
              {t('signin.lead')}
            </Text>
          </div>
          {code !== 'unauthenticated' && (
            <Alert color="red">
              {t(code === 'network' ? 'state.offlineHint' : 'signin.refused')}
            </Alert>
          )}
          {hasUnsavedText && <Alert>{t('signin.kept')}</Alert>}
          <SetupOffer />
          <PasswordForm />
          {oidcAddress && (
            <Button component="a" href={oidcAddress} onClick={leave} variant="default">
              {t('signin.oidc')}
            </Button>
          )}
          <Divider label={t('signin.or')} />
          <KeyForm />
        </Stack>
      </Paper>
    </Center>
  );
}

/** Leads to the first run while there is no workspace. */
function SetupOffer() {
  const { t } = useTranslator();
  const [isNeeded, setNeeded] = useState(false);
  useEffect(() => void needsSetup().then(setNeeded), []);
  return (
    isNeeded && (
      <Alert title={t('entry.setupTitle')}>
        <Anchor component={Link} href="/setup">
          {t('entry.setupOffer')}
        </Anchor>
      </Alert>
    )
  );
}

function PasswordForm() {
  const { t } = useTranslator();
  return (
    <>
      <EntryForm
        fields={[
          { name: 'email', label: 'signin.email', type: 'email', autoComplete: 'username' },
          {
            name: 'password',
            label: 'signin.password',
            type: 'password',
            autoComplete: 'current-password',
          },
        ]}
        submit={t('signin.submit')}
        send={({ email = '', password = '', code = '' }) =>
          signInWithPassword(email, password, code)
        }
        opensConsole={false}
        refusal="signin.wrong"
      />
      {sendsMail && (
        <Anchor component={Link} href="/reset" size="sm">
          {t('signin.forgotten')}
        </Anchor>
      )}
    </>
  );
}

/** Keys are printable ASCII; other characters cannot be sent in a header. */
const keyPattern = /^[\x21-\x7e]+$/;

function KeyForm() {
  const { t } = useTranslator();
  const [key, setKey] = useState('');
  const [isWrong, setWrong] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (keyPattern.test(key.trim())) {
      signInWithKey(key.trim());
    } else {
      setWrong(true);
    }
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <PasswordInput
          autoComplete="off"
          label={t('signin.key')}
          description={t('signin.keyHint')}
          placeholder="rsk_…"
          value={key}
          onChange={(e) => {
            setKey(e.currentTarget.value);
            setWrong(false);
          }}
          error={isWrong && t('signin.keyWrong')}
          aria-invalid={isWrong || undefined}
          visibilityToggleButtonProps={{ 'aria-label': t('signin.show') }}
        />
        <Button type="submit" variant="light" disabled={!key.trim()}>
          {t('signin.useKey')}
        </Button>
      </Stack>
    </form>
  );
}
