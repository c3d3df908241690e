import { Alert, List, Table, Text } from '@mantine/core';
import { useTranslator } from '../../i18n';
import type { FileRow, Problem } from './linkFile';

/** How many rows and problems are shown. */
const shownRows = 5;
const shownProblems = 100;

/** Names what must be mended before the file can be sent. */
export function FileProblems({ problems }: { problems: readonly Problem[] }) {
  const { t, number } = useTranslator();
  return (
    <Alert color="red" role="alert" title={t('linkFile.problems', { count: problems.length })}>
      <List size="sm" className="wide" tabIndex={0} mah={240} style={{ overflowY: 'auto' }}>
        {problems.slice(0, shownProblems).map(({ line, column, reason, values }, i) => (
          <List.Item key={i} style={{ overflowWrap: 'anywhere' }}>
            {t(column ? 'linkFile.cell' : 'linkFile.line', { line: number(line), column })}{' '}
            {t(`linkFile.problem.${reason}`, values)}
          </List.Item>
        ))}
      </List>
      {problems.length > shownProblems && (
        <Text size="sm">{t('linkFile.more', { count: problems.length - shownProblems })}</Text>
      )}
    </Alert>
  );
}

/** The first links of a file, as they will be made. */
export function FilePreview({ rows }: { rows: readonly FileRow[] }) {
  const { t, number, dateTime } = useTranslator();
  return (
    <div role="status">
      <Text size="sm" fw={550}>
        {t('linkFile.found', { count: rows.length })}
      </Text>
      <div className="wide" tabIndex={0} role="group" aria-label={t('linkFile.preview')}>
        <Table>
          <Table.Thead>
            <Table.Tr>
              {(
                [
                  'linkFile.lineNumber',
                  'links.destinationUrl',
                  'links.title',
                  'links.slug',
                  'links.tags',
                  'links.expiresAt',
                  'links.maxOpens',
                ] as const
              ).map((key) => (
                <Table.Th key={key} scope="col">
                  {t(key)}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.slice(0, shownRows).map(({ line, input }) => (
              <Table.Tr key={line}>
                <Table.Td>{number(line)}</Table.Td>
                <Table.Td dir="ltr">{input.destinationUrl}</Table.Td>
                <Table.Td dir="auto">{input.title}</Table.Td>
                <Table.Td dir="ltr">{input.slug}</Table.Td>
                <Table.Td dir="auto">{input.tags?.join(' · ')}</Table.Td>
                <Table.Td>{input.expiresAt && dateTime(input.expiresAt)}</Table.Td>
                <Table.Td>{input.maxOpens && number(input.maxOpens)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
    </div>
  );
}
