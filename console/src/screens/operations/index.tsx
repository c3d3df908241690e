import { Group, Table, Text } from '@mantine/core';
import {
  OperationsDocument,
  type OperationsQuery,
  RetireAppVersionDocument,
} from '../../graph/operations/graphql';
import { useTranslator } from '../../i18n';
import { useMay } from '../../liveUpdates';
import { ConfirmedButton } from '../../ui/confirmedButton';
import { EmptyPage, PageLinks, usePageCursor } from '../../ui/pageLinks';
import { Panel } from '../../ui/panel';
import { Screen, useScreen } from '../../ui/screen';
import { ScreenLink } from '../../ui/screenLink';
import { useAction } from '../../ui/useAction';

type AppVersion = NonNullable<OperationsQuery['appVersions']>['nodes'][number];

/** The versions of front ends, with the operations that they have registered and how often each ran. */
export default function Operations() {
  const { t } = useTranslator();
  const result = useScreen(OperationsDocument, { after: usePageCursor() });
  const mayManage = useMay('MANAGE');
  return (
    <Screen
      title={t('apps.title')}
      lead={
        <>
          <ScreenLink isInText to="/settings">
            {t('nav.settings')}
          </ScreenLink>{' '}
          · {t('apps.lead')}
        </>
      }
      result={result}
    >
      {({ appVersions }) => (
        <Panel title={t('apps.versions')}>
          {appVersions?.nodes.length === 0 && (
            <EmptyPage title={t('apps.none')} hint={t('apps.noneHint')} />
          )}
          <ul className="rows">
            {appVersions?.nodes.map((version) => (
              <VersionRow
                key={version.id}
                version={version}
                mayManage={mayManage}
                reload={result.retry}
              />
            ))}
          </ul>
          <PageLinks page={appVersions?.pageInfo} />
        </Panel>
      )}
    </Screen>
  );
}

interface RowProps {
  readonly version: AppVersion;
  readonly mayManage: boolean | undefined;
  readonly reload: () => void;
}

function VersionRow({ version, mayManage, reload }: RowProps) {
  const { t, ago, date, number } = useTranslator();
  const retire = useAction(RetireAppVersionDocument);
  const name = `${version.app} ${version.version}`;
  const remove = async () => {
    if (await retire.run({ appVersionId: version.id })) {
      reload();
    }
  };
  return (
    <li data-version={version.id}>
      <Group justify="space-between" wrap="wrap">
        <div>
          <Text fw={550} dir="auto" style={{ overflowWrap: 'anywhere' }}>
            {name}
          </Text>
          <Text size="sm" c="dimmed">
            {[
              t('apps.requests', { count: version.requests ?? 0 }),
              version.lastUsedAt
                ? t('apps.used', { when: ago(version.lastUsedAt) })
                : t('apps.unused'),
              t('apps.registered', { date: date(version.createdAt) }),
              version.createdBy?.name,
            ]
              .filter(Boolean)
              .join(' · ')}
          </Text>
        </div>
        <ConfirmedButton
          allowed={mayManage}
          size="xs"
          variant="subtle"
          color="red"
          loading={retire.fetching}
          subject={version.id}
          reason="guard.MANAGE"
          aria-label={t('apps.retireOf', { name })}
          action={t('apps.retire')}
          question={t('apps.retireQuestion', { name })}
          run={remove}
        />
      </Group>
      <details>
        <summary>{t('apps.operations', { count: version.operationCount })}</summary>
        <div className="wide" tabIndex={0} role="group" aria-label={name}>
          <Table verticalSpacing={4} horizontalSpacing="md">
            <Table.Thead>
              <Table.Tr>
                <Table.Th scope="col">{t('apps.operation')}</Table.Th>
                <Table.Th scope="col">{t('apps.kind')}</Table.Th>
                <Table.Th scope="col" ta="end">
                  {t('apps.count')}
                </Table.Th>
                <Table.Th scope="col">{t('apps.last')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {version.operations?.nodes.map((operation) => (
                <OperationRow key={operation.id} operation={operation} />
              ))}
            </Table.Tbody>
          </Table>
        </div>
        {version.operationCount > (version.operations?.nodes.length ?? 0) && (
          <Text size="sm" c="dimmed">
            {t('apps.first', { shown: number(version.operations?.nodes.length ?? 0) })}
          </Text>
        )}
      </details>
    </li>
  );
}

type RegisteredOperation = NonNullable<AppVersion['operations']>['nodes'][number];

function OperationRow({ operation }: { operation: RegisteredOperation }) {
  const { name, ago, number } = useTranslator();
  return (
    <Table.Tr>
      <Table.Th scope="row" fw={400}>
        <code>{operation.name}</code>
      </Table.Th>
      <Table.Td>{name('operationKind', operation.kind)}</Table.Td>
      <Table.Td ta="end">{number(operation.requests)}</Table.Td>
      <Table.Td>{operation.lastUsedAt ? ago(operation.lastUsedAt) : '—'}</Table.Td>
    </Table.Tr>
  );
}
