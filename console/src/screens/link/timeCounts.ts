export const hour = 3_600_000;
const day = 24 * hour;

/** Counts of several series in the same spans of time, without gaps until now. */
export interface TimeCounts {
  readonly step: number;
  readonly starts: readonly Date[];
  /** One list for each series. */
  readonly counts: readonly (readonly number[])[];
}

/** Counts the times of each series by hour if all are of two days, else by day. */
export function countByTime(series: readonly (readonly string[])[]): TimeCounts {
  const times = series.map((list) => list.map((value) => new Date(value).getTime()));
  const earliest = Math.min(Date.now(), ...times.flat());
  const step = Date.now() - earliest < 2 * day ? hour : day;
  const first = Math.floor(earliest / step);
  const length = Math.floor(Date.now() / step) - first + 1;
  const counts = times.map((list) => {
    const row = Array.from({ length }, () => 0);
    for (const time of list) {
      // A clock may be ahead of ours.
      const at = Math.min(Math.floor(time / step) - first, length - 1);
      row[at] = (row[at] ?? 0) + 1;
    }
    return row;
  });
  return { step, starts: Array.from({ length }, (_, i) => new Date((first + i) * step)), counts };
}
