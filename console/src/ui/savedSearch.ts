import type { SavedConditionsFragment } from '../graph/graphql';

const dayLength = 86_400_000;

type TimeSpan = NonNullable<SavedConditionsFragment['created']>;

/** Returns the day of a time, in UTC or in the browser's time zone; null if no day begins then. */
function dayAt(time: string, inUTC: boolean): string | null {
  const at = new Date(time);
  const local = new Date(at.getTime() - (inUTC ? 0 : at.getTimezoneOffset() * 60_000));
  const [day, rest] = local.toISOString().split('T');
  return rest === '00:00:00.000Z' ? (day ?? null) : null;
}

/** Returns the days of a span, the last included; null if its times are no days. */
function daysOf(span: TimeSpan, inUTC: boolean): { from?: string; to?: string } | null {
  const from = span.from && dayAt(span.from, inUTC);
  const next = span.to && dayAt(span.to, inUTC);
  if (from === null || next === null) {
    return null;
  }
  return {
    ...(from && { from }),
    ...(next && { to: new Date(Date.parse(next) - dayLength).toISOString().slice(0, 10) }),
  };
}

/**
 * Returns the parameters of the address of the list of documents that shows what a saved search
 * finds. It is not whole if the search has a condition that the list cannot have.
 */
export function addressOf(filter: SavedConditionsFragment): {
  search: URLSearchParams;
  isWhole: boolean;
} {
  const search = new URLSearchParams();
  const add = (name: string, values: readonly string[] | null | undefined) =>
    values?.forEach((value) => search.append(name, value));
  add('q', filter.q ? [filter.q] : []);
  add('state', filter.states);
  add('company', filter.companies);
  add('executive', filter.executives);
  add('type', filter.communicationTypes);
  add('language', filter.languages);
  add('visibility', filter.visibility ? [filter.visibility] : []);
  let isWhole = ![
    filter.tag,
    filter.contentType,
    filter.mediaProvenance,
    filter.processingStatus,
    filter.authors?.length,
  ].some(Boolean);
  isWhole &&= filter.hasReactions == null;
  filter.autoTags?.forEach(({ autoTagId, value }) => {
    isWhole &&= Boolean(value);
    add('tag', value ? [`${autoTagId}:${value}`] : []);
  });
  for (const name of ['created', 'published'] as const) {
    const span = filter[name];
    const days = span && daysOf(span, name === 'published');
    isWhole &&= days !== null || !span;
    add(`${name}From`, days?.from ? [days.from] : []);
    add(`${name}To`, days?.to ? [days.to] : []);
  }
  return { search, isWhole };
}
