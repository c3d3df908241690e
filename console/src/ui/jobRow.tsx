import { ActionIcon, Badge, Group, Progress, Text } from '@mantine/core';
import { IconPlayerStop, IconRefresh, IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import {
  CancelJobDocument,
  DismissJobDocument,
  type JobRowFragment,
  type JobStatus,
  RetryJobDocument,
} from '../graph/graphql';
import { useTranslator } from '../i18n';
import { useMay } from '../liveUpdates';
import { ScreenLink } from './screenLink';
import { useAction } from './useAction';

const colors: Record<JobStatus, string> = {
  QUEUED: 'gray',
  RUNNING: 'harbor',
  COMPLETED: 'green',
  FAILED: 'red',
  CANCELLED: 'gray',
  RETRYING: 'orange',
};

export function JobBadge({ status }: { status: JobStatus }) {
  const { name } = useTranslator();
  return (
    <Badge variant="light" color={colors[status]} size="sm" style={{ flexShrink: 0 }}>
      {name('jobStatus', status)}
    </Badge>
  );
}

/** Reports whether the list of documents shows what the job has done. */
const isBulk = ({ jobType }: JobRowFragment) =>
  jobType === 'BULK_UPDATE' || jobType === 'BULK_UNDO';

interface JobProps {
  readonly job: JobRowFragment;
  readonly mayWrite: boolean | undefined;
  /** What the job is about or has found. */
  readonly children?: ReactNode;
}

/** A job with its live progress, and the buttons to cancel and retry it. */
export function JobRow({ job, mayWrite, children }: JobProps) {
  const { t, name, ago } = useTranslator();
  const mayStop = useMay('WRITE') && mayWrite;
  const running = job.status === 'RUNNING' || job.status === 'QUEUED' || job.status === 'RETRYING';
  const cancel = useAction(CancelJobDocument);
  const retry = useAction(RetryJobDocument);
  const dismiss = useAction(DismissJobDocument);
  const kind = name('jobType', job.jobType);
  return (
    <li data-job={job.id}>
      <Group justify="space-between" wrap="nowrap" gap="sm">
        <div style={{ flex: 1, minInlineSize: 0 }}>
          {job.document ? (
            <ScreenLink to={`/documents/${job.document.id}`} className="row-link">
              {job.document.title || kind}
            </ScreenLink>
          ) : isBulk(job) ? (
            <ScreenLink to={`/documents?job=${job.id}`} className="row-link">
              {kind}
            </ScreenLink>
          ) : (
            <Text fw={550}>{kind}</Text>
          )}
          <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {[job.document && kind, job.errorMessage ?? job.note, ago(job.createdAt)]
              .filter(Boolean)
              .join(' · ')}
          </Text>
        </div>
        <Group gap={6} wrap="nowrap" style={{ flexShrink: 0 }}>
          <JobBadge status={job.status} />
          {running && mayStop && (
            <ActionIcon
              title={t('job.cancel')}
              variant="subtle"
              color="gray"
              loading={cancel.fetching}
              aria-label={t('job.cancelOf', { kind })}
              onClick={() => void cancel.run({ jobId: job.id })}
            >
              <IconPlayerStop size={16} aria-hidden />
            </ActionIcon>
          )}
          {job.status === 'FAILED' && mayStop && (
            <ActionIcon
              title={t('job.retry')}
              variant="subtle"
              loading={retry.fetching}
              aria-label={t('job.retryOf', { kind })}
              onClick={() => void retry.run({ jobId: job.id })}
            >
              <IconRefresh size={16} aria-hidden />
            </ActionIcon>
          )}
          {job.status === 'FAILED' && !job.dismissedAt && mayStop && (
            <ActionIcon
              title={t('job.dismiss')}
              variant="subtle"
              color="gray"
              loading={dismiss.fetching}
              aria-label={t('job.dismissOf', { kind })}
              onClick={() => void dismiss.run({ jobId: job.id })}
            >
              <IconX size={16} aria-hidden />
            </ActionIcon>
          )}
        </Group>
      </Group>
      {running && (
        <Progress
          value={job.progress}
          mt={8}
          size="sm"
          animated={job.status === 'RUNNING'}
          aria-label={t('job.progressOf', { kind })}
        />
      )}
      {children}
    </li>
  );
}
