import { Alert, Checkbox, Group, Stack, Table, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useMutation } from 'urql';
import {
  CompareDocument,
  ExecutivesDocument,
  type ExecutivesQuery,
  MergeExecutivesDocument,
} from '../../graph/executives/graphql';
import { focusHeading } from '../../headingFocus';
import { useTranslator } from '../../i18n';
import { useMay } from '../../liveUpdates';
import { fieldProblem } from '../../problemText';
import { GuardedButton } from '../../ui/guardedButton';
import { type Mergeable, MergePanel } from '../../ui/mergePanel';
import { useNotice } from '../../ui/notice';
import { EmptyPage, PageLinks, usePageCursor } from '../../ui/pageLinks';
import { Panel } from '../../ui/panel';
import { RefusalAlert } from '../../ui/refusalAlert';
import { Screen, useScreen } from '../../ui/screen';
import { ScreenLink } from '../../ui/screenLink';
import { useAction } from '../../ui/useAction';

/** The parameter of the address with the cursor of the comparisons. */
const comparisonsPage = 'comparisonsAfter';

/** The executives of the workspace, and comparisons of their statements. */
export default function Executives() {
  const { t } = useTranslator();
  const [chosen, setChosen] = useState<readonly Mergeable[]>([]);
  const result = useScreen(ExecutivesDocument, {
    after: usePageCursor(),
    comparisonsAfter: usePageCursor(comparisonsPage),
  });
  const mayEdit = useMay('EDIT');
  const mayAsk = useMay('ASK');
  return (
    <Screen title={t('nav.executives')} lead={t('executives.lead')} result={result}>
      {(data) => (
        <Stack gap="lg">
          {data.executives && data.executives.totalCount > 1 && (
            <CompareForm
              chosen={chosen.map(({ name }) => name)}
              mayWrite={mayAsk}
              reload={result.retry}
            />
          )}
          {mayEdit && <Merge chosen={chosen} clear={() => setChosen([])} reload={result.retry} />}
          <Panel title={t('nav.executives')}>
            <ExecutiveTable data={data} chosen={mayEdit ? chosen : null} setChosen={setChosen} />
            <PageLinks page={data.executives?.pageInfo} />
          </Panel>
          <Comparisons data={data} />
        </Stack>
      )}
    </Screen>
  );
}

interface TableProps {
  readonly data: ExecutivesQuery;
  /** The executives to compare or merge; null if the viewer may do neither. */
  readonly chosen: readonly Mergeable[] | null;
  readonly setChosen: (executives: readonly Mergeable[]) => void;
}

interface ChosenProps {
  readonly chosen: readonly Mergeable[];
  readonly clear: () => void;
  readonly reload: () => void;
}

function Merge({ chosen, clear, reload }: ChosenProps) {
  const { t } = useTranslator();
  const notify = useNotice();
  const { run, fetching } = useAction(MergeExecutivesDocument);
  const merge = async (executiveId: string, mergedIds: string[]) => {
    const merged = (await run({ executiveId, mergedIds }))?.mergeExecutives;
    if (merged) {
      notify(merged.warning ?? t('merge.done', { name: merged.executive.name }));
      clear();
      focusHeading();
      reload();
    }
  };
  return (
    <MergePanel
      rows={chosen}
      title="executives.merge"
      hint="executives.mergeHint"
      fetching={fetching}
      merge={merge}
    />
  );
}

type Executive = NonNullable<ExecutivesQuery['executives']>['nodes'][number];

const mergeableOf = ({ id, name, totalDocuments, signals }: Executive): Mergeable => ({
  id,
  name,
  documentCount: totalDocuments ?? 0,
  signalCount: signals?.totalCount ?? 0,
});

