import { Badge, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import {
  type BackloadRowFragment,
  type BackloadStatus,
  type SourcesQuery,
  StartBackloadDocument,
} from '../../graph/sources/graphql';
import { useTranslator } from '../../i18n';
import { ConfirmedButton } from '../../ui/confirmedButton';
import { JobRow } from '../../ui/jobRow';
import { EmptyPage, PageLinks } from '../../ui/pageLinks';
import { Panel } from '../../ui/panel';
import { EmptyState } from '../../ui/screen';
import { ScreenLink } from '../../ui/screenLink';
import { useAction } from '../../ui/useAction';
import { type ChosenJob, inputOf, totalsOf } from './sources';

interface BackloadsProps {
  readonly data: SourcesQuery;
  readonly chosen: string | null;
  readonly mayWrite: boolean | undefined;
}

/** The latest backloads and previews, with their progress; each opens above. */
export function Backloads({ data, chosen, mayWrite }: BackloadsProps) {
  const { t } = useTranslator();
  const jobs = data.jobs?.nodes ?? [];
  return (
    <Panel title={t('sources.jobs')}>
      {jobs.length === 0 ? (
        <EmptyPage title={t('sources.none')} hint={t('sources.noneHint')} />
      ) : (
        <ul className="rows">
          {jobs.map((job) => (
            <BackloadJob key={job.id} job={job} isOpen={job.id === chosen} mayWrite={mayWrite} />
          ))}
        </ul>
      )}
      <PageLinks page={data.jobs?.pageInfo} />
    </Panel>
  );
}

interface JobProps {
  readonly job: BackloadRowFragment;
  readonly isOpen: boolean;
  readonly mayWrite: boolean | undefined;
}

function BackloadJob({ job, isOpen, mayWrite }: JobProps) {
  const { t } = useTranslator();
  const totals = totalsOf(job);
  return (
    <JobRow job={job} mayWrite={mayWrite}>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        <SourceName job={job} />
      </Text>
      {totals && <Totals totals={totals} />}
      {totals && !isOpen && (
        <Text size="sm">
          <ScreenLink to={`/sources?job=${job.id}`}>
            {t('sources.open', { count: totals.total })}
          </ScreenLink>
        </Text>
      )}
    </JobRow>
  );
}

/** What a backload reads: the address of its feed, or how many addresses. */
function SourceName({ job: { parameters } }: { job: BackloadRowFragment }) {
  const { t, date } = useTranslator();
  const given = parameters && 'sourceUrls' in parameters ? parameters : null;
  return [
    given?.dryRun && t('sources.isPreview'),
    given?.feedUrl ?? t('sources.addressCount', { count: given?.sourceUrls.length ?? 0 }),
    given?.since && t('sources.sinceDay', { date: date(given.since) }),
  ]
    .filter(Boolean)
    .join(' · ');
}

function Totals({ totals }: { totals: NonNullable<ReturnType<typeof totalsOf>> }) {
  const { t } = useTranslator();
  const { total, completed, duplicate, failed, leftOut, dryRun } = totals;
  const parts = [
    dryRun
      ? t('sources.wouldRead', { count: total - duplicate - failed })
      : t('sources.didRead', { count: completed }),
    duplicate > 0 && t('sources.duplicates', { count: duplicate }),
    failed > 0 && t('sources.failures', { count: failed }),
    leftOut > 0 && t('sources.leftOut', { count: leftOut }),
  ];
  return (
    <Text size="sm" c="dimmed">
      {parts.filter(Boolean).join(' · ')}
    </Text>
  );
}

const colors: Record<BackloadStatus, string> = {
  NEW: 'blue',
  COMPLETED: 'green',
  DUPLICATE: 'gray',
  FAILED: 'red',
};

interface ChosenProps {
  readonly job: ChosenJob;
  readonly mayWrite: boolean | undefined;
  readonly open: (jobId: string) => void;
}

/** The chosen backload with its addresses. A preview is followed by reading what it shows. */
export function ChosenBackload({ job, mayWrite, open }: ChosenProps) {
  const { t } = useTranslator();
  const totals = totalsOf(job);
  const input = inputOf(job, false);
  const newCount = totals?.dryRun ? totals.total - totals.duplicate - totals.failed : 0;
  const { run, fetching } = useAction(StartBackloadDocument);
  const read = async () => {
    const started = input && (await run({ input }))?.startBackload?.job;
    if (started) {
      open(started.id);
    }
  };
  return (
    <Panel
      title={<SourceName job={job} />}
      actions={
        newCount > 0 && (
          <ConfirmedButton
            allowed={mayWrite ?? false}
            size="xs"
            color="harbor"
            loading={fetching}
            subject={job.id}
            action={t('sources.readThese', { count: newCount })}
            question={t('sources.readQuestion', { count: newCount })}
            run={read}
          />
        )
      }
    >
      {totals ? (
        <Addresses key={job.id} job={job} />
      ) : (
        <ul className="rows">
          <JobRow job={job} mayWrite={mayWrite} />
        </ul>
      )}
    </Panel>
  );
}

const statuses: readonly BackloadStatus[] = ['NEW', 'COMPLETED', 'DUPLICATE', 'FAILED'];

function Addresses({ job }: { job: ChosenJob }) {
  const { t, name } = useTranslator();
  const [status, setStatus] = useState('');
  const totals = totalsOf(job);
  const sources = job.result && 'sources' in job.result ? job.result.sources : [];
  const used = statuses.filter((one) => sources.some((source) => source.status === one));
  const rows = sources.filter((source) => !status || source.status === status);
  return (
    <>
      <Stack p="md" gap="sm" align="flex-start">
        {totals && <Totals totals={totals} />}
        {used.length > 1 && (
          <SegmentedControl
            size="xs"
            aria-label={t('sources.status')}
            value={status}
            onChange={setStatus}
            data={[
              { value: '', label: t('action.allShort') },
              ...used.map((one) => ({ value: one, label: name('backload', one) })),
            ]}
          />
        )}
      </Stack>
      {rows.length === 0 ? (
        <EmptyState title={t('sources.nothing')} hint={t('sources.nothingHint')} />
      ) : (
        <ul className="rows">
          {rows.slice(0, shownRows).map(({ sourceUrl, ...source }, i) => (
            <li key={i}>
              <Group justify="space-between" wrap="nowrap" align="flex-start">
                <Text size="sm" component="div" style={{ overflowWrap: 'anywhere' }}>
                  {source.document ? (
                    <ScreenLink to={`/documents/${source.document.id}`}>
                      {source.document.title || sourceUrl}
                    </ScreenLink>
                  ) : (
                    <bdi>{sourceUrl}</bdi>
                  )}
                </Text>
                <Badge
                  variant="light"
                  size="sm"
                  color={colors[source.status]}
                  style={{ flexShrink: 0 }}
                >
                  {name('backload', source.status)}
                </Badge>
              </Group>
              {(source.error || source.warning) && (
                <Text size="sm" c={source.error ? 'red' : 'dimmed'}>
                  {source.error?.message ?? source.warning}
                </Text>
              )}
            </li>
          ))}
        </ul>
      )}
      {rows.length > shownRows && (
        <Text size="sm" c="dimmed" p="md">
          {t('filters.andMore', { count: rows.length - shownRows })}
        </Text>
      )}
    </>
  );
}

/** How many addresses of a backload are listed. */
const shownRows = 100;
