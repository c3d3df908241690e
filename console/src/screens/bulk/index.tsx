import { Anchor, Button, Code, Stack, Text, Textarea } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useMutation } from 'urql';
import { useAccess } from '../../access';
import {
  BulkFilesDocument,
  type BulkFilesQuery,
  type BulkJobRowFragment,
  StartBulkQueryDocument,
} from '../../graph/bulk/graphql';
import { useTranslator } from '../../i18n';
import { useMay } from '../../liveUpdates';
import { downloadFile } from '../../ui/downloadFile';
import { JobRow } from '../../ui/jobRow';
import { EmptyPage } from '../../ui/pageLinks';
import { Panel } from '../../ui/panel';
import { RefusalAlert } from '../../ui/refusalAlert';
import { Screen, useScreen } from '../../ui/screen';
import { ScreenLink } from '../../ui/screenLink';

/** Whole lists as files: a form that starts one, and the latest jobs with their files. */
export default function BulkFiles() {
  const { t } = useTranslator();
  const result = useScreen(BulkFilesDocument, {});
  const mayWrite = useMay('WRITE');
  return (
    <Screen
      title={t('bulkFiles.title')}
      lead={
        <>
          <ScreenLink isInText to="/settings">
            {t('nav.settings')}
          </ScreenLink>{' '}
          · {t('bulkFiles.lead')}
        </>
      }
      result={result}
    >
      {(data) => {
        const jobs = jobsOf(data);
        return (
          <>
            <QueryForm reload={result.retry} />
            <Panel title={t('bulkFiles.jobs')}>
              {jobs.length === 0 && (
                <EmptyPage title={t('bulkFiles.none')} hint={t('bulkFiles.noneHint')} />
              )}
              <ul className="rows">
                {jobs.map((job) => (
                  <JobRow key={job.id} job={job} mayWrite={mayWrite}>
                    <JobFile job={job} />
                  </JobRow>
                ))}
              </ul>
            </Panel>
          </>
        );
      }}
    </Screen>
  );
}

/** The latest jobs of both kinds, the newest first. */
function jobsOf({ queries, mutations }: BulkFilesQuery): BulkJobRowFragment[] {
  const jobs = [...(queries?.nodes ?? []), ...(mutations?.nodes ?? [])];
  return jobs.sort((x, y) => y.createdAt.localeCompare(x.createdAt));
}

const example = `{
  documents {
    nodes {
      id
      title
      createdAt
      reactions {
        nodes {
          rating
        }
      }
    }
  }
}`;

function QueryForm({ reload }: { reload: () => void }) {
  const { t } = useTranslator();
  const [query, setQuery] = useState(example);
  const [{ fetching, error }, start] = useMutation(StartBulkQueryDocument);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if ((await start({ query })).data) {
      reload();
    }
  };
  return (
    <Panel title={t('bulkFiles.new')}>
      <Stack component="form" p="md" gap="sm" onSubmit={(event) => void submit(event)}>
        <Textarea
          label={t('bulkFiles.query')}
          description={t('bulkFiles.queryHint')}
          value={query}
          onChange={(event) => setQuery(event.currentTarget.value)}
          autosize
          minRows={8}
          maxRows={24}
          spellCheck={false}
          dir="ltr"
          styles={{ input: { fontFamily: 'monospace' } }}
          required
        />
        <RefusalAlert error={error} />
        <Button type="submit" loading={fetching} style={{ alignSelf: 'flex-start' }}>
          {t('bulkFiles.start')}
        </Button>
      </Stack>
    </Panel>
  );
}

/** What a job reads or runs, and its file once it has ended. */
function JobFile({ job: { id, parameters, result, completedAt } }: { job: BulkJobRowFragment }) {
  const { t, date, number } = useTranslator();
  const access = useAccess();
  const [isLoading, setLoading] = useState(false);
  const [failed, setFailed] = useState(false);
  const text =
    parameters && 'query' in parameters
      ? parameters.query
      : parameters && 'mutation' in parameters
        ? parameters.mutation
        : '';
  const file = completedAt && result && 'url' in result ? result : null;
  const download = async (url: string) => {
    setLoading(true);
    setFailed(!(await downloadFile(`${id}.jsonl`, url, access)));
    setLoading(false);
  };
  return (
    <>
      <details>
        <summary>{t('bulkFiles.text')}</summary>
        <Code block tabIndex={0} dir="ltr">
          {text}
        </Code>
      </details>
      {file && (
        <Text size="sm">
          <Anchor
            component="button"
            type="button"
            size="sm"
            disabled={isLoading}
            onClick={() => void download(file.url)}
          >
            {'rowCount' in file
              ? t('bulkFiles.file', { count: file.rowCount, size: number(toKB(file.byteCount)) })
              : t('bulkFiles.report', {
                  count: file.lineCount,
                  failed: number(file.failedCount),
                  size: number(toKB(file.byteCount)),
                })}
          </Anchor>{' '}
          · {t('bulkFiles.until', { date: date(file.expiresAt) })}
        </Text>
      )}
      {failed && (
        <Text size="sm" c="red" role="alert">
          {t('bulkFiles.failed')}
        </Text>
      )}
    </>
  );
}

const toKB = (bytes: number) => Math.ceil(bytes / 1000);
