import { CloseButton, Group, Text } from '@mantine/core';
import { useEffect, useEffectEvent, useRef } from 'react';
import { type BulkJobFragment, UndoBulkUpdateDocument } from '../../graph/documents/graphql';
import { useTranslator } from '../../i18n';
import { useMay } from '../../liveUpdates';
import { GuardedButton } from '../../ui/guardedButton';
import { JobRow } from '../../ui/jobRow';
import { useNotice } from '../../ui/notice';
import { Panel } from '../../ui/panel';
import { useAction } from '../../ui/useAction';
import { Skips } from './bulkPreview';

interface BulkJobProps {
  readonly job: BulkJobFragment;
  readonly open: (jobId: string) => void;
  readonly close: () => void;
}

/** A bulk update with its progress, then what it has done, and the button that takes it back. */
export function BulkJob({ job, open, close }: BulkJobProps) {
  const { t, name, date } = useTranslator();
  const mayEdit = useMay('EDIT');
  const { result } = job;
  const done = result && 'changedCount' in result ? result : null;
  const { undo, undoing } = useUndo(job, open);
  useEndNotice(job, undo);
  return (
    <Panel
      title={name('jobType', job.jobType)}
      actions={<CloseButton aria-label={t('action.close')} onClick={close} />}
    >
      <ul className="rows">
        <JobRow job={job} mayWrite={mayEdit}>
          {done && (
            <>
              <Text size="sm" role="status">
                {[
                  job.jobType === 'BULK_UNDO'
                    ? t('bulk.undone', { count: done.changedCount })
                    : t('bulk.changed', { count: done.changedCount }),
                  done.unchangedCount > 0 && t('bulk.unchanged', { count: done.unchangedCount }),
                  done.unreachedCount > 0 && t('bulk.unreached', { count: done.unreachedCount }),
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </Text>
              <Skips skips={done.skips} count={done.skippedCount} />
              {done.undoableUntil && (
                <Group gap="xs" mt="xs">
                  <GuardedButton
                    allowed={mayEdit}
                    size="xs"
                    variant="light"
                    loading={undoing}
                    onClick={() => void undo()}
                  >
                    {t('bulk.undo')}
                  </GuardedButton>
                  <Text size="sm" c="dimmed">
                    {t('bulk.undoUntil', { at: date(done.undoableUntil) })}
                  </Text>
                </Group>
              )}
            </>
          )}
        </JobRow>
      </ul>
    </Panel>
  );
}

/** Returns a function that takes the update back. */
function useUndo(job: BulkJobFragment, open: (jobId: string) => void) {
  const { run, fetching } = useAction(UndoBulkUpdateDocument);
  const undo = async () => {
    const started = (await run({ jobId: job.id }))?.undoBulkUpdate?.job;
    if (started) {
      open(started.id);
    }
  };
  return { undo, undoing: fetching };
}

/** Tells in the corner that the update has ended, with the button that takes it back. */
function useEndNotice(job: BulkJobFragment, undo: () => Promise<void>) {
  const { t } = useTranslator();
  const notify = useNotice();
  const seen = useRef(job.completedAt);
  const tell = useEffectEvent(() => {
    const { result } = job;
    if (result && 'changedCount' in result && result.undoableUntil) {
      notify(t('bulk.changed', { count: result.changedCount }), false, {
        label: t('trash.undo'),
        run: () => void undo(),
      });
    }
  });
  const hasEnded = Boolean(job.completedAt && job.result);
  useEffect(() => {
    if (hasEnded && !seen.current) {
      seen.current = job.completedAt;
      tell();
    }
  }, [hasEnded, job.completedAt]);
}
