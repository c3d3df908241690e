import { Badge, Button, Group, Table } from '@mantine/core';
import { useState } from 'react';
import { useClient } from 'urql';
import { MoreSubmissionsDocument, type SubmissionsFragment } from '../../graph/link/graphql';
import { useTranslator } from '../../i18n';
import { problemText } from '../../problemText';
import { useNotice } from '../../ui/notice';
import { Panel } from '../../ui/panel';
import { EmptyState } from '../../ui/screen';
import type { LinkDetails } from './link';

type Submission = SubmissionsFragment['nodes'][number];

/** Returns the names of the answers: first those of the form, then those of older submissions. */
function answerNames(link: LinkDetails, rows: readonly Submission[]): string[] {
  const current = link.form?.fields.map(({ name }) => name) ?? [];
  return [...new Set([...current, ...rows.flatMap(({ data }) => Object.keys(data ?? {}))])];
}

function answerOf({ data }: Submission, name: string): string {
  const value = (data as Record<string, unknown> | null)?.[name];
  if (Array.isArray(value)) {
    return value.join(', ');
  }
  return typeof value === 'string' ? value : value == null ? '' : JSON.stringify(value);
}

/** What visitors sent by the page's form, with a column for each question. */
export function Submissions({ link }: { link: LinkDetails }) {
  const { t, dateTime } = useTranslator();
  const notify = useNotice();
  const client = useClient();
  const [later, setLater] = useState<SubmissionsFragment[]>([]);
  const pages = [...(link.submissions ? [link.submissions] : []), ...later];
  const rows = [
    ...new Map(pages.flatMap(({ nodes }) => nodes).map((row) => [row.id, row])).values(),
  ];
  const last = pages.at(-1)?.pageInfo;
  const names = answerNames(link, rows);
  const labels = new Map(link.form?.fields.map(({ name, label }) => [name, label]));
  const load = async () => {
    const { data, error } = await client
      .query(
        MoreSubmissionsDocument,
        { id: link.id, after: last?.endCursor ?? null },
        { requestPolicy: 'network-only' },
      )
      .toPromise();
    const page = data?.link?.submissions;
    if (page) {
      // New submissions move rows from the first page to no page, so what it had is kept.
      const kept = later.length > 0 || !link.submissions ? later : [link.submissions];
      setLater([...kept, page]);
    } else if (error) {
      notify(problemText(error, t), true);
    }
  };
  if (rows.length === 0 && link.kind !== 'PAGE') {
    return null;
  }
  return (
    <Panel
      title={t('links.submissions')}
      actions={<Badge variant="light">{link.submissions?.totalCount ?? 0}</Badge>}
    >
      {rows.length === 0 ? (
        <EmptyState title={t('links.noSubmissions')} hint={t('links.noSubmissionsHint')} />
      ) : (
        <div className="wide" tabIndex={0} role="group" aria-label={t('links.submissions')}>
          <Table verticalSpacing="sm" horizontalSpacing="md">
            <Table.Thead>
              <Table.Tr>
                <Table.Th scope="col">{t('links.time')}</Table.Th>
                {names.map((name) => (
                  <Table.Th key={name} scope="col">
                    {labels.get(name) ?? name}
                  </Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.map((row) => (
                <Table.Tr key={row.id} data-submission={row.id}>
                  <Table.Td style={{ whiteSpace: 'nowrap' }}>{dateTime(row.createdAt)}</Table.Td>
                  {names.map((name) => (
                    <Table.Td key={name} dir="auto" miw="9rem">
                      {answerOf(row, name)}
                    </Table.Td>
                  ))}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </div>
      )}
      {last?.hasNextPage && (
        <Group p="md">
          <Button size="xs" variant="default" onClick={() => void load()}>
            {t('action.more')}
          </Button>
        </Group>
      )}
    </Panel>
  );
}
