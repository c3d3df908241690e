import { Badge, Group, Progress, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { IconMinus, IconTrendingDown, IconTrendingUp } from '@tabler/icons-react';
import {
  type AudienceQuery,
  StartSummaryDocument,
  type SummaryCardFragment,
  type SummaryJobFragment,
} from '../../graph/audience/graphql';
import { useTranslator } from '../../i18n';
import { passageAddress } from '../../ui/address';
import { GuardedButton } from '../../ui/guardedButton';
import { JobRow } from '../../ui/jobRow';
import { Panel } from '../../ui/panel';
import { EmptyState } from '../../ui/screen';
import { ScreenLink } from '../../ui/screenLink';
import { useAction } from '../../ui/useAction';
import type { AudiencePersona } from './audience';
import { PointList, TitledList } from './reactionPanel';

interface SummariesProps {
  readonly data: AudienceQuery;
  readonly personas: readonly AudiencePersona[];
  readonly mayWrite: boolean | undefined;
  readonly reload: () => void;
}

/** A summary of each audience, or the way to its first one. */
export function Summaries({ data, personas, mayWrite, reload }: SummariesProps) {
  const { t } = useTranslator();
  const summaries = data.audienceSummaries?.nodes ?? [];
  const jobs = data.jobs?.nodes ?? [];
  const categories = [
    ...new Set([
      ...summaries.map(({ category }) => category),
      ...personas.map(({ category }) => category),
    ]),
  ];
  return (
    <Stack>
      <Title order={2} size="h4">
        {t('audience.summaries')}
      </Title>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
        {categories.map((category) => {
          const summary = summaries.find((one) => one.category === category);
          const members = personas.filter((persona) => persona.category === category);
          return (
            <Summary
              key={category}
              category={category}
              summary={summary}
              members={members}
              jobs={jobs.filter(
                ({ parameters }) =>
                  parameters && 'category' in parameters && parameters.category === category,
              )}
              mayWrite={mayWrite}
              reload={reload}
            />
          );
        })}
      </SimpleGrid>
    </Stack>
  );
}

interface SummaryProps extends Omit<SummariesProps, 'data' | 'personas'> {
  readonly category: string;
  readonly summary: SummaryCardFragment | undefined;
  readonly members: readonly AudiencePersona[];
  /** The jobs that summarise it now, and those that failed. */
  readonly jobs: readonly SummaryJobFragment[];
}

function Summary({ category, summary, members, jobs, mayWrite, reload }: SummaryProps) {
  const { t } = useTranslator();
  const summarize = useAction(StartSummaryDocument);
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
          {summary?.isStale && (
            <Badge color="orange" variant="light">
              {t('audience.stale')}
            </Badge>
          )}
          <GuardedButton
            allowed={mayWrite}
            size="xs"
            variant="light"
            loading={summarize.fetching}
            onClick={() => void run()}
            aria-label={t('audience.summarizeOf', { category })}
          >
            {t('audience.summarize')}
          </GuardedButton>
        </Group>
      }
    >
      {jobs.length > 0 && (
        <ul className="rows">
          {jobs.map((job) => (
            <JobRow key={job.id} job={job} mayWrite={mayWrite} />
          ))}
        </ul>
      )}
      {summary ? (
        <Report summary={summary} members={members} />
      ) : (
        <EmptyState title={t('audience.noSummary')} hint={t('audience.noSummaryHint')} />
      )}
    </Panel>
  );
}

function Report({
  summary,
  members,
}: {
  summary: SummaryCardFragment;
  members: readonly AudiencePersona[];
}) {
  const { t } = useTranslator();
  const { statusCounts: counts, report } = summary;
  return (
    <Stack p="md" gap="sm">
      <Grade summary={summary} />
      <Shares counts={counts} />
      <Changes summary={summary} members={members} />
      {report.context && (
        <Text size="sm" dir="auto">
          {report.context}
        </Text>
      )}
      <Group gap={6}>
        {report.topThemes.map((theme) => (
          <Badge
            key={theme.theme}
            variant="light"
            tt="none"
            color={
              theme.sentiment === 'NEGATIVE'
                ? 'red'
                : theme.sentiment === 'POSITIVE'
                  ? 'green'
                  : 'gray'
            }
          >
            {theme.theme} · {theme.reactionCount}
          </Badge>
        ))}
      </Group>
      <Pillars report={report} />
      <Quotes summary={summary} />
      <PointList title={t('audience.risks')} points={report.topRisks.map(({ text }) => text)} />
      <PointList title={t('audience.actions')} points={report.topActions.map(({ text }) => text)} />
    </Stack>
  );
}

const trends = { UP: IconTrendingUp, DOWN: IconTrendingDown, FLAT: IconMinus } as const;

