import { Badge, Button, Group, Progress, SimpleGrid, Stack, Table, Text, Title } from '@mantine/core';
import { IconMinus, IconTrendingDown, IconTrendingUp } from '@tabler/icons-react';
import { type AudienceQuery, AudienceDocument, SummarizeDocument, type SummaryCardFragment } from '../graph/audience/graphql';
import { useTranslator } from '../i18n';
import { useAction } from '../ui/action';
import { ScreenLink } from '../ui/link';
import { Panel } from '../ui/panel';
import { Sentiment } from '../ui/rating';
import { EmptyState, Screen, useScreen } from '../ui/screen';

type Persona = NonNullable<AudienceQuery['personas']>['nodes'][number];
type Reaction = NonNullable<Persona['reactions']>['nodes'][number];

/** How the personas react: a matrix of personas by documents, and a summary of each audience. */
export default function Audience() {
  const { t } = useTranslator();
  const result = useScreen(AudienceDocument, {});
  const mayWrite = result.data?.viewer?.scopes.includes('WRITE') ?? false;
  return (
    <Screen title={t('nav.audience')} lead={t('audience.lead')} result={result}>
      {(data) => {
        const personas = data.personas?.nodes ?? [];
        return (
          <>
            <Panel title={t('audience.matrix')}>
              <Matrix personas={personas} />
            </Panel>
            <Summaries data={data} personas={personas} mayWrite={mayWrite} reload={result.retry} />
          </>
        );
      }}
    </Screen>
  );
}

const columnLimit = 8;

/** Returns the documents that were reacted to, those with most reactions first. */
function reactedDocuments(personas: readonly Persona[]) {
  const counts = new Map<string, { id: string; title: string; count: number }>();
  for (const { document } of personas.flatMap((persona) => persona.reactions?.nodes ?? [])) {
    if (document) {
      const known = counts.get(document.id) ?? { ...document, count: 0 };
      counts.set(document.id, { ...known, count: known.count + 1 });
    }
  }
  return [...counts.values()].sort((one, other) => other.count - one.count).slice(0, columnLimit);
}

