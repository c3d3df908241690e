import { SimpleGrid, Stack, Table, Text } from '@mantine/core';
import { useParams } from 'wouter';
import { ComparisonScreenDocument, type ComparisonScreenQuery, type PointFragment } from '../graph/comparison/graphql';
import { useTranslator } from '../i18n';
import { ScreenLink } from '../ui/link';
import { Panel } from '../ui/panel';
import { Sentiment } from '../ui/rating';
import { EmptyState, Screen, useScreen } from '../ui/screen';

type Node = NonNullable<ComparisonScreenQuery['node']>;
type Result = NonNullable<Extract<Node, { result?: unknown }>['result']>;

/** A stored comparison of executives; every claim opens to the passages that it rests on. */
export default function ComparisonPage() {
  const { t } = useTranslator();
  const { id = '' } = useParams();
  const response = useScreen(ComparisonScreenDocument, { id });
  const node = response.data?.node;
  const found = node && 'result' in node ? node.result : null;
  const known = { ...response, data: response.data && !found ? undefined : response.data };
  return (
    <Screen title={found?.theme ?? t('executives.comparisons')} lead={found?.executives?.join(' · ')} result={known}>
      {() => found && <Content result={found} />}
    </Screen>
  );
}

function Content({ result }: { result: Result }) {
  const { t } = useTranslator();
  const { aiAnalysis: analysis, strategicMap: map } = result;
  return (
    <Stack gap="lg">
      <Panel title={t('comparison.glance')}>
        <Points points={analysis.atAGlance} />
      </Panel>
      {analysis.comparisonMatrix.length > 0 && (
        <Panel title={t('comparison.table')}>
          <Matrix rows={analysis.comparisonMatrix} />
        </Panel>
      )}
      <SimpleGrid cols={{ base: 1, md: 3 }} spacing="lg">
        <Panel title={t('comparison.similar')}>
          <Points points={analysis.similarities} />
        </Panel>
        <Panel title={t('comparison.different')}>
          <Points points={analysis.differences} />
        </Panel>
        <Panel title={t('comparison.unique')}>
          <Points points={analysis.uniquePerspectives} />
        </Panel>
      </SimpleGrid>
      {map && (
        <SimpleGrid cols={{ base: 1, md: 3 }} spacing="lg" aria-label={t('comparison.map')} role="group">
          <Panel title={t('comparison.attack')}>
            <Points points={map.attack} />
          </Panel>
          <Panel title={t('comparison.defend')}>
            <Points points={map.defend} />
          </Panel>
          <Panel title={t('comparison.whitespace')}>
            <Points points={map.whitespace} />
          </Panel>
        </SimpleGrid>
      )}
      <Text size="sm" c="dimmed">
        {t('comparison.basis', { count: result.totalSignals, model: result.model })}
      </Text>
    </Stack>
  );
}

function Points({ points }: { points: readonly PointFragment[] }) {
  const { t } = useTranslator();
  if (points.length === 0) {
    return <EmptyState title={t('comparison.nothing')} />;
  }
  return (
    <ul className="rows">
      {points.map((point) => (
        <li key={point.text}>
          <Text>{point.text}</Text>
          {point.evidence.map((citation) => (
            <Text size="sm" key={citation.signalId + citation.quote}>
              <ScreenLink to={`/documents/${citation.documentId}?at=${citation.signalId}`}>“{citation.quote}”</ScreenLink>
            </Text>
          ))}
        </li>
      ))}
    </ul>
  );
}

function Matrix({ rows }: { rows: Result['aiAnalysis']['comparisonMatrix'] }) {
  const { t } = useTranslator();
  const subjects = [...new Set(rows.flatMap(({ cells }) => cells.map(({ subject }) => subject)))];
  return (
    <div className="wide" tabIndex={0} role="region" aria-label={t('comparison.table')}>
      <Table verticalSpacing="sm" horizontalSpacing="md">
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t('executives.theme')}</Table.Th>
            {subjects.map((subject) => (
              <Table.Th key={subject} scope="col">
                {subject}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={row.theme}>
              <Table.Th scope="row">{row.theme}</Table.Th>
              {subjects.map((subject) => {
                const cell = row.cells.find((one) => one.subject === subject);
                const proof = cell?.evidence[0];
                return (
                  <Table.Td key={subject} miw={180}>
                    {cell && <Sentiment value={cell.stance} />}
                    <Text size="sm">{proof ? <ScreenLink to={`/documents/${proof.documentId}?at=${proof.signalId}`}>{cell?.text}</ScreenLink> : cell?.text}</Text>
                  </Table.Td>
                );
              })}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}
