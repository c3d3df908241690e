import type { ActivityUnit, LinkScreenQueryVariables } from '../../graph/link/graphql';
import { localTimeZone } from '../../timeZone';

const day = 86_400_000;

/** The periods that a link's activity is shown for: how many days, in spans of which length. */
const periods = {
  day: { days: 1, unit: 'HOUR' },
  month: { days: 30, unit: 'DAY' },
  year: { days: 365, unit: 'WEEK' },
} as const satisfies Record<string, { days: number; unit: ActivityUnit }>;

export type Period = keyof typeof periods;
export const periodNames = Object.keys(periods) as Period[];

/** Returns the activity's variables of a period that ends now, a time in milliseconds. */
export function periodVariables(
  period: Period,
  now: number,
): Omit<LinkScreenQueryVariables, 'id' | 'dimension'> & { activityUnit: ActivityUnit } {
  const { days, unit } = periods[period];
  // The spans before the present one, which is not over yet.
  const from = now - (days - (unit === 'HOUR' ? 1 / 24 : 1)) * day;
  return {
    activityFrom: new Date(Math.floor(from / 3_600_000) * 3_600_000).toISOString(),
    activityUnit: unit,
    timeZone: localTimeZone(),
  };
}
