/** A small plot of counts over time. Screen readers read its label. */
export function Sparkline({ values, label }: { values: readonly number[]; label: string }) {
  const width = 240;
  const height = 44;
  const top = Math.max(1, ...values);
  const step = width / Math.max(1, values.length - 1);
  const points = values
    .map(
      (value, i) =>
        `${(i * step).toFixed(1)},${(height - 3 - (value / top) * (height - 8)).toFixed(1)}`,
    )
    .join(' ');
  return (
    <svg
      className="spark"
      viewBox={`0 0 ${width} ${height}`}
      height={height}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <polygon
        points={`0,${height} ${points} ${width},${height}`}
        fill="var(--mantine-color-harbor-light)"
      />
      <polyline
        points={points}
        fill="none"
        stroke="var(--mantine-primary-color-filled)"
        strokeWidth="2"
        vectorEffect="non-scaling-stroke"
        strokeLinejoin="round"
      />
    </svg>
  );
}