function Matrix({ personas }: { personas: readonly Persona[] }) {
  const { t } = useTranslator();
  const documents = reactedDocuments(personas);
  if (documents.length === 0) {
    return <EmptyState title={t('document.noReactions')} hint={t('audience.noneHint')} action={<ScreenLink to="/documents">{t('nav.documents')}</ScreenLink>} />;
  }
  return (
    <div className="wide" tabIndex={0} role="region" aria-label={t('audience.matrix')}>
      <Table verticalSpacing="sm" horizontalSpacing="md">
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t('nav.personas')}</Table.Th>
            <Table.Th scope="col">{t('audience.distribution')}</Table.Th>
            {documents.map((document) => (
              <Table.Th key={document.id} scope="col" miw={120} maw={180}>
                <ScreenLink to={`/documents/${document.id}`}>{document.title}</ScreenLink>
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {personas.map((persona) => (
            <Table.Tr key={persona.id}>
              <Table.Th scope="row">
                <ScreenLink to={`/personas/${persona.id}`} className="row-link">
                  {persona.name}
                </ScreenLink>
                <Text size="xs" c="dimmed" fw={400}>
                  {persona.category}
                </Text>
              </Table.Th>
              <Table.Td miw={120}>
                <Distribution reactions={persona.reactions?.nodes ?? []} />
              </Table.Td>
              {documents.map((document) => (
                <Table.Td key={document.id}>
                  <Cell reaction={persona.reactions?.nodes.find((one) => one.document?.id === document.id)} />
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

function Cell({ reaction }: { reaction: Reaction | undefined }) {
  if (!reaction?.document) {
    return <Text c="dimmed">—</Text>;
  }
  return (
    <ScreenLink to={`/documents/${reaction.document.id}?at=${reaction.id}`}>
      <span title={reaction.quotes[0]?.text}>
        <Sentiment value={reaction.sentiment} rating={reaction.rating} />
      </span>
    </ScreenLink>
  );
}

const sentiments = [['POSITIVE', 'green'], ['MIXED', 'orange'], ['NEUTRAL', 'gray'], ['NEGATIVE', 'red']] as const;

function Distribution({ reactions }: { reactions: readonly { sentiment?: string | null }[] }) {
  const { name } = useTranslator();
  const parts = sentiments.map(([value, color]) => ({ value, color, count: reactions.filter((one) => one.sentiment === value).length }));
  return <Shares parts={parts.map((part) => ({ ...part, label: name('stance', part.value) }))} />;
}

/** A bar of shares with their counts as its text. */
function Shares({ parts }: { parts: readonly { label: string; color: string; count: number }[] }) {
  const total = parts.reduce((sum, { count }) => sum + count, 0);
  const label = parts.filter(({ count }) => count > 0).map(({ label: text, count }) => `${count} ${text}`).join(', ');
  return (
    <Progress.Root size="lg" title={label} role="img" aria-label={label || '0'}>
      {parts.map((part) => part.count > 0 && <Progress.Section key={part.label} value={(100 * part.count) / total} color={part.color} withAria={false} />)}
    </Progress.Root>
  );
}

function Summaries({ data, personas, mayWrite, reload }: { data: AudienceQuery; personas: readonly Persona[]; mayWrite: boolean; reload: () => void }) {
  const { t } = useTranslator();
  const summaries = data.audienceSummaries?.nodes ?? [];
  const categories = [...new Set([...summaries.map(({ category }) => category), ...personas.map(({ category }) => category)])];
  return (
    <Stack>
      <Title order={2} size="h4">
        {t('audience.summaries')}
      </Title>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
        {categories.map((category) => (
          <Summary key={category} category={category} summary={summaries.find((one) => one.category === category)} mayWrite={mayWrite} reload={reload} />
        ))}
      </SimpleGrid>
    </Stack>
  );
}

const trends = { UP: IconTrendingUp, DOWN: IconTrendingDown, FLAT: IconMinus } as const;

function Summary({ category, summary, mayWrite, reload }: { category: string; summary: SummaryCardFragment | undefined; mayWrite: boolean; reload: () => void }) {
  const { t, name, ago } = useTranslator();
  const summarize = useAction(SummarizeDocument);
  const Trend = summary?.gradeTrend ? trends[summary.gradeTrend] : null;
  const run = async () => {
    if (await summarize.run({ category })) {
      reload();
    }
  };
  return (
    <Panel
      title={category}
      actions={
        <Group gap="xs">
          {summary?.isStale && <Badge color="orange" variant="light">{t('audience.stale')}</Badge>}
          {mayWrite && (
            <Button size="xs" variant="light" loading={summarize.fetching} onClick={() => void run()} aria-label={t('audience.summarizeOf', { category })}>
              {t('audience.summarize')}
            </Button>
          )}
        </Group>
      }
    >
      {!summary ? (
        <EmptyState title={t('audience.noSummary')} hint={t('audience.noSummaryHint')} />
      ) : (
        <Stack p="md" gap="sm">
          <Group wrap="nowrap" align="flex-start">
            <div className="figure">{summary.grade ?? '—'}</div>
            {Trend && summary.gradeTrend && <Trend size={22} role="img" aria-label={name('trend', summary.gradeTrend)} />}
            <Text fw={550}>{summary.report.headline}</Text>
          </Group>
          <Shares
            parts={[
              { label: name('stance', 'POSITIVE'), color: 'green', count: summary.statusCounts.positive },
              { label: name('stance', 'MIXED'), color: 'orange', count: summary.statusCounts.mixed },
              { label: name('stance', 'NEUTRAL'), color: 'gray', count: summary.statusCounts.neutral },
              { label: name('stance', 'NEGATIVE'), color: 'red', count: summary.statusCounts.negative },
            ]}
          />
          <Text size="sm" c="dimmed">
            {t('document.reactions', { count: summary.reactionCount })}
            {summary.generatedAt && ` · ${ago(summary.generatedAt)}`}
          </Text>
          <Group gap={6}>
            {summary.report.topThemes.map((theme) => (
              <Badge key={theme.theme} variant="light" tt="none" color={theme.sentiment === 'NEGATIVE' ? 'red' : theme.sentiment === 'POSITIVE' ? 'green' : 'gray'}>
                {theme.theme} · {theme.reactionCount}
              </Badge>
            ))}
          </Group>
          <Points title={t('audience.risks')} points={summary.report.topRisks} />
          <Points title={t('audience.actions')} points={summary.report.topActions} />
        </Stack>
      )}
    </Panel>
  );
}

function Points({ title, points }: { title: string; points: readonly { text: string }[] }) {
  if (points.length === 0) {
    return null;
  }
  return (
    <div>
      <Text size="sm" fw={600} c="dimmed">
        {title}
      </Text>
      <ul className="points">
        {points.map((point) => (
          <li key={point.text}>{point.text}</li>
        ))}
      </ul>
    </div>
  );
}
