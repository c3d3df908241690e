import type { AnalysisFragment, CoverageVerdict } from '../../graph/draft/graphql';
import type { Translator } from '../../i18n';
import type { Mark } from './markedEditor';

/** What an analysis says about a point, or the text model. */
export type PointVerdict = Pick<
  AnalysisFragment['points'][number],
  'verdict' | 'passage' | 'missingWords'
> & { readonly byModel?: boolean };

export const verdictColors: Record<CoverageVerdict, string> = {
  COVERED: 'green',
  PARTLY: 'orange',
  CONTRADICTED: 'red',
  ABSENT: 'gray',
  UNKNOWN: 'gray',
};

/** Returns the passages to mark in the text: those of points, and the markers of machine style. */
export function marksOf(analysis: AnalysisFragment | null, t: Translator['t']): Mark[] {
  const points =
    analysis?.points.flatMap((row, i) =>
      row.passage
        ? [
            {
              id: `point-${i}`,
              label: row.text,
              color: verdictColors[row.verdict],
              quote: row.passage,
            },
          ]
        : [],
    ) ?? [];
  const markers =
    analysis?.styleMarkers.map(({ passage }, i) => ({
      id: `marker-${i}`,
      label: t('check.machine'),
      color: 'grape',
      quote: passage,
    })) ?? [];
  return [...markers, ...points];
}
