import {
  Alert,
  Anchor,
  Badge,
  Group,
  Progress,
  SimpleGrid,
  Stack,
  Table,
  Text,
} from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import { failureCode, mayBeRefused } from '../../client';
import {
  SettingsDocument,
  SettingsOfMemberDocument,
  type SettingsOfMemberQuery,
  type SettingsQuery,
} from '../../graph/settings/graphql';
import { useTranslator } from '../../i18n';
import { useFrame } from '../../liveUpdates';
import { rememberedScopes } from '../../session';
import { EmptyPage, PageLinks, usePageCursor } from '../../ui/pageLinks';
import { Panel } from '../../ui/panel';
import { EmptyState, Screen, useScreen } from '../../ui/screen';
import { ScreenLink } from '../../ui/screenLink';
import { ApiKeys } from './apiKeys';
import { BrandForm } from './brandForm';
import { WorkspaceForm } from './workspaceForm';

type Workspace = NonNullable<NonNullable<SettingsQuery['viewer']>['workspace']>;
type MemberData = SettingsOfMemberQuery;
type MemberWorkspace = NonNullable<NonNullable<MemberData['viewer']>['workspace']>;

/**
 * The workspace: members, keys, budget, audit log, and how to use its API. A viewer without the
 * scope admin gets the parts that need none. The scopes may be unknown on a first screen or out of
 * date; a response that contradicts them is followed by the other request.
 */
export default function Settings() {
  const scopes = useFrame()?.viewer?.scopes ?? rememberedScopes();
  const [isAdmin, setAdmin] = useState(scopes?.includes('ADMIN') ?? true);
  return isAdmin ? (
    <AdminSettings deny={() => setAdmin(false)} />
  ) : (
    <MemberSettings admit={() => setAdmin(true)} />
  );
}

/** Returns the cursors of the lists that every viewer may see. */
const useListCursors = () => ({
  membersAfter: usePageCursor('membersAfter'),
  ledgerAfter: usePageCursor('ledgerAfter'),
});

function AdminSettings({ deny }: { deny: () => void }) {
  const { t, name } = useTranslator();
  const cursors = {
    ...useListCursors(),
    keysAfter: usePageCursor('keysAfter'),
    auditAfter: usePageCursor('auditAfter'),
  };
  // The scopes may not be known yet.
  const result = useScreen(SettingsDocument, cursors, mayBeRefused);
  const workspace = result.data?.viewer?.workspace;
  const code = failureCode(result);
  useEffect(() => {
    if (code === 'insufficient_scope') {
      deny();
    }
  }, [code, deny]);
  return (
    <Screen
      title={t('nav.settings')}
      lead={workspace && `${workspace.name} · ${name('plan', workspace.plan)}`}
      result={result}
    >
      {(data) =>
        workspace && (
          <Stack gap="lg">
            <WorkspaceForm
              key={`${workspace.name} ${workspace.marketLanguage} ${workspace.defaultVisibility} ${workspace.requiredHouseScore}`}
              stored={workspace}
            />
            {workspace.brand && (
              <BrandForm
                key={JSON.stringify(workspace.brand)}
                stored={workspace.brand}
                reload={result.retry}
              />
            )}
            <ApiKeys page={workspace.keys} reload={result.retry} />
            <Figures workspace={workspace} data={data} usage={data.keyUsage ?? []} />
            <AuditLog workspace={workspace} />
          </Stack>
        )
      }
    </Screen>
  );
}

function MemberSettings({ admit }: { admit: () => void }) {
  const { t, name } = useTranslator();
  const result = useScreen(SettingsOfMemberDocument, useListCursors());
  const workspace = result.data?.viewer?.workspace;
  const mayAll = result.data?.viewer?.scopes.includes('ADMIN');
  useEffect(() => {
    if (mayAll) {
      admit();
    }
  }, [mayAll, admit]);
  return (
    <Screen
      title={t('nav.settings')}
      lead={workspace && `${workspace.name} · ${name('plan', workspace.plan)}`}
      result={result}
    >
      {(data) =>
        workspace && (
          <Stack gap="lg">
            <Alert color="gray" icon={<IconLock aria-hidden />} title={t('state.denied')}>
              {t('settings.adminOnly')} {t('guard.admin')}
            </Alert>
            <Figures workspace={workspace} data={data} usage={[]} />
          </Stack>
        )
      }
    </Screen>
  );
}

