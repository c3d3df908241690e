import { Alert, SimpleGrid, Stack, Table, Text } from '@mantine/core';
import { useParams } from 'wouter';
import { ComparisonScreenDocument, type PointFragment } from '../../graph/comparison/graphql';
import { useTranslator } from '../../i18n';
import { passageAddress } from '../../ui/address';
import { Panel } from '../../ui/panel';
import { EmptyState, Screen, useScreen, useSubject } from '../../ui/screen';
import { ScreenLink } from '../../ui/screenLink';
import { SentimentBadge } from '../../ui/sentimentBadge';
import { Citations } from './citations';
import type { ComparisonResult } from './comparison';
import { StrategicMap } from './strategicMap';

/** A stored comparison of executives; every claim opens to the passages that it rests on. */
export default function ComparisonPage() {
  const { t } = useTranslator();
  const { id = '' } = useParams();
  const response = useScreen(ComparisonScreenDocument, { id });
  const [found, known] = useSubject(response, ({ node }) =>
    node && 'result' in node ? node.result : null,
  );
  return (
    <Screen
      title={found?.theme ?? t('executives.comparisons')}
      lead={(found?.executives ?? found?.companies)?.join(' · ')}
      result={known}
    >
      {() => found && <Content result={found} />}
    </Screen>
  );
}

function Content({ result }: { result: ComparisonResult }) {
  const { t } = useTranslator();
  const { aiAnalysis: analysis, strategicMap: map } = result;
  return (
    <Stack gap="lg">
      {result.warning && <Alert color="orange">{result.warning}</Alert>}
      {result.unreadDocuments > 0 && (
        <Alert color="gray">{t('comparison.unread', { count: result.unreadDocuments })}</Alert>
      )}
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
      {map && <StrategicMap map={map} rows={analysis.comparisonMatrix} />}
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
          <Text dir="auto">{point.text}</Text>
          <Citations of={point.evidence} />
        </li>
      ))}
    </ul>
  );
}

function Matrix({ rows }: { rows: ComparisonResult['aiAnalysis']['comparisonMatrix'] }) {
  const { t } = useTranslator();
  const subjects = [...new Set(rows.flatMap(({ cells }) => cells.map(({ subject }) => subject)))];
  return (
    <div className="wide" tabIndex={0} role="group" aria-label={t('comparison.table')}>
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
                return (
                  <Table.Td key={subject} miw={180}>
                    {cell && <Cell cell={cell} />}
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

/** A subject's position on a theme; its text opens the first passage that it rests on. */
function Cell({
  cell: { stance, text, evidence },
}: {
  cell: ComparisonResult['aiAnalysis']['comparisonMatrix'][number]['cells'][number];
}) {
  const proof = evidence[0];
  return (
    <>
      <SentimentBadge value={stance} />
      <Text size="sm" dir="auto">
        {proof ? (
          <ScreenLink to={passageAddress({ ...proof, findingId: proof.signalId })}>
            {text}
          </ScreenLink>
        ) : (
          text
        )}
      </Text>
    </>
  );
}
