import { NativeSelect, NumberInput, PasswordInput, SimpleGrid, TextInput } from '@mantine/core';
import type { CombinedError } from 'urql';
import type { MailboxSecurity } from '../graph/sources/graphql';
import { useTranslator } from '../i18n';
import { fieldProblem } from '../problemText';

const securities: readonly MailboxSecurity[] = ['TLS', 'STARTTLS', 'NONE'];

/** What is asked of a mailbox. */
export interface MailboxValues {
  readonly host: string;
  readonly port: number;
  readonly username: string;
  /** Empty keeps the stored one. */
  readonly password: string;
  readonly folder: string;
  readonly security: MailboxSecurity;
}

export const newMailbox: MailboxValues = {
  host: '',
  port: 993,
  username: '',
  password: '',
  folder: 'INBOX',
  security: 'TLS',
};

/** The fields of the input that show their own reasons. */
export const mailboxFieldNames = [
  ...(['host', 'port', 'username', 'password', 'folder', 'security'] as const),
].map((name) => `mailbox/${name}`);

const usualPort = (security: MailboxSecurity) => (security === 'TLS' ? 993 : 143);

interface FieldsProps {
  readonly values: MailboxValues;
  readonly change: (values: Partial<MailboxValues>) => void;
  readonly error: CombinedError | undefined;
  readonly isReadOnly: boolean;
  /** Whether a password is stored, which an empty field keeps. */
  readonly hasPassword?: boolean;
}

/** The fields of a mailbox. A password is only sent, never shown. */
export function MailboxFields(props: FieldsProps) {
  const { values, change, error, isReadOnly, hasPassword = false } = props;
  const { t, name } = useTranslator();
  const field = (key: 'host' | 'username' | 'password' | 'folder') => ({
    value: values[key],
    readOnly: isReadOnly,
    error: fieldProblem(error, `mailbox/${key}`),
    onChange: (event: { currentTarget: { value: string } }) =>
      change({ [key]: event.currentTarget.value }),
  });
  const choose = (security: MailboxSecurity) =>
    change({
      security,
      port: values.port === usualPort(values.security) ? usualPort(security) : values.port,
    });
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <TextInput label={t('mailbox.host')} placeholder="imap.example.com" {...field('host')} />
      <NumberInput
        label={t('mailbox.port')}
        min={1}
        max={65535}
        allowDecimal={false}
        value={values.port}
        readOnly={isReadOnly}
        onChange={(port) => change({ port: Number(port) })}
        error={fieldProblem(error, 'mailbox/port')}
      />
      <TextInput label={t('mailbox.username')} autoComplete="off" {...field('username')} />
      <PasswordInput
        label={t('mailbox.password')}
        description={t(hasPassword ? 'mailbox.passwordKept' : 'mailbox.passwordHint')}
        autoComplete="new-password"
        aria-invalid={fieldProblem(error, 'mailbox/password') !== undefined || undefined}
        visibilityToggleButtonProps={{ 'aria-label': t('signin.show') }}
        {...field('password')}
      />
      <TextInput label={t('mailbox.folder')} {...field('folder')} />
      <NativeSelect
        label={t('mailbox.security')}
        value={values.security}
        disabled={isReadOnly}
        onChange={(event) => choose(event.currentTarget.value as MailboxSecurity)}
        error={fieldProblem(error, 'mailbox/security')}
        data={securities.map((value) => ({ value, label: name('mailboxSecurity', value) }))}
      />
    </SimpleGrid>
  );
}