type Usage = NonNullable<SettingsQuery['keyUsage']>;

function Figures({
  workspace,
  data,
  usage,
}: {
  workspace: MemberWorkspace | Workspace;
  data: Pick<MemberData, 'limits'>;
  usage: Usage;
}) {
  return (
    <>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
        <Stack gap="lg">
          <Members workspace={workspace} />
          <Budget workspace={workspace} />
          <Ledger workspace={workspace} />
        </Stack>
        <Api limits={data.limits} usage={usage} />
      </SimpleGrid>
      <Models workspace={workspace} />
    </>
  );
}

function Members({ workspace }: { workspace: MemberWorkspace | Workspace }) {
  const { t, name, date } = useTranslator();
  const members = (workspace.members?.nodes ?? []).map(({ user, ...member }) => ({
    ...member,
    name: user?.name,
    email: (user as { email?: string } | null)?.email,
  }));
  return (
    <Panel title={t('settings.members')}>
      {members.length === 0 ? (
        <EmptyPage
          name="membersAfter"
          title={t('settings.noMembers')}
          hint={t('members.noneHint')}
        />
      ) : (
        <ul className="rows">
          {members.map((member) => (
            <li key={member.id}>
              <Group justify="space-between">
                <div>
                  <Text fw={550} dir="auto">
                    {member.name || member.email}
                  </Text>
                  <Text size="sm" c="dimmed">
                    {[member.email, date(member.joinedAt)].filter(Boolean).join(' · ')}
                  </Text>
                </div>
                <Badge variant="light">{name('role', member.role)}</Badge>
              </Group>
            </li>
          ))}
        </ul>
      )}
      <PageLinks name="membersAfter" page={workspace.members?.pageInfo} />
    </Panel>
  );
}

function Budget({ workspace }: { workspace: MemberWorkspace }) {
  const { t, number, date } = useTranslator();
  const budget = workspace.runBudget;
  return (
    <Panel title={t('settings.budget')}>
      <Stack p="md" gap="xs">
        <div className="figure">{number(budget.remaining)}</div>
        <Progress
          value={(100 * budget.used) / Math.max(1, budget.limit)}
          aria-label={t('settings.budget')}
        />
        <Text size="sm" c="dimmed">
          {t('home.budgetUsed', { used: number(budget.used), limit: number(budget.limit) })}
          {budget.resetsAt && ` · ${t('settings.resets', { date: date(budget.resetsAt) })}`}
        </Text>
        <Text size="sm">
          {t('settings.model')} <code>{workspace.defaultModel}</code>
        </Text>
      </Stack>
    </Panel>
  );
}

function Ledger({ workspace }: { workspace: MemberWorkspace }) {
  const { t, text, name, number, ago } = useTranslator();
  const entries = workspace.runBudget.entries?.nodes ?? [];
  return (
    <Panel title={t('settings.ledger')}>
      {entries.length === 0 ? (
        <EmptyPage name="ledgerAfter" title={t('settings.noRuns')} />
      ) : (
        <ul className="rows">
          {entries.map(({ id, operation, runs, state, createdAt, job }) => (
            <li key={id}>
              <Group justify="space-between" wrap="nowrap">
                <div style={{ minInlineSize: 0 }}>
                  <Text size="sm" truncate>
                    {text('operation', operation)}
                    {job?.document && (
                      <>
                        {' · '}
                        <Anchor
                          component={Link}
                          href={`/documents/${job.document.id}`}
                          size="sm"
                          underline="always"
                        >
                          {job.document.title}
                        </Anchor>
                      </>
                    )}
                  </Text>
                  <Text size="xs" c="dimmed">
                    {ago(createdAt)} · {name('run', state)}
                  </Text>
                </div>
                <Badge variant="light">{number(runs)}</Badge>
              </Group>
            </li>
          ))}
        </ul>
      )}
      <PageLinks name="ledgerAfter" page={workspace.runBudget.entries?.pageInfo} />
    </Panel>
  );
}