function Grade({ summary }: { summary: SummaryCardFragment }) {
  const { t, name } = useTranslator();
  const Trend = summary.gradeTrend ? trends[summary.gradeTrend] : null;
  return (
    <Group wrap="nowrap" align="flex-start">
      <div>
        <div className="figure">{summary.grade ?? '—'}</div>
        {summary.gradeScore != null && (
          <Text size="xs" c="dimmed">
            {t('audience.score', { score: Math.round(summary.gradeScore) })}
          </Text>
        )}
      </div>
      <div>
        <Text fw={550} dir="auto">
          {summary.report.headline}
        </Text>
        {!summary.grade && (
          <Text size="sm" c="dimmed">
            {t('audience.ungraded', {
              opinions: summary.opinionCount,
              reactions: summary.reactionCount,
            })}
          </Text>
        )}
        {Trend && summary.gradeTrend && (
          <Group gap={4}>
            <Trend size={18} className="mirrored" aria-hidden />
            <Text size="sm">{name('trend', summary.gradeTrend)}</Text>
          </Group>
        )}
      </div>
    </Group>
  );
}

/** What the summary was worked out from, and what has changed since then. */
function Changes({
  summary,
  members,
}: {
  summary: SummaryCardFragment;
  members: readonly AudiencePersona[];
}) {
  const { t, ago } = useTranslator();
  const { statusCounts: counts, generatedAt } = summary;
  const newer = members
    .flatMap(({ reactions }) => reactions?.nodes ?? [])
    .filter(
      ({ createdAt }) => generatedAt && Date.parse(createdAt) > Date.parse(generatedAt),
    ).length;
  const changes = [
    newer > 0 && t('audience.newer', { count: newer }),
    counts.pending > 0 && t('audience.pending', { count: counts.pending }),
    counts.failed > 0 && t('audience.failed', { count: counts.failed }),
    summary.isStale && newer === 0 && t('audience.staleHint'),
  ].filter((one): one is string => Boolean(one));
  return (
    <div>
      <Text size="sm" c="dimmed">
        {t('document.reactions', { count: summary.reactionCount })}
        {` · ${t('audience.opinions', { count: summary.opinionCount })}`}
        {generatedAt && ` · ${ago(generatedAt)}`}
      </Text>
      {changes.map((change) => (
        <Text size="sm" key={change}>
          {change}
        </Text>
      ))}
    </div>
  );
}

const sentiments = [
  ['positive', 'POSITIVE', 'green'],
  ['mixed', 'MIXED', 'orange'],
  ['neutral', 'NEUTRAL', 'gray'],
  ['negative', 'NEGATIVE', 'red'],
  ['unrated', 'UNRATED', 'gray.3'],
] as const;

/** A bar of the shares of each sentiment, with the counts as its text. */
function Shares({ counts }: { counts: SummaryCardFragment['statusCounts'] }) {
  const { name, number } = useTranslator();
  const total = sentiments.reduce((sum, [field]) => sum + counts[field], 0);
  const label = sentiments
    .filter(([field]) => counts[field] > 0)
    .map(([field, value]) => `${number(counts[field])} ${name('stance', value)}`)
    .join(', ');
  return (
    <Progress.Root size="lg" title={label} role="img" aria-label={label || '0'}>
      {sentiments.map(
        ([field, , color]) =>
          counts[field] > 0 && (
            <Progress.Section
              key={field}
              value={(100 * counts[field]) / total}
              color={color}
              withAria={false}
            />
          ),
      )}
    </Progress.Root>
  );
}

/** Passages that the reactions quote; each opens in its document. */
function Quotes({ summary: { quotes } }: { summary: SummaryCardFragment }) {
  const { t } = useTranslator();
  if (quotes.length === 0) {
    return null;
  }
  return (
    <TitledList title={t('audience.quotes')}>
      {quotes.map(({ text, start, end, reactionId, document }) => (
        <li key={reactionId} dir="auto">
          {document ? (
            <ScreenLink
              to={passageAddress({ documentId: document.id, findingId: reactionId, start, end })}
            >
              “{text}”
            </ScreenLink>
          ) : (
            `“${text}”`
          )}
          {document && (
            <Text span size="sm" c="dimmed">
              {' '}
              {document.title}
            </Text>
          )}
        </li>
      ))}
    </TitledList>
  );
}

function Pillars({ report }: { report: SummaryCardFragment['report'] }) {
  const { t } = useTranslator();
  return (
    <PointList
      title={t('audience.pillars')}
      points={report.pillarReception.map((one) =>
        one.averageRating == null
          ? t('audience.unratedPillar', { pillar: one.pillar, count: one.reactions })
          : t('audience.pillar', {
              pillar: one.pillar,
              rating: Math.round(10 * one.averageRating) / 10,
              count: one.reactions,
            }),
      )}
    />
  );
}
