import {
  Alert,
  Button,
  Code,
  CopyButton,
  Group,
  PasswordInput,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useMutation } from 'urql';
import {
  type AccountQuery,
  ConfirmSecondFactorDocument,
  RemoveSecondFactorDocument,
  RenewRecoveryCodesDocument,
  StartSecondFactorDocument,
} from '../../graph/account/graphql';
import { useTranslator } from '../../i18n';
import { fieldProblem } from '../../problemText';
import { imageAddress } from '../../ui/imageAddress';
import { useNotice } from '../../ui/notice';
import { RefusalAlert } from '../../ui/refusalAlert';

type Factor = NonNullable<AccountQuery['viewer']>['secondFactor'];

/** Turns the second factor of the signed-in user on and off; recovery codes are shown once. */
export function SecondFactor({ factor, reload }: { factor: Factor; reload: () => void }) {
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const show = (made: readonly string[]) => {
    setCodes(made);
    reload();
  };
  return (
    <Stack p="md" maw={460}>
      {codes && <RecoveryCodes codes={codes} close={() => setCodes(null)} />}
      {factor ? (
        <FactorIsOn factor={factor} show={show} reload={reload} />
      ) : (
        !codes && <FactorIsOff show={show} />
      )}
    </Stack>
  );
}

/** Shows new codes to keep. */
function RecoveryCodes({ codes, close }: { codes: readonly string[]; close: () => void }) {
  const { t } = useTranslator();
  return (
    <Alert
      color="green"
      title={t('factor.codes')}
      withCloseButton
      closeButtonLabel={t('action.close')}
      onClose={close}
    >
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{t('factor.codesHint')}</Text>
        <Code block data-secret>
          {codes.join('\n')}
        </Code>
        <CopyButton value={codes.join('\n')}>
          {({ copied, copy }) => (
            <Button size="compact-sm" variant="default" onClick={copy}>
              {t(copied ? 'action.copied' : 'action.copy')}
            </Button>
          )}
        </CopyButton>
      </Stack>
    </Alert>
  );
}

/** Asks for the password, then for a code of the app that has scanned the secret. */
function FactorIsOff({ show }: { show: (codes: readonly string[]) => void }) {
  const { t } = useTranslator();
  const [currentPassword, setCurrent] = useState('');
  const [{ data, fetching, error }, start] = useMutation(StartSecondFactorDocument);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void start({ currentPassword });
  };
  if (data?.startSecondFactor) {
    return <AppForm made={data.startSecondFactor} show={show} />;
  }
  const problem = fieldProblem(error, 'currentPassword');
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        <Text size="sm">{t('factor.offHint')}</Text>
        <PasswordInput
          autoComplete="current-password"
          label={t('factor.password')}
          value={currentPassword}
          onChange={(event) => setCurrent(event.currentTarget.value)}
          error={problem}
          aria-invalid={problem !== undefined || undefined}
          visibilityToggleButtonProps={{ 'aria-label': t('signin.show') }}
        />
        <RefusalAlert error={error} fields={['currentPassword']} />
        <Button type="submit" loading={fetching} style={{ alignSelf: 'flex-start' }}>
          {t('factor.setUp')}
        </Button>
      </Stack>
    </form>
  );
}

function AppForm({
  made,
  show,
}: {
  made: { secret: string; qrCode: string };
  show: (codes: readonly string[]) => void;
}) {
  const { t } = useTranslator();
  const [code, setCode] = useState('');
  const [{ fetching, error }, confirm] = useMutation(ConfirmSecondFactorDocument);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const { data } = await confirm({ code });
    if (data?.confirmSecondFactor) {
      show(data.confirmSecondFactor.recoveryCodes);
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="sm">
        <Text size="sm">{t('factor.scan')}</Text>
        <img src={imageAddress(made.qrCode)} alt={t('factor.qrCode')} width={176} height={176} />
        <Code data-secret style={{ overflowWrap: 'anywhere' }}>
          {made.secret}
        </Code>
        <CodeInput code={code} change={setCode} error={fieldProblem(error, 'code')} />
        <RefusalAlert error={error} fields={['code']} />
        <Button type="submit" loading={fetching} style={{ alignSelf: 'flex-start' }}>
          {t('factor.turnOn')}
        </Button>
      </Stack>
    </form>
  );
}

function CodeInput({
  code,
  change,
  error,
}: {
  code: string;
  change: (code: string) => void;
  error: string | undefined;
}) {
  const { t } = useTranslator();
  return (
    <TextInput
      autoComplete="one-time-code"
      label={t('signin.code')}
      description={t('signin.codeHint')}
      value={code}
      onChange={(event) => change(event.currentTarget.value)}
      error={error}
    />
  );
}

/** Makes new recovery codes, or turns the second factor off, with a code. */
function FactorIsOn({
  factor,
  show,
  reload,
}: {
  factor: NonNullable<Factor>;
  show: (codes: readonly string[]) => void;
  reload: () => void;
}) {
  const { t, date } = useTranslator();
  const notify = useNotice();
  const [code, setCode] = useState('');
  const [renewal, renew] = useMutation(RenewRecoveryCodesDocument);
  const [removal, remove] = useMutation(RemoveSecondFactorDocument);
  const [error, setError] = useState(removal.error);
  const renewCodes = async () => {
    const result = await renew({ code });
    setError(result.error);
    if (result.data?.renewRecoveryCodes) {
      setCode('');
      show(result.data.renewRecoveryCodes.recoveryCodes);
    }
  };
  const turnOff = async () => {
    const result = await remove({ code });
    setError(result.error);
    if (result.data?.removeSecondFactor) {
      notify(t('factor.turnedOff'));
      reload();
    }
  };
  return (
    <Stack gap="sm">
      <Text size="sm">
        {t('factor.on', { date: date(factor.confirmedAt) })}{' '}
        {t('factor.codesLeft', { count: factor.recoveryCodesLeft })}
      </Text>
      <CodeInput code={code} change={setCode} error={fieldProblem(error, 'code')} />
      <RefusalAlert error={error} fields={['code']} />
      <Group gap="xs">
        <Button
          variant="default"
          disabled={!code}
          loading={renewal.fetching}
          onClick={() => void renewCodes()}
        >
          {t('factor.renew')}
        </Button>
        <Button
          variant="light"
          color="red"
          disabled={!code}
          loading={removal.fetching}
          onClick={() => void turnOff()}
        >
          {t('factor.turnOff')}
        </Button>
      </Group>
    </Stack>
  );
}
