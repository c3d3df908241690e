import type {
  DocumentFilter,
  DocumentOrder,
  DocumentsQuery,
  DocumentsQueryVariables,
  DocumentState,
  Visibility,
} from '../../graph/documents/graphql';
import type { MessageKey } from '../../i18n';

/**
 * The facets of the list. Each is a parameter of the address, with one value or more:
 * company=A&company=B.
 */
export const facets = ['state', 'company', 'executive', 'type', 'language'] as const;
export type Facet = (typeof facets)[number];

export const facetLabels: Record<Facet, MessageKey> = {
  state: 'documents.state',
  company: 'documents.company',
  executive: 'documents.executive',
  type: 'documents.type',
  language: 'documents.language',
};

/**
 * The spans of days to filter by. Each has two parameters, for example `createdFrom` and
 * `createdTo`.
 */
export const spans = ['created', 'published'] as const;
export type Span = (typeof spans)[number];

export const spanLabels: Record<Span, MessageKey> = {
  created: 'documents.created',
  published: 'documents.published',
};

export const visibilities: readonly Visibility[] = ['PUBLIC', 'INTERNAL', 'EMBARGOED'];

/** The orders by their names in the address. */
const orders = {
  newest: { field: 'CREATED_AT', direction: 'DESC' },
  oldest: { field: 'CREATED_AT', direction: 'ASC' },
  changed: { field: 'UPDATED_AT', direction: 'DESC' },
  published: { field: 'PUBLISHED_AT', direction: 'DESC' },
  title: { field: 'TITLE', direction: 'ASC' },
  longest: { field: 'LENGTH', direction: 'DESC' },
  shortest: { field: 'LENGTH', direction: 'ASC' },
  best: { field: 'RATING', direction: 'DESC' },
  worst: { field: 'RATING', direction: 'ASC' },
  relevance: { field: 'RELEVANCE', direction: 'DESC' },
} as const satisfies Record<string, DocumentOrder>;
export type OrderName = keyof typeof orders;

/** Returns the orders that a list can have: that of relevance needs words to search for. */
export function orderNames(search: URLSearchParams): OrderName[] {
  const names = Object.keys(orders) as OrderName[];
  return search.get('q') ? names : names.filter((name) => name !== 'relevance');
}

/**
 * Returns the order of the address. By default a search has the most relevant first, any other list
 * the newest.
 */
export function orderOf(search: URLSearchParams): OrderName {
  const names = orderNames(search);
  return (
    names.find((name) => name === search.get('sort')) ?? (search.get('q') ? 'relevance' : 'newest')
  );
}

/** A value of an auto-tag in the address. */
export interface TagValue {
  readonly autoTagId: string;
  readonly value: string;
}

/** Returns the text of a value of an auto-tag in the parameter `tag`. */
export function tagParameter({ autoTagId, value }: TagValue): string {
  return `${autoTagId}:${value}`;
}

/** Returns the values of auto-tags in the address. A document must have all of them. */
export function tagValues(search: URLSearchParams): TagValue[] {
  return search.getAll('tag').flatMap((text) => {
    const at = text.indexOf(':');
    return at > 0 && at < text.length - 1
      ? [{ autoTagId: text.slice(0, at), value: text.slice(at + 1) }]
      : [];
  });
}

/** Returns the day of a parameter such as `createdFrom`, or null if it has none. */
export function dayOf(search: URLSearchParams, name: string): string | null {
  const day = search.get(name) ?? '';
  return /^\d{4}-\d\d-\d\d$/.test(day) && !Number.isNaN(Date.parse(day)) ? day : null;
}

const dayLength = 86_400_000;

/**
 * Returns the range of time of a span, with its last day. A day is in the browser's time zone, but
 * a day of publication is in UTC, as the gateway stores it. Days in the wrong order are swapped.
 */
function rangeOf(search: URLSearchParams, span: Span) {
  const zone = span === 'published' ? 'Z' : '';
  const start = (day: string) => new Date(`${day}T00:00:00${zone}`);
  const [from, to] = [dayOf(search, `${span}From`), dayOf(search, `${span}To`)];
  const [first, last] = from && to && from > to ? [to, from] : [from, to];
  if (!first && !last) {
    return undefined;
  }
  const next = last && new Date(Date.parse(last) + dayLength).toISOString().slice(0, 10);
  return {
    from: first ? start(first).toISOString() : undefined,
    to: next ? start(next).toISOString() : undefined,
  };
}

