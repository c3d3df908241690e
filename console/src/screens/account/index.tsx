import { Badge, Button, Group, PasswordInput, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useMutation } from 'urql';
import {
  AccountDocument,
  type AccountQuery,
  ChangePasswordDocument,
  EndSessionDocument,
} from '../../graph/account/graphql';
import { useTranslator } from '../../i18n';
import { fieldProblem } from '../../problemText';
import { useNotice } from '../../ui/notice';
import { Panel } from '../../ui/panel';
import { RefusalAlert } from '../../ui/refusalAlert';
import { EmptyState, Screen, useScreen } from '../../ui/screen';
import { useAction } from '../../ui/useAction';
import { agentName } from './agentName';
import { MailPanel } from './mailPanel';
import { SecondFactor } from './secondFactor';

/** The signed-in user's own password and sessions. */
export default function Account() {
  const { t, name } = useTranslator();
  const result = useScreen(AccountDocument, {});
  return (
    <Screen
      title={t('account.title')}
      lead={
        result.data?.viewer?.role &&
        `${result.data.viewer.user?.name ?? ''} · ${name('role', result.data.viewer.role)}`
      }
      result={result}
    >
      {({ viewer }) =>
        viewer?.user ? (
          <Stack gap="lg">
            <Panel title={t('account.password')}>
              <PasswordForm reload={result.retry} />
            </Panel>
            <Panel title={t('factor.title')}>
              <SecondFactor factor={viewer.secondFactor} reload={result.retry} />
            </Panel>
            {viewer.mailSettings && (
              <MailPanel settings={viewer.mailSettings} reload={result.retry} />
            )}
            <Panel title={t('account.sessions')}>
              <SessionList rows={viewer.sessions ?? []} reload={result.retry} />
            </Panel>
          </Stack>
        ) : (
          <EmptyState title={t('account.ofKey')} />
        )
      }
    </Screen>
  );
}

function PasswordForm({ reload }: { reload: () => void }) {
  const { t } = useTranslator();
  const notify = useNotice();
  const [currentPassword, setCurrent] = useState('');
  const [newPassword, setNew] = useState('');
  const [{ fetching, error }, change] = useMutation(ChangePasswordDocument);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const { data } = await change({ input: { currentPassword, newPassword } });
    if (data?.changePassword) {
      setCurrent('');
      setNew('');
      notify(t('account.passwordChanged'));
      reload();
    }
  };
  const toggle = { 'aria-label': t('signin.show') };
  return (
    <form onSubmit={(event) => void submit(event)} noValidate style={{ padding: '1rem' }}>
      <Stack gap="sm" maw={420}>
        <PasswordInput
          autoComplete="current-password"
          label={t('account.currentPassword')}
          value={currentPassword}
          onChange={(event) => setCurrent(event.currentTarget.value)}
          error={fieldProblem(error, 'currentPassword')}
          aria-invalid={fieldProblem(error, 'currentPassword') !== undefined || undefined}
          visibilityToggleButtonProps={toggle}
        />
        <PasswordInput
          autoComplete="new-password"
          label={t('account.newPassword')}
          description={t('entry.passwordHint')}
          value={newPassword}
          onChange={(event) => setNew(event.currentTarget.value)}
          error={fieldProblem(error, 'newPassword')}
          aria-invalid={fieldProblem(error, 'newPassword') !== undefined || undefined}
          visibilityToggleButtonProps={toggle}
        />
        <RefusalAlert error={error} fields={['currentPassword', 'newPassword']} />
        <Button type="submit" loading={fetching} style={{ alignSelf: 'flex-start' }}>
          {t('account.changePassword')}
        </Button>
      </Stack>
    </form>
  );
}

type Session = NonNullable<NonNullable<AccountQuery['viewer']>['sessions']>[number];

function SessionList({ rows, reload }: { rows: readonly Session[]; reload: () => void }) {
  const { t, ago, date } = useTranslator();
  const end = useAction(EndSessionDocument);
  return (
    <ul className="rows">
      {rows.map((session) => (
        <li key={session.id} data-session={session.id}>
          <Group justify="space-between">
            <div>
              <Text fw={550} title={session.agent}>
                {agentName(session.agent) || t('account.unknownAgent')}
              </Text>
              <Text size="sm" c="dimmed">
                {t('account.sessionTimes', {
                  created: date(session.createdAt),
                  seen: ago(session.lastSeenAt),
                })}
              </Text>
            </div>
            {session.isCurrent ? (
              <Badge variant="light">{t('account.thisSession')}</Badge>
            ) : (
              <Button
                size="compact-xs"
                variant="subtle"
                color="red"
                loading={end.fetching}
                onClick={() => void end.run({ sessionId: session.id }).then(reload)}
              >
                {t('account.endSession')}
              </Button>
            )}
          </Group>
        </li>
      ))}
    </ul>
  );
}
