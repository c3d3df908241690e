import { Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { type BackfillRowFragment, StartBackfillDocument } from '../../graph/filter/graphql';
import { useTranslator } from '../../i18n';
import { ConfirmedButton } from '../../ui/confirmedButton';
import { GuardedButton } from '../../ui/guardedButton';
import { JobRow } from '../../ui/jobRow';
import { useNotice } from '../../ui/notice';
import { Panel } from '../../ui/panel';
import { ScreenLink } from '../../ui/screenLink';
import { useAction } from '../../ui/useAction';
import type { Filter } from './filter';

interface BackfillProps {
  readonly filter: Filter;
  readonly jobs: readonly BackfillRowFragment[];
  readonly mayWrite: boolean | undefined;
  readonly reload: () => void;
}

const limits = [50, 200, 500, 2000];

/** Looks through earlier documents for the filter: as a trial, which hides nothing, or for good. */
export function Backfill({ filter, jobs, mayWrite, reload }: BackfillProps) {
  const { t, number } = useTranslator();
  const notify = useNotice();
  const [limit, setLimit] = useState(200);
  const backfill = useAction(StartBackfillDocument);
  const start = async (dryRun: boolean) => {
    const data = await backfill.run({ input: { tagId: filter.autoTagId, limit, dryRun } });
    const started = data?.startFilterBackfill;
    if (started) {
      notify(
        started.queued === 0
          ? t('filters.backfillNone')
          : t('filters.backfillStarted', { count: started.queued, rest: started.remaining }),
      );
      reload();
    }
  };
  const own = jobs.filter(
    ({ parameters }) =>
      parameters && 'autoTagId' in parameters && parameters.autoTagId === filter.autoTagId,
  );
  return (
    <Panel title={t('filters.backfill')}>
      <Stack p="md" gap="sm">
        <Text size="sm" c="dimmed">
          {t('filters.backfillHint')}
        </Text>
        <Group align="flex-end">
          <NativeSelect
            label={t('filters.backfillLimit')}
            value={String(limit)}
            onChange={(event) => setLimit(Number(event.currentTarget.value))}
            data={limits.map((value) => ({ value: String(value), label: number(value) }))}
          />
          <GuardedButton
            allowed={mayWrite}
            variant="light"
            loading={backfill.fetching}
            onClick={() => void start(true)}
          >
            {t('filters.backfillTry')}
          </GuardedButton>
          <ConfirmedButton
            allowed={mayWrite ?? false}
            loading={backfill.fetching}
            subject={filter.id}
            action={t('filters.backfillRun')}
            question={t('filters.backfillQuestion', { name: filter.name, count: limit })}
            run={() => start(false)}
          />
        </Group>
      </Stack>
      <ul className="rows">
        {own.map((job) => (
          <BackfillJob key={job.id} job={job} mayWrite={mayWrite} />
        ))}
      </ul>
    </Panel>
  );
}

/** A backfill with its progress, then what it hid or would hide. */
function BackfillJob({
  job,
  mayWrite,
}: {
  job: BackfillRowFragment;
  mayWrite: boolean | undefined;
}) {
  const { t } = useTranslator();
  const result = job.result && 'checkedCount' in job.result ? job.result : null;
  const documents = result?.hiddenDocuments ?? [];
  return (
    <JobRow job={job} mayWrite={mayWrite}>
      {result && (
        <>
          <Text size="sm" fw={550}>
            {t(result.dryRun ? 'filters.wouldHideOf' : 'filters.hidOf', {
              count: documents.length,
              checked: result.checkedCount,
            })}
          </Text>
          {documents.slice(0, shownDocuments).map(({ id, title }) => (
            <Text size="sm" key={id}>
              <ScreenLink to={`/documents/${id}`}>{title || t('document.untitled')}</ScreenLink>
            </Text>
          ))}
          {documents.length > shownDocuments && (
            <Text size="sm" c="dimmed">
              {t('filters.andMore', { count: documents.length - shownDocuments })}
            </Text>
          )}
        </>
      )}
    </JobRow>
  );
}

/** How many documents of a result are named. */
const shownDocuments = 20;
