import {
  Alert,
  Button,
  Center,
  Paper,
  PasswordInput,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { type FormEvent, type ReactNode, useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { refusalText, translateFields } from '../errorTranslation';
import { type MessageKey, useTranslator } from '../i18n';
import { Problem } from '../session';
import { codeMissing } from './entry';

/** A page of people who have no session yet. */
export function EntryPage({
  title,
  lead,
  children,
}: {
  title: string;
  lead?: ReactNode;
  children: ReactNode;
}) {
  useEffect(() => {
    document.title = `${title} · Rostrum`;
  }, [title]);
  return (
    <Center component="main" mih="100dvh" p="md">
      <Paper className="panel" p="xl" w="100%" maw={460}>
        <Stack>
          <div>
            <Title order={1} size="h2">
              {title}
            </Title>
            {lead && (
              <Text c="dimmed" mt={4}>
                {lead}
              </Text>
            )}
          </div>
          {children}
        </Stack>
      </Paper>
    </Center>
  );
}

interface EntryField {
  readonly name: string;
  readonly label: MessageKey;
  readonly hint?: MessageKey;
  readonly type?: 'email' | 'password';
  readonly autoComplete?: string;
  readonly autoFocus?: boolean;
  readonly initial?: string;
}

interface EntryFormProps {
  readonly fields: readonly EntryField[];
  readonly submit: string;
  /** Sends the values. It throws a Problem. */
  readonly send: (values: Readonly<Record<string, string>>) => Promise<void>;
  /** Whether sending leads to the console; true if absent. */
  readonly opensConsole?: boolean;
  /** The sentence about refused credentials; the gateway's if absent. */
  readonly refusal?: MessageKey;
}

const codeField: EntryField = {
  name: 'code',
  label: 'signin.code',
  hint: 'signin.codeHint',
  autoComplete: 'one-time-code',
  autoFocus: true,
};

/**
 * A form of somebody without a session; refused fields show their reasons. Who has a second factor is
 * asked for its code.
 */
export function EntryForm({ fields, submit, send, opensConsole = true, refusal }: EntryFormProps) {
  const translator = useTranslator();
  const [, navigate] = useLocation();
  const [values, setValues] = useState<Readonly<Record<string, string>>>(
    Object.fromEntries(fields.map(({ name, initial }) => [name, initial ?? ''])),
  );
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [needsCode, setNeedsCode] = useState(false);
  const run = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    try {
      await send(values);
      if (opensConsole) {
        navigate('/', { replace: true });
      }
    } catch (error) {
      const refused = error instanceof Problem ? error : new Problem('', '', []);
      setNeedsCode(needsCode || refused.code === codeMissing);
      setProblem(refused);
      setBusy(false);
    }
  };
  const reasons = translateFields(translator, problem?.fields ?? []);
  const shown = needsCode ? [...fields, codeField] : fields;
  return (
    <form onSubmit={(event) => void run(event)} noValidate>
      <Stack gap="sm">
        {shown.map((field) => (
          <EntryInput
            key={field.name}
            field={field}
            value={values[field.name] ?? ''}
            error={reasons.find(({ pointer }) => pointer === `#/${field.name}`)?.msg}
            change={(value) => setValues((before) => ({ ...before, [field.name]: value }))}
          />
        ))}
        {problem && !isShownAt(problem, shown) && (
          <Alert color={problem.code === codeMissing ? 'blue' : 'red'} role="alert">
            {refusal && problem.code === 'unauthenticated'
              ? translator.t(refusal)
              : problem.code
                ? refusalText(translator, problem.code, problem.message, reasons)
                : translator.t('state.offlineHint')}
          </Alert>
        )}
        <Button type="submit" loading={isBusy}>
          {submit}
        </Button>
      </Stack>
    </form>
  );
}

/** Reports whether the fields show every reason of the problem. */
function isShownAt(problem: Problem, fields: readonly EntryField[]): boolean {
  const pointers = fields.map(({ name }) => `#/${name}`);
  return (
    problem.fields.length > 0 && problem.fields.every(({ pointer }) => pointers.includes(pointer))
  );
}

function EntryInput({
  field,
  value,
  error,
  change,
}: {
  field: EntryField;
  value: string;
  error: string | undefined;
  change: (value: string) => void;
}) {
  const { t } = useTranslator();
  const shared = {
    label: t(field.label),
    description: field.hint && t(field.hint),
    autoComplete: field.autoComplete ?? 'off',
    autoFocus: field.autoFocus,
    value,
    error,
    onChange: (event: { currentTarget: { value: string } }) => change(event.currentTarget.value),
  };
  return field.type === 'password' ? (
    <PasswordInput
      {...shared}
      aria-invalid={error !== undefined || undefined}
      visibilityToggleButtonProps={{ 'aria-label': t('signin.show') }}
    />
  ) : (
    <TextInput {...shared} type={field.type ?? 'text'} />
  );
}
