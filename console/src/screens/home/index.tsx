import { Alert, Button, Group, Progress, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { type HomeQuery, type HomeQueryVariables, HomeDocument } from '../../graph/graphql';
import { useTranslator } from '../../i18n';
import { useMay } from '../../liveUpdates';
import { localTimeZone } from '../../timeZone';
import { DocumentRow } from '../../ui/documentRow';
import { DraftStateBadge, useDue } from '../../ui/draftState';
import { JobRow } from '../../ui/jobRow';
import { Panel } from '../../ui/panel';
import { EmptyState, Screen, useScreen } from '../../ui/screen';
import { ScreenLink } from '../../ui/screenLink';
import { Sparkline } from '../../ui/sparkline';

const day = 86_400_000;

/**
 * How long Home's variables stay the same, so that a user who returns finds its response cached.
 */
const period = 600_000;

/** Returns the variables of Home, for a time in milliseconds. */
export const homeVariables = (now: number): HomeQueryVariables => ({
  failedSince: new Date(Math.ceil(now / period) * period - day).toISOString(),
  opensSince: new Date(new Date(now).setHours(0, 0, 0, 0)).toISOString(),
  timeZone: localTimeZone(),
});

const variablesNow = () => homeVariables(Date.now());

/** Home: what runs, what is new, and what needs someone. */
export default function Home() {
  const { t } = useTranslator();
  const [variables, setVariables] = useState(variablesNow);
  if (isPastDay(variables.opensSince)) {
    setVariables(variablesNow()); // midnight has passed while Home was open
  }
  const result = useScreen(HomeDocument, variables);
  return (
    <Screen title={t('home.title')} lead={result.data?.viewer?.workspace?.name} result={result}>
      {(data) => (
        <>
          <Alerts data={data} />
          <Figures data={data} />
          <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
            <Stack gap="lg">
              <Jobs data={data} />
              <Waiting data={data} />
              <Mentions data={data} />
              <Drafts data={data} />
            </Stack>
            <Documents data={data} />
          </SimpleGrid>
        </>
      )}
    </Screen>
  );
}

const isPastDay = (since: string) => new Date(since).getDate() !== new Date().getDate();

function Alerts({ data }: { data: HomeQuery }) {
  const { t, date, name } = useTranslator();
  const workspace = data.viewer?.workspace;
  const budget = workspace?.runBudget;
  // What its owner paused needs nobody's attention.
  const paused =
    workspace?.webhooks?.nodes.filter(
      ({ pausedReason }) => pausedReason && pausedReason !== 'OWNER',
    ) ?? [];
  const webhookName = (webhook: (typeof paused)[number]) => webhook.label || webhook.url;
  const sentences = [
    budget &&
      budget.remaining <= budget.limit / 10 &&
      t('home.budgetLow', {
        count: budget.remaining,
        date: budget.resetsAt ? date(budget.resetsAt) : '—',
      }),
    paused.length > 1 &&
      t('home.webhooksPaused', { count: paused.length, names: paused.map(webhookName).join(', ') }),
    paused[0] &&
      paused.length === 1 &&
      t('home.webhookPaused', {
        webhook: webhookName(paused[0]),
        reason: name('paused', paused[0].pausedReason ?? ''),
      }),
    data.failed &&
      data.failed.totalCount > 0 &&
      t('home.jobsFailed', { count: data.failed.totalCount }),
  ].filter((sentence): sentence is string => Boolean(sentence));
  const failing = data.failing?.totalCount ?? 0;
  const undecided = data.undecided?.totalCount ?? 0;
  if (sentences.length + failing + undecided === 0) {
    return null;
  }
  return (
    <Alert color="orange" icon={<IconAlertTriangle aria-hidden />} title={t('home.alerts')}>
      <Stack gap={2}>
        {sentences.map((sentence, i) => (
          <Text size="sm" key={i}>
            {sentence}
          </Text>
        ))}
        {undecided > 0 && (
          <Text size="sm">
            {t('home.undecided', { count: undecided })}{' '}
            <ScreenLink isInText to="/documents?q=is%3Aundecided">
              {t('home.showUndecided')}
            </ScreenLink>
          </Text>
        )}
        {failing > 0 && (
          <Text size="sm">
            {t('home.sourcesFailing', {
              count: failing,
              names: data.failing?.nodes.map((source) => source.name).join(', ') ?? '',
            })}{' '}
            <ScreenLink isInText to="/sources">
              {t('home.showSources')}
            </ScreenLink>
          </Text>
        )}
      </Stack>
    </Alert>
  );
}

function Figures({ data }: { data: HomeQuery }) {
  const { t, compact, number } = useTranslator();
  const workspace = data.viewer?.workspace;
  const budget = workspace?.runBudget;
  const byHour = workspace?.linkActivity?.map(({ openCount }) => openCount) ?? [];
  const opens = byHour.reduce((sum, count) => sum + count, 0);
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing="lg">
      <Figure label={t('home.documents')} value={compact(data.documents?.totalCount ?? 0)} />
      <Figure
        label={t('home.reviews')}
        value={compact(workspace?.autoTagReviews?.totalCount ?? 0)}
      />
      <Figure label={t('home.opens')} value={compact(opens)}>
        <Sparkline values={byHour} label={t('home.opensHint', { count: opens })} />
      </Figure>
      <Figure label={t('home.budget')} value={number(budget?.remaining ?? 0)}>
        {budget && (
          <>
            <Progress
              value={(100 * budget.used) / Math.max(1, budget.limit)}
              size="sm"
              mt="xs"
              aria-label={t('home.budget')}
            />
            <Text size="xs" c="dimmed" mt={4}>
              {t('home.budgetUsed', { used: number(budget.used), limit: number(budget.limit) })}
            </Text>
          </>
        )}
      </Figure>
    </SimpleGrid>
  );
}

