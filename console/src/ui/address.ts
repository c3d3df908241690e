import { usePathname } from 'wouter/use-browser-location';

/**
 * Returns the name at the end of the path. The router decodes its parameter in part: its "%2F" may
 * be a slash or these three characters.
 */
export function useNameInPath(): string {
  const name = usePathname().split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(name);
  } catch {
    return name; // typed by hand, with a percent sign of its own
  }
}

/**
 * A passage of a document, with its finding and its offsets. Without offsets the text has changed.
 */
interface PassagePlace {
  readonly documentId: string;
  readonly findingId: string;
  readonly start?: number | null | undefined;
  readonly end?: number | null | undefined;
}

/** Returns the address of the document's screen with the passage marked. */
export function passageAddress({ documentId, findingId, start, end }: PassagePlace): string {
  const at = new URLSearchParams({ at: findingId });
  if (start != null && end != null) {
    at.set('from', String(start));
    at.set('to', String(end));
  }
  return `/documents/${documentId}?${at}`;
}

/** Returns the offsets of the passage in an address, or null if it has none. */
export function passageRange(search: URLSearchParams): { start: number; end: number } | null {
  const [start, end] = [search.get('from'), search.get('to')].map((text) =>
    text === null ? Number.NaN : Number(text),
  );
  return Number.isInteger(start) && Number.isInteger(end)
    ? { start: start as number, end: end as number }
    : null;
}

/** Returns the parameters of an address with other values of one; without values it is removed. */
export function withParameter(
  search: URLSearchParams,
  name: string,
  ...values: readonly string[]
): URLSearchParams {
  const next = new URLSearchParams(search);
  next.delete(name);
  values.forEach((value) => next.append(name, value));
  return next;
}