function ExecutiveTable({ data, chosen, setChosen }: TableProps) {
  const { t, number, ago } = useTranslator();
  const rows = data.executives?.nodes ?? [];
  if (rows.length === 0) {
    return <EmptyPage title={t('executives.none')} hint={t('executives.noneHint')} />;
  }
  return (
    <div className="wide" tabIndex={0} role="group" aria-label={t('nav.executives')}>
      <Table verticalSpacing="sm" horizontalSpacing="md">
        <Table.Thead>
          <Table.Tr>
            {chosen && <Table.Th scope="col">{t('executives.compare')}</Table.Th>}
            {(
              [
                'persona.name',
                'documents.company',
                'nav.documents',
                'document.signalsTitle',
                'executives.last',
              ] as const
            ).map((key) => (
              <Table.Th key={key} scope="col">
                {t(key)}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((executive) => (
            <Table.Tr key={executive.id}>
              {chosen && (
                <Table.Td>
                  <Checkbox
                    aria-label={t('executives.choose', { name: executive.name })}
                    checked={chosen.some(({ id }) => id === executive.id)}
                    onChange={(event) =>
                      setChosen([
                        ...chosen.filter(({ id }) => id !== executive.id),
                        ...(event.currentTarget.checked ? [mergeableOf(executive)] : []),
                      ])
                    }
                  />
                </Table.Td>
              )}
              <Table.Td>
                <ScreenLink
                  to={`/executives/${encodeURIComponent(executive.name)}`}
                  className="row-link"
                >
                  {executive.name}
                </ScreenLink>
              </Table.Td>
              <Table.Td>{executive.companies?.nodes.map(({ name }) => name).join(', ')}</Table.Td>
              <Table.Td>{number(executive.totalDocuments ?? 0)}</Table.Td>
              <Table.Td>{number(executive.signals?.totalCount ?? 0)}</Table.Td>
              <Table.Td>{executive.lastCommunication && ago(executive.lastCommunication)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

function CompareForm({
  chosen,
  mayWrite,
  reload,
}: {
  chosen: readonly string[];
  mayWrite: boolean | undefined;
  reload: () => void;
}) {
  const { t } = useTranslator();
  const [theme, setTheme] = useState('');
  const [ownCompany, setOwnCompany] = useState('');
  const [{ fetching, error, data: made }, compare] = useMutation(CompareDocument);
  const comparison = made?.compareInsights?.comparison;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const { data } = await compare({
      input: {
        theme,
        executives: [...chosen],
        strategicMap: true,
        ownCompany: ownCompany.trim() || undefined,
      },
    });
    if (data?.compareInsights) {
      reload();
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)} className="panel card" noValidate>
      <Group align="flex-end">
        <TextInput
          label={t('executives.theme')}
          description={
            chosen.length > 1 ? chosen.join(' · ') : mayWrite && t('executives.chooseTwo')
          }
          readOnly={!mayWrite}
          value={theme}
          onChange={(event) => setTheme(event.currentTarget.value)}
          error={fieldProblem(error, 'theme')}
          style={{ flex: '1 1 16rem' }}
        />
        <TextInput
          label={t('executives.ownCompany')}
          description={t('executives.ownCompanyHint')}
          readOnly={!mayWrite}
          value={ownCompany}
          onChange={(event) => setOwnCompany(event.currentTarget.value)}
          error={fieldProblem(error, 'ownCompany')}
          style={{ flex: '1 1 12rem' }}
        />
        <GuardedButton
          allowed={mayWrite && chosen.length > 1}
          reason={mayWrite ? 'executives.chooseTwo' : 'guard.write'}
          type="submit"
          loading={fetching}
        >
          {t('executives.compare')}
        </GuardedButton>
      </Group>
      {comparison?.totalSignals === 0 && (
        <Alert role="status" color="gray" mt="md">
          {t('executives.nothingSaid', { theme: comparison.theme })}
        </Alert>
      )}
      <RefusalAlert error={error} fields={['theme', 'ownCompany']} />
    </form>
  );
}

function Comparisons({ data }: { data: ExecutivesQuery }) {
  const { t, ago } = useTranslator();
  const rows = data.comparisons?.nodes ?? [];
  return (
    <Panel title={t('executives.comparisons')}>
      {rows.length === 0 ? (
        <EmptyPage
          name={comparisonsPage}
          title={t('executives.noComparisons')}
          hint={t('executives.noComparisonsHint')}
        />
      ) : (
        <ul className="rows">
          {rows.map((comparison) => (
            <li key={comparison.id}>
              <ScreenLink to={`/comparisons/${comparison.id}`} className="row-link">
                {comparison.result?.theme || t('document.untitled')}
              </ScreenLink>
              <Text size="sm" c="dimmed">
                {comparison.executives?.map(({ name }) => name).join(' · ')} ·{' '}
                {ago(comparison.createdAt)}
              </Text>
            </li>
          ))}
        </ul>
      )}
      <PageLinks name={comparisonsPage} page={data.comparisons?.pageInfo} />
    </Panel>
  );
}