function Figure({
  label,
  value,
  children,
}: {
  label: string;
  value: string;
  children?: React.ReactNode;
}) {
  return (
    <div className="panel" style={{ padding: '0.875rem 1rem' }}>
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <div className="figure">{value}</div>
      {children}
    </div>
  );
}

function Jobs({ data }: { data: HomeQuery }) {
  const { t } = useTranslator();
  const mayWrite = useMay('WRITE');
  const jobs = [...(data.active?.nodes ?? []), ...(data.failed?.nodes ?? [])];
  return (
    <Panel title={t('home.jobs', { count: data.active?.totalCount ?? 0 })}>
      {jobs.length === 0 ? (
        <EmptyState title={t('home.noJobs')} hint={t('home.noJobsHint')} />
      ) : (
        <ul className="rows">
          {jobs.map((job) => (
            <JobRow key={job.id} job={job} mayWrite={mayWrite} />
          ))}
        </ul>
      )}
    </Panel>
  );
}

function Documents({ data }: { data: HomeQuery }) {
  const { t } = useTranslator();
  const documents = data.documents?.nodes ?? [];
  return (
    <Panel
      title={t('home.newDocuments')}
      actions={<ScreenLink to="/documents">{t('action.all')}</ScreenLink>}
    >
      {documents.length === 0 ? (
        <EmptyState
          title={t('documents.none')}
          hint={t('documents.noneHint')}
          action={
            <Button component={Link} href="/documents?add">
              {t('documents.add')}
            </Button>
          }
        />
      ) : (
        <ul className="rows">
          {documents.map((document) => (
            <DocumentRow key={document.id} document={document} />
          ))}
        </ul>
      )}
    </Panel>
  );
}

function Drafts({ data }: { data: HomeQuery }) {
  const { t, ago } = useTranslator();
  const drafts = data.viewer?.workspace?.drafts?.nodes ?? [];
  return (
    <Panel
      title={t('home.drafts')}
      actions={<ScreenLink to="/drafts">{t('action.all')}</ScreenLink>}
    >
      {drafts.length === 0 ? (
        <EmptyState title={t('drafts.none')} hint={t('drafts.noneHint')} />
      ) : (
        <ul className="rows">
          {drafts.map((draft) => (
            <li key={draft.id}>
              <Group justify="space-between" gap="xs">
                <ScreenLink to={`/drafts/${draft.id}`} className="row-link">
                  {draft.title}
                </ScreenLink>
                <Text size="sm" c="dimmed">
                  {t('document.words', { count: draft.wordCount })} · {ago(draft.updatedAt)}
                </Text>
              </Group>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

/** The drafts that the viewer is to review or to change, the first due first. */
function Waiting({ data }: { data: HomeQuery }) {
  const { t, ago } = useTranslator();
  const due = useDue();
  const { totalCount = 0, nodes = [] } = data.waiting ?? {};
  if (totalCount === 0) {
    return null;
  }
  return (
    <Panel
      title={t('home.waiting', { count: totalCount })}
      actions={<ScreenLink to="/drafts?show=mine">{t('action.all')}</ScreenLink>}
    >
      <ul className="rows">
        {nodes.map(({ id, title, state, dueAt, updatedAt }) => (
          <li key={id}>
            <Group justify="space-between" gap="xs">
              <ScreenLink to={`/drafts/${id}`} className="row-link">
                {title || t('document.untitled')}
              </ScreenLink>
              <Group gap="xs">
                <DraftStateBadge state={state} />
                <Text size="sm" c="dimmed">
                  {dueAt ? due(dueAt) : ago(updatedAt)}
                </Text>
              </Group>
            </Group>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** The comments that mention the viewer, until their discussions are resolved. */
function Mentions({ data }: { data: HomeQuery }) {
  const { t, ago } = useTranslator();
  const { totalCount = 0, nodes = [] } = data.mentions ?? {};
  if (totalCount === 0) {
    return null;
  }
  return (
    <Panel title={t('home.mentions', { count: totalCount })}>
      <ul className="rows">
        {nodes.map(({ id, text, createdAt, author, draft }) => (
          <li key={id}>
            <Group justify="space-between" gap="xs">
              <ScreenLink to={`/drafts/${draft?.id ?? ''}?comment=${id}`} className="row-link">
                {draft?.title || t('document.untitled')}
              </ScreenLink>
              <Text size="sm" c="dimmed">
                {author?.name ?? t('history.program')} · {ago(createdAt)}
              </Text>
            </Group>
            <Text size="sm" lineClamp={2} dir="auto">
              {text}
            </Text>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