function valuesOf(search: URLSearchParams, facet: Facet): string[] | undefined {
  const values = search.getAll(facet).filter(Boolean);
  return values.length > 0 ? values : undefined;
}

/** Returns the filter of the list that an address describes. */
export function filterOf(search: URLSearchParams): DocumentFilter {
  const tags = tagValues(search);
  return {
    q: search.get('q') || undefined,
    states: valuesOf(search, 'state') as DocumentState[] | undefined,
    companies: valuesOf(search, 'company'),
    executives: valuesOf(search, 'executive'),
    communicationTypes: valuesOf(search, 'type'),
    languages: valuesOf(search, 'language'),
    autoTags: tags.length > 0 ? tags : undefined,
    visibility: visibilities.find((one) => one === search.get('visibility')),
    created: rangeOf(search, 'created'),
    published: rangeOf(search, 'published'),
  };
}

/** Returns the variables of the list that an address describes. */
export function documentVariables(search: URLSearchParams): DocumentsQueryVariables {
  const filter = filterOf(search);
  return {
    after: search.get('after'),
    // by relevance without an order, which is the newest first for a search without words
    orderBy: orderOf(search) === 'relevance' ? null : orders[orderOf(search)],
    filter,
    q: filter.q ?? '',
    hasQ: Boolean(filter.q),
    hasState: search.has('state'),
    anyState: search.has('state') ? { ...filter, states: undefined } : undefined,
    hasCompany: search.has('company'),
    anyCompany: search.has('company') ? { ...filter, companies: undefined } : undefined,
    hasExecutive: search.has('executive'),
    anyExecutive: search.has('executive') ? { ...filter, executives: undefined } : undefined,
    hasType: search.has('type'),
    anyType: search.has('type') ? { ...filter, communicationTypes: undefined } : undefined,
    hasLanguage: search.has('language'),
    anyLanguage: search.has('language') ? { ...filter, languages: undefined } : undefined,
    jobId: search.get('job') ?? '',
    hasJob: search.has('job'),
    savedId: search.get('saved') ?? '',
    hasSaved: search.has('saved'),
  };
}

/** A value of a facet with the number of documents that have it. */
export interface FacetRow {
  readonly value: string;
  readonly count: number;
}

/**
 * Returns the values of a facet that occur, most frequent first. The facet's own filter does not
 * count, so other values can be chosen.
 */
export function facetRows(data: DocumentsQuery, facet: Facet): FacetRow[] {
  const counts = data.documentFacets;
  const rows: Record<Facet, readonly FacetRow[] | undefined> = {
    state: (data.anyState ?? counts)?.states.map(({ state, count }) => ({ value: state, count })),
    company: (data.anyCompany ?? counts)?.companies,
    executive: (data.anyExecutive ?? counts)?.executives,
    type: (data.anyType ?? counts)?.communicationTypes,
    language: (data.anyLanguage ?? counts)?.languages,
  };
  return (rows[facet] ?? []).filter(({ count, value }) => count > 0 && value !== '');
}

const filterParameters = [
  'q',
  ...facets,
  'tag',
  'visibility',
  ...spans.flatMap((span) => [`${span}From`, `${span}To`]),
];

/** Reports whether the list of an address has fewer documents than the workspace. */
export function isFiltered(search: URLSearchParams): boolean {
  return filterParameters.some((name) => search.get(name));
}

/** Returns the parameters without the filters and the page. */
export function withoutFilters(search: URLSearchParams): URLSearchParams {
  const next = new URLSearchParams(search);
  [...filterParameters, 'after', 'saved'].forEach((name) => next.delete(name));
  return next;
}

/** Returns the values of a parameter without the value if it has it, else with it. */
export function toggledValues(search: URLSearchParams, name: string, value: string): string[] {
  const values = search.getAll(name);
  return values.includes(value) ? values.filter((one) => one !== value) : [...values, value];
}
