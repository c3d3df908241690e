import { Group, NativeSelect, Progress, Table, Text } from '@mantine/core';
import type { LinkDimension } from '../../graph/link/graphql';
import { useTranslator } from '../../i18n';
import { EmptyState } from '../../ui/screen';
import { Panel } from '../../ui/panel';
import type { LinkDetails } from './link';

/** What opens are shown by, in the order of the choice. */
export const dimensions = [
  'COUNTRY',
  'REFERRER',
  'UTM_SOURCE',
  'UTM_MEDIUM',
  'UTM_CAMPAIGN',
  'UTM_TERM',
  'UTM_CONTENT',
  'DEVICE',
  'BROWSER',
  'OS',
] as const satisfies readonly LinkDimension[];

interface Props {
  readonly link: LinkDetails;
  readonly dimension: LinkDimension;
  readonly setDimension: (dimension: LinkDimension) => void;
}

/** Where viewers came from, and what they used, in the period of the plot above. */
export function Breakdown({ link, dimension, setDimension }: Props) {
  const { t } = useTranslator();
  const choice = (
    <NativeSelect
      size="xs"
      aria-label={t('links.by')}
      value={dimension}
      onChange={(event) => setDimension(event.currentTarget.value as LinkDimension)}
      data={dimensions.map((value) => ({ value, label: t(`links.by.${value}`) }))}
    />
  );
  const { breakdown } = link;
  return (
    link.openCount > 0 && (
      <Panel title={t('links.origin')} actions={choice}>
        {!breakdown || breakdown.openCount === 0 ? (
          <EmptyState title={t('links.noOpensThen')} />
        ) : (
          <BreakdownTable breakdown={breakdown} dimension={dimension} />
        )}
      </Panel>
    )
  );
}

type Counts = NonNullable<LinkDetails['breakdown']>;

interface Line {
  readonly label: string;
  readonly openCount: number;
  readonly convertedCount?: number;
}

function BreakdownTable({ breakdown, dimension }: { breakdown: Counts; dimension: LinkDimension }) {
  const { t } = useTranslator();
  const label = useValueLabel(dimension);
  const { openCount, unknownCount, rows } = breakdown;
  const rare = openCount - unknownCount - rows.reduce((sum, row) => sum + row.openCount, 0);
  const lines: readonly Line[] = [
    ...rows.map(({ value, ...counts }) => ({ label: label(value), ...counts })),
    ...(rare > 0 ? [{ label: t('links.otherValues'), openCount: rare }] : []),
    ...(unknownCount > 0 ? [{ label: t('links.unknownValue'), openCount: unknownCount }] : []),
  ];
  return (
    <div className="wide" tabIndex={0} role="group" aria-label={t('links.origin')}>
      <Table verticalSpacing="xs" horizontalSpacing="md">
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t(`links.by.${dimension}`)}</Table.Th>
            <Table.Th scope="col">{t('links.opens')}</Table.Th>
            <Table.Th scope="col">{t('links.converted')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {lines.map((line) => (
            <LineRow key={line.label} line={line} openCount={openCount} />
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

function LineRow({ line, openCount }: { line: Line; openCount: number }) {
  const { number, percent } = useTranslator();
  const share = line.openCount / openCount;
  return (
    <Table.Tr>
      <Table.Td>
        <Text size="sm" dir="auto" style={{ overflowWrap: 'anywhere' }}>
          {line.label}
        </Text>
        <Progress value={100 * share} size="xs" mt={4} aria-hidden />
      </Table.Td>
      <Table.Td>
        <Group gap={6} wrap="nowrap">
          <span className="count">{number(line.openCount)}</span>
          <Text size="xs" c="dimmed" component="span">
            {percent(share)}
          </Text>
        </Group>
      </Table.Td>
      <Table.Td>{line.convertedCount === undefined ? '' : number(line.convertedCount)}</Table.Td>
    </Table.Tr>
  );
}

/** Returns a function that names a value: countries and devices in the reader's language. */
function useValueLabel(dimension: LinkDimension): (value: string) => string {
  const { name, language } = useTranslator();
  if (dimension === 'DEVICE') {
    return (value) => name('device', value.toUpperCase());
  }
  if (dimension !== 'COUNTRY') {
    return (value) => value;
  }
  const countries = new Intl.DisplayNames([language], { type: 'region' });
  return (value) => {
    try {
      return countries.of(value) ?? value;
    } catch {
      return value; // no code of a region
    }
  };
}