function Api({ limits: found, usage }: { limits: MemberData['limits']; usage: Usage }) {
  const { t, text, number } = useTranslator();
  const limits = Object.entries(found ?? {}).filter(
    (row): row is [string, number] => typeof row[1] === 'number',
  );
  return (
    <Panel title={t('settings.api')}>
      <Stack p="md" gap="sm">
        <Group gap="md">
          <Anchor href="/playground">GraphiQL</Anchor>
          <Anchor href="/docs">REST</Anchor>
          <Anchor href="/redoc">Redoc</Anchor>
          <ScreenLink to="/operations">{t('apps.title')}</ScreenLink>
          <ScreenLink to="/bulk">{t('bulkFiles.title')}</ScreenLink>
        </Group>
        <Table>
          <Table.Caption>{t('settings.limits')}</Table.Caption>
          <Table.Tbody>
            {limits.map(([limit, value]) => (
              <Table.Tr key={limit}>
                <Table.Th scope="row" fw={400}>
                  {text('limit', limit)}
                </Table.Th>
                <Table.Td ta="end">{number(value)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        <Text size="sm" fw={600}>
          {t('settings.deprecated')}
        </Text>
        {usage.length === 0 ? (
          <Text size="sm" c="dimmed">
            {t('settings.noDeprecated')}
          </Text>
        ) : (
          usage.map((row) => (
            <Text size="sm" key={row.keyId + row.field}>
              <code>{row.field}</code> · {row.key?.name} · {number(row.requests)}
            </Text>
          ))
        )}
      </Stack>
    </Panel>
  );
}

function Models({ workspace }: { workspace: MemberWorkspace }) {
  const { t, number, amount } = useTranslator();
  const totals = workspace.modelTotals ?? [];
  return (
    <Panel title={t('settings.models')}>
      {totals.length === 0 ? (
        <EmptyState title={t('settings.noModels')} hint={t('settings.noModelsHint')} />
      ) : (
        <div className="wide" tabIndex={0} role="group" aria-label={t('settings.models')}>
          <Table verticalSpacing="xs" horizontalSpacing="md">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('settings.modelName')}</Table.Th>
                {(
                  ['modelCalls', 'modelFailed', 'modelRead', 'modelWritten', 'modelCost'] as const
                ).map((column) => (
                  <Table.Th key={column} ta="end">
                    {t(`settings.${column}`)}
                  </Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {totals.map((total) => (
                <Table.Tr key={`${total.provider} ${total.model}`}>
                  <Table.Th scope="row" fw={400}>
                    <code>{total.model}</code>{' '}
                    <Text span size="sm" c="dimmed">
                      {total.provider}
                    </Text>
                  </Table.Th>
                  <Table.Td ta="end">{number(total.calls)}</Table.Td>
                  <Table.Td ta="end">{number(total.failedCalls)}</Table.Td>
                  <Table.Td ta="end">{number(total.promptTokens)}</Table.Td>
                  <Table.Td ta="end">{number(total.answerTokens)}</Table.Td>
                  <Table.Td ta="end">
                    {total.cost == null ? t('settings.noPrice') : amount(total.cost)}
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </div>
      )}
    </Panel>
  );
}

function AuditLog({ workspace }: { workspace: Workspace }) {
  const { t, text, dateTime, name } = useTranslator();
  const entries = workspace.auditEntries?.nodes ?? [];
  return (
    <Panel title={t('settings.audit')}>
      <div className="wide" tabIndex={0} role="group" aria-label={t('settings.audit')}>
        <Table verticalSpacing="xs" horizontalSpacing="md">
          <Table.Tbody>
            {entries.map((entry) => (
              <Table.Tr key={entry.id}>
                <Table.Td style={{ whiteSpace: 'nowrap' }}>{dateTime(entry.at)}</Table.Td>
                <Table.Td>{text('audit', entry.action)}</Table.Td>
                <Table.Td>{entry.actor?.name ?? name('actor', entry.actorKind)}</Table.Td>
                <Table.Td>
                  <code>{entry.subjectId}</code>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
      {entries.length === 0 && <EmptyPage name="auditAfter" title={t('settings.noAudit')} />}
      <PageLinks name="auditAfter" page={workspace.auditEntries?.pageInfo} />
    </Panel>
  );
}
