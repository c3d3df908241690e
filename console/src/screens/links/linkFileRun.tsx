import { Alert, Anchor, Button, Group, Stack, Table, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useQuery } from 'urql';
import { useAccess } from '../../access';
import { refusalText, translateFields } from '../../errorTranslation';
import { LinkFileProgressDocument } from '../../graph/links/graphql';
import { useTranslator } from '../../i18n';
import { useMay } from '../../liveUpdates';
import { fetchFile } from '../../ui/downloadFile';
import { JobRow } from '../../ui/jobRow';
import { RefusalAlert } from '../../ui/refusalAlert';
import { saveFile } from '../../ui/saveFile';
import { ScreenLink } from '../../ui/screenLink';
import type { FileRow } from './linkFile';
import type { StartedFile } from './linkFileDialog';
import { type ReportRow, readReport, reportCsv } from './linkReport';

/** Moves the focus to what replaces the form, whose button had it. */
const takeFocus = (element: HTMLElement | null) => element?.focus();

/** The progress of a job that makes links, and its report once it has ended. */
export function LinkFileRun({ jobId, rows }: StartedFile) {
  const { t } = useTranslator();
  const mayEdit = useMay('EDIT');
  const { job, error } = useJob(jobId);
  const result = job?.completedAt && job.result && 'url' in job.result ? job.result : null;
  return (
    <Stack gap="sm" ref={takeFocus} tabIndex={-1} style={{ outline: 'none' }}>
      <RefusalAlert error={error} />
      <ul className="rows">{job && <JobRow job={job} mayWrite={mayEdit} />}</ul>
      {result ? (
        <Report key={result.lineCount} url={result.url} rows={rows} />
      ) : (
        <Text size="sm" c="dimmed">
          {t('linkFile.goesOn')}{' '}
          <ScreenLink isInText to="/bulk">
            {t('bulkFiles.title')}
          </ScreenLink>
        </Text>
      )}
    </Stack>
  );
}

/** After how many milliseconds a cancelled job is read again. */
const lastLinesPause = 3_000;

/**
 * Reads a job, and a cancelled one again later: the lines that ran last are added to its report
 * after its end.
 */
function useJob(jobId: string) {
  const [{ data, error }, readAgain] = useQuery({
    query: LinkFileProgressDocument,
    variables: { jobId },
  });
  const job = data?.job;
  const isCancelled = job?.status === 'CANCELLED';
  useEffect(() => {
    if (!isCancelled) {
      return;
    }
    const timer = setTimeout(() => readAgain({ requestPolicy: 'network-only' }), lastLinesPause);
    return () => clearTimeout(timer);
  }, [isCancelled, readAgain]);
  return { job, error };
}

interface ReportProps {
  readonly url: string;
  readonly rows: readonly FileRow[];
}

/** Fetches the report of a job; null while it is under way, and "failed" if it did not come. */
function useReport({ url, rows }: ReportProps): readonly ReportRow[] | 'failed' | null {
  const access = useAccess();
  const translator = useTranslator();
  const [text, setText] = useState<string | null>(null);
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => {
    void (async () => {
      const file = await fetchFile(url, access);
      if (file instanceof Blob) {
        setText(await file.text());
      } else {
        setFailed(file === null);
      }
    })();
  }, [url, access]);
  if (hasFailed) {
    return 'failed';
  }
  return text === null
    ? null
    : readReport(text, rows, (code, message, fields) =>
        refusalText(translator, code, message, translateFields(translator, fields)),
      );
}

/** How many rows of the report are shown; the file has all. */
const shownRows = 100;

/** What became of the rows: those that were refused first. */
function Report(props: ReportProps) {
  const { t } = useTranslator();
  const report = useReport(props);
  if (report === null) {
    return null;
  }
  if (report === 'failed') {
    return (
      <Alert color="red" role="alert">
        {t('bulkFiles.failed')}
      </Alert>
    );
  }
  const made = report.filter(({ shortUrl }) => shortUrl);
  const refused = report.filter(({ reason }) => reason);
  const rest = report.length - made.length - refused.length;
  const said = [
    t('linkFile.made', { count: made.length }),
    refused.length > 0 && t('linkFile.refused', { count: refused.length }),
    rest > 0 && t('linkFile.notRun', { count: rest }),
  ];
  return (
    <>
      <Group justify="space-between" gap="xs">
        <Text role="status">{said.filter(Boolean).join(' · ')}</Text>
        <Button
          size="xs"
          variant="light"
          onClick={() =>
            saveFile('links-report.csv', new Blob([reportCsv(report)], { type: 'text/csv' }))
          }
        >
          {t('linkFile.saveReport')}
        </Button>
      </Group>
      <ReportTable rows={[...refused, ...made].slice(0, shownRows)} />
      {refused.length + made.length > shownRows && (
        <Text size="sm" c="dimmed">
          {t('linkFile.shown', { count: shownRows })}
        </Text>
      )}
    </>
  );
}

function ReportTable({ rows }: { rows: readonly ReportRow[] }) {
  const { t, number } = useTranslator();
  return (
    <div className="wide" tabIndex={0} role="group" aria-label={t('linkFile.report')}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t('linkFile.lineNumber')}</Table.Th>
            <Table.Th scope="col">{t('linkFile.outcome')}</Table.Th>
            <Table.Th scope="col">{t('links.destinationUrl')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ line, input, shortUrl, reason }) => (
            <Table.Tr key={line}>
              <Table.Td>{number(line)}</Table.Td>
              <Table.Td>
                {shortUrl ? (
                  <Anchor size="sm" href={shortUrl} target="_blank" rel="noreferrer">
                    {shortUrl}
                  </Anchor>
                ) : (
                  <Text size="sm" c="red">
                    {reason}
                  </Text>
                )}
              </Table.Td>
              <Table.Td dir="ltr">{input.destinationUrl}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}
