import { useTranslator } from '../../i18n';
import { SvgLink } from '../../ui/svgLink';

interface RatedPoint {
  readonly id: string;
  readonly at: string;
  readonly rating: number;
  readonly document?: { readonly id: string; readonly title: string } | null | undefined;
}

interface ComparedPoint extends RatedPoint {
  readonly observed?: number | null | undefined;
}

const width = 320;
const height = 130;
const edge = { start: 22, end: 8, top: 8, bottom: 20 };
const ratings = [1, 2, 3, 4, 5] as const;

/** Plots ratings over time. A mark is a reaction and opens it in its document. */
export function RatingTimes({ points }: { points: readonly RatedPoint[] }) {
  const { t, number, date } = useTranslator();
  const times = points.map(({ at }) => new Date(at).getTime());
  const [first, last] = [Math.min(...times), Math.max(...times)];
  const x = (time: number) =>
    edge.start +
    (last === first ? 0.5 : (time - first) / (last - first)) * (width - edge.start - edge.end);
  const y = (rating: number) => edge.top + ((5 - rating) / 4) * (height - edge.top - edge.bottom);
  return (
    <svg
      className="plot"
      viewBox={`0 0 ${width} ${height}`}
      direction="ltr"
      role="group"
      aria-label={t('rating.times', { count: points.length })}
    >
      {ratings.map((rating) => (
        <g key={rating} aria-hidden>
          <line
            x1={edge.start}
            x2={width - edge.end}
            y1={y(rating)}
            y2={y(rating)}
            className="plot-line"
          />
          <text x={edge.start - 8} y={y(rating) + 3} textAnchor="middle">
            {number(rating)}
          </text>
        </g>
      ))}
      {[...new Set([first, last])].map((time) => (
        <text
          key={time}
          x={x(time)}
          y={height - 4}
          textAnchor={first === last ? 'middle' : time === first ? 'start' : 'end'}
          aria-hidden
        >
          {date(new Date(time).toISOString())}
        </text>
      ))}
      {points.map((point, i) => {
        const mark = (
          <circle cx={x(times[i] ?? first)} cy={y(point.rating)} r={4.5} className="plot-mark" />
        );
        const label = t('rating.point', {
          rating: Math.round(10 * point.rating) / 10,
          title: point.document?.title ?? '—',
          date: date(point.at),
        });
        return (
          point.document && (
            <SvgLink
              key={point.id}
              to={`/documents/${point.document.id}?at=${point.id}`}
              label={label}
            >
              {mark}
            </SvgLink>
          )
        );
      })}
    </svg>
  );
}

const side = 240;

/**
 * Plots the ratings of people against those of the persona. A mark is a text that people rated; on
 * the line both ratings are equal.
 */
export function RatingPairs({ points }: { points: readonly ComparedPoint[] }) {
  const { t, number } = useTranslator();
  const compared = points.flatMap(({ observed, ...point }) =>
    observed == null ? [] : [{ ...point, observed }],
  );
  const place = (rating: number) => ((rating - 1) / 4) * (side - edge.start - edge.end);
  const x = (rating: number) => edge.start + place(rating);
  const y = (rating: number) => side - edge.bottom - place(rating);
  return (
    <svg
      className="plot plot-square"
      viewBox={`0 0 ${side} ${side}`}
      direction="ltr"
      role="group"
      aria-label={t('rating.pairs', { count: compared.length })}
    >
      <line x1={x(1)} y1={y(1)} x2={x(5)} y2={y(5)} className="plot-line" aria-hidden />
      {ratings.map((rating) => (
        <g key={rating} aria-hidden>
          <text x={x(rating)} y={side - 6} textAnchor="middle">
            {number(rating)}
          </text>
          <text x={edge.start - 10} y={y(rating) + 3} textAnchor="middle">
            {number(rating)}
          </text>
        </g>
      ))}
      {compared.map(({ id, rating, observed, document }) => {
        const label = t('rating.pair', {
          rating: Math.round(10 * rating) / 10,
          observed,
          title: document?.title ?? '—',
        });
        return (
          document && (
            <SvgLink key={id} to={`/documents/${document.id}?at=${id}`} label={label}>
              <circle cx={x(observed)} cy={y(rating)} r={4} className="plot-mark" />
            </SvgLink>
          )
        );
      })}
    </svg>
  );
}
