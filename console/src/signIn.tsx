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
  TextInput,
  Title,
} from '@mantine/core';
import { type FormEvent, useEffect, useState } from 'react';
import { Link } from 'wouter';
import { codeMissing, needsSetup } from './entry/entry';
import { refusalText, translateFields } from './errorTranslation';
import { type Translator, useTranslator } from './i18n';
import {
  Problem,
  oidcAddress,
  rememberPage,
  sendsMail,
  signInWithKey,
  signInWithPassword,
} from './session';
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
  const translator = useTranslator();
  const { t } = translator;
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [code, setCode] = useState<string | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    try {
      await signInWithPassword(email, password, code ?? '');
    } catch (error) {
      const refused = error instanceof Problem ? error : new Problem('', '', []);
      if (refused.code === codeMissing) {
        setCode((before) => before ?? '');
      }
      setProblem(refused);
      setBusy(false);
    }
  };
  const fieldError = (name: string) =>
    translateFields(translator, problem?.fields ?? []).find(
      (field) => field.pointer === `#/${name}`,
    )?.msg;
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="sm">
        <TextInput
          type="email"
          autoComplete="username"
          label={t('signin.email')}
          value={email}
          onChange={(e) => setEmail(e.currentTarget.value)}
          error={fieldError('email')}
        />
        <PasswordInput
          autoComplete="current-password"
          label={t('signin.password')}
          value={password}
          onChange={(e) => setPassword(e.currentTarget.value)}
          error={fieldError('password')}
          aria-invalid={fieldError('password') !== undefined || undefined}
          visibilityToggleButtonProps={{ 'aria-label': t('signin.show') }}
        />
        {code !== null && (
          <TextInput
            autoFocus
            autoComplete="one-time-code"
            label={t('signin.code')}
            description={t('signin.codeHint')}
            value={code}
            onChange={(e) => setCode(e.currentTarget.value)}
            error={fieldError('code')}
          />
        )}
        {problem && problem.fields.length === 0 && (
          <Alert color={problem.code === codeMissing ? 'blue' : 'red'} role="alert">
            {signInProblem(translator, problem)}
          </Alert>
        )}
        <Button type="submit" loading={busy}>
          {t('signin.submit')}
        </Button>
        {sendsMail && (
          <Anchor component={Link} href="/reset" size="sm">
            {t('signin.forgotten')}
          </Anchor>
        )}
      </Stack>
    </form>
  );
}

/** Returns the sentence about a refused password; without a code the gateway did not respond. */
function signInProblem(translator: Translator, { code, message }: Problem): string {
  if (code === 'unauthenticated') {
    return translator.t('signin.wrong');
  }
  return code ? refusalText(translator, code, message) : translator.t('state.offlineHint');
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
