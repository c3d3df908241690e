import { Stack, Table, Text } from '@mantine/core';
import type { EvidenceFragment } from '../../graph/comparison/graphql';
import { useTranslator } from '../../i18n';
import { passageAddress } from '../../ui/address';
import { Panel } from '../../ui/panel';
import { EmptyState } from '../../ui/screen';
import { SvgLink } from '../../ui/svgLink';
import { Citations } from './citations';
import type { ComparisonResult } from './comparison';

type Kind = 'attack' | 'defend' | 'whitespace' | 'theme';

/** A claim or a theme, with the number of cited statements of the own side and of the others. */
interface Claim {
  readonly number: number;
  readonly kind: Kind;
  readonly text: string;
  readonly evidence: readonly EvidenceFragment[];
  readonly own: number;
  readonly others: number;
}

type MapData = NonNullable<ComparisonResult['strategicMap']>;

function listClaims(
  map: MapData,
  rows: ComparisonResult['aiAnalysis']['comparisonMatrix'],
): Claim[] {
  const side = new Set(map.own);
  const isOwn = ({ executive, company }: EvidenceFragment) =>
    side.has(executive ?? '') || side.has(company ?? '');
  const points = (['attack', 'defend', 'whitespace'] as const).flatMap((kind) =>
    map[kind].map(({ text, evidence }) => ({
      kind,
      text,
      evidence,
      own: evidence.filter(isOwn).length,
    })),
  );
  const themes = rows.map(({ theme, cells }) => ({
    kind: 'theme' as const,
    text: theme,
    evidence: cells.flatMap(({ evidence }) => evidence),
    own: cells
      .filter(({ subject }) => side.has(subject))
      .reduce((sum, { evidence }) => sum + evidence.length, 0),
  }));
  return [...points, ...themes].map((one, i) => ({
    ...one,
    number: i + 1,
    others: one.evidence.length - one.own,
  }));
}

/**
 * The strategic map: a picture that places claims by their numbers of statements, and a table with
 * the passages.
 */
export function StrategicMap({
  map,
  rows,
}: {
  map: MapData;
  rows: ComparisonResult['aiAnalysis']['comparisonMatrix'];
}) {
  const { t } = useTranslator();
  const claims = listClaims(map, rows);
  if (claims.length === 0) {
    return (
      <Panel title={t('comparison.map')}>
        <EmptyState title={t('comparison.nothing')} />
      </Panel>
    );
  }
  return (
    <Panel title={t('comparison.map')}>
      <Stack gap="md" p="md">
        <Text size="sm" c="dimmed">
          {map.own.length > 0 ? t('map.hint', { own: map.own.join(', ') }) : t('map.noSide')}
        </Text>
        {map.own.length > 0 && <Picture claims={claims} />}
        <ClaimTable claims={claims} />
      </Stack>
    </Panel>
  );
}

const size = { width: 560, height: 320 };
const edge = { start: 48, end: 24, top: 20, bottom: 44 };
const radius = 11;
const spread = 2 * radius + 2;
const colors: Record<Kind, string> = {
  attack: 'green-8',
  defend: 'red-8',
  whitespace: 'gray-7',
  theme: 'blue-8',
};

/** Returns the place of each claim; claims with the same numbers are side by side. */
function placeClaims(claims: readonly Claim[]) {
  const most = Math.max(1, ...claims.flatMap(({ own, others }) => [own, others]));
  const taken = new Map<string, number>();
  const marks = claims.map((claim) => {
    const key = `${claim.own} ${claim.others}`;
    const order = taken.get(key) ?? 0;
    taken.set(key, order + 1);
    const x =
      edge.start +
      radius +
      (claim.own / most) * (size.width - edge.start - edge.end - 6 * radius) +
      (order % 3) * spread;
    const y =
      size.height -
      edge.bottom -
      radius -
      (claim.others / most) * (size.height - edge.top - edge.bottom - 4 * radius) -
      Math.floor(order / 3) * spread;
    return { claim, x, y };
  });
  return { marks, most };
}

function Picture({ claims }: { claims: readonly Claim[] }) {
  const { t, number } = useTranslator();
  const { marks, most } = placeClaims(claims);
  return (
    <svg
      className="plot"
      viewBox={`0 0 ${size.width} ${size.height}`}
      direction="ltr"
      role="group"
      aria-label={t('map.picture', { count: claims.length })}
    >
      <g aria-hidden>
        <line
          x1={edge.start}
          x2={size.width - edge.end}
          y1={size.height - edge.bottom}
          y2={size.height - edge.bottom}
          className="plot-line"
        />
        <line
          x1={edge.start}
          x2={edge.start}
          y1={edge.top}
          y2={size.height - edge.bottom}
          className="plot-line"
        />
        <text x={(size.width + edge.start) / 2} y={size.height - 10} textAnchor="middle">
          {t('map.own')} (0–{number(most)})
        </text>
        <text
          x={16}
          y={size.height / 2}
          textAnchor="middle"
          transform={`rotate(-90 16 ${size.height / 2})`}
        >
          {t('map.others')} (0–{number(most)})
        </text>
      </g>
      {marks.map(({ claim, x, y }) => (
        <Mark key={claim.number} claim={claim} x={x} y={y} />
      ))}
    </svg>
  );
}

function Mark({ claim, x, y }: { claim: Claim; x: number; y: number }) {
  const { t, number } = useTranslator();
  const label = t('map.mark', {
    number: claim.number,
    kind: t(`map.${claim.kind}`),
    text: claim.text,
    own: claim.own,
    others: claim.others,
  });
  const proof = claim.evidence[0];
  const mark = (
    <>
      {claim.kind === 'theme' ? (
        <rect
          x={x - radius}
          y={y - radius}
          width={2 * radius}
          height={2 * radius}
          rx={3}
          fill={`var(--mantine-color-${colors.theme})`}
        />
      ) : (
        <circle cx={x} cy={y} r={radius} fill={`var(--mantine-color-${colors[claim.kind]})`} />
      )}
      <text x={x} y={y + 4} textAnchor="middle" className="plot-number">
        {number(claim.number)}
      </text>
    </>
  );
  return proof ? (
    <SvgLink to={passageAddress({ ...proof, findingId: proof.signalId })} label={label}>
      {mark}
    </SvgLink>
  ) : (
    <g role="img" aria-label={label}>
      <title>{label}</title>
      {mark}
    </g>
  );
}

function ClaimTable({ claims }: { claims: readonly Claim[] }) {
  const { t, number } = useTranslator();
  return (
    <div className="wide" tabIndex={0} role="group" aria-label={t('map.table')}>
      <Table verticalSpacing="sm" horizontalSpacing="md">
        <Table.Thead>
          <Table.Tr>
            {(['map.number', 'map.kind', 'map.claim', 'map.own', 'map.others'] as const).map(
              (key) => (
                <Table.Th key={key} scope="col">
                  {t(key)}
                </Table.Th>
              ),
            )}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {claims.map((claim) => (
            <Table.Tr key={claim.number} data-claim={claim.kind}>
              <Table.Td>{number(claim.number)}</Table.Td>
              <Table.Td>{t(`map.${claim.kind}`)}</Table.Td>
              <Table.Td miw={220}>
                <Text size="sm" dir="auto">
                  {claim.text}
                </Text>
                <Citations of={claim.evidence} />
              </Table.Td>
              <Table.Td>{number(claim.own)}</Table.Td>
              <Table.Td>{number(claim.others)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}
