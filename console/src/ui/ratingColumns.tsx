import { Text } from '@mantine/core';
import { useTranslator } from '../i18n';

const scale = [1, 2, 3, 4, 5] as const;
const colors = ['red', 'orange', 'gray', 'lime', 'green'] as const;
const width = 100;
const height = 34;
const gap = 4;

/**
 * The number of ratings of each whole number, as columns. Their text has the counts and the mean.
 */
export function RatingColumns({ ratings }: { ratings: readonly number[] }) {
  const { t, number } = useTranslator();
  if (ratings.length === 0) {
    return <Text c="dimmed">—</Text>;
  }
  const counts = scale.map(
    (step) => ratings.filter((rating) => Math.round(rating) === step).length,
  );
  const most = Math.max(...counts);
  const mean =
    Math.round((10 * ratings.reduce((sum, rating) => sum + rating, 0)) / ratings.length) / 10;
  const column = (width - gap * (scale.length - 1)) / scale.length;
  const label = t('rating.columns', {
    count: ratings.length,
    mean,
    rows: scale.map((step, i) => `${number(step)}: ${number(counts[i] ?? 0)}`).join(', '),
  });
  return (
    <div>
      <svg
        className="columns"
        viewBox={`0 0 ${width} ${height}`}
        width={width}
        height={height}
        role="img"
        aria-label={label}
      >
        <title>{label}</title>
        {scale.map((step, i) => {
          const size = Math.max(2, ((counts[i] ?? 0) / most) * height);
          return (
            <rect
              key={step}
              x={i * (column + gap)}
              y={height - size}
              width={column}
              height={size}
              rx={1.5}
              fill={`var(--mantine-color-${counts[i] ? colors[i] : 'gray'}-${counts[i] ? 6 : 3})`}
            />
          );
        })}
      </svg>
      <Text size="xs" c="dimmed">
        {t('rating.mean', { mean, count: ratings.length })}
      </Text>
    </div>
  );
}
