import { describe, expect, test } from 'vitest';
import type { DocumentsQuery } from '../../graph/documents/graphql';
import {
  dayOf,
  documentVariables,
  facetRows,
  isFiltered,
  orderNames,
  orderOf,
  tagParameter,
  tagValues,
  toggledValues,
  withoutFilters,
} from './documentFilter';

const of = (search: string) => new URLSearchParams(search);

describe('the order', () => {
  test('is the newest first, or the most relevant of a search', () => {
    expect(orderOf(of(''))).toBe('newest');
    expect(orderOf(of('q=growth'))).toBe('relevance');
    expect(orderOf(of('q=growth&sort=title'))).toBe('title');
  });

  test('of relevance needs words, and an unknown one is ignored', () => {
    expect(orderOf(of('sort=relevance'))).toBe('newest');
    expect(orderOf(of('sort=toString'))).toBe('newest');
    expect(orderNames(of(''))).not.toContain('relevance');
    expect(orderNames(of('q=x'))).toContain('relevance');
  });
});

describe('the variables', () => {
  test('of no filter are empty', () => {
    const { filter, after, orderBy } = documentVariables(of(''));
    expect(JSON.parse(JSON.stringify(filter))).toEqual({});
    expect(after).toBeNull();
    expect(orderBy).toEqual({ field: 'CREATED_AT', direction: 'DESC' });
  });

  test('have every filter of the address', () => {
    const search = of(
      'q=x&state=READY&company=A&company=B&executive=E&type=T&language=de&tag=t:v&visibility=INTERNAL&after=c',
    );
    const { filter, after } = documentVariables(search);
    expect(after).toBe('c');
    expect(JSON.parse(JSON.stringify(filter))).toEqual({
      q: 'x',
      states: ['READY'],
      companies: ['A', 'B'],
      executives: ['E'],
      communicationTypes: ['T'],
      languages: ['de'],
      autoTags: [{ autoTagId: 't', value: 'v' }],
      visibility: 'INTERNAL',
    });
  });

  test('of a search leave its order to the gateway, unless another one is chosen', () => {
    const { q, hasQ, orderBy } = documentVariables(of('q=debt+cut'));
    expect({ q, hasQ, orderBy }).toEqual({ q: 'debt cut', hasQ: true, orderBy: null });
    expect(documentVariables(of('q=debt&sort=oldest')).orderBy).toEqual({
      field: 'CREATED_AT',
      direction: 'ASC',
    });
    expect(documentVariables(of('')).hasQ).toBe(false);
  });

  test('of a facet count its values without its own filter', () => {
    const { hasCompany, anyCompany, hasState, anyState } = documentVariables(of('q=x&company=A'));
    expect([hasCompany, hasState]).toEqual([true, false]);
    expect(anyCompany).toMatchObject({ q: 'x', companies: undefined });
    expect(anyState).toBeUndefined();
  });

  test('ignore empty values and a visibility that there is not', () => {
    const { filter } = documentVariables(of('company=&visibility=SECRET&tag=nothing'));
    expect(JSON.parse(JSON.stringify(filter))).toEqual({});
  });
});

describe('a span of days', () => {
  const created = (search: string) => documentVariables(of(search)).filter?.created;

  test('has days of the time zone of the browser, the last one whole', () => {
    expect(created('createdFrom=2026-03-28&createdTo=2026-03-29')).toEqual({
      from: '2026-03-27T23:00:00.000Z',
      to: '2026-03-29T22:00:00.000Z', // summer time began on that day
    });
  });

  test('of publications has days of UTC', () => {
    expect(
      documentVariables(of('publishedFrom=2026-03-28&publishedTo=2026-03-28')).filter?.published,
    ).toEqual({
      from: '2026-03-28T00:00:00.000Z',
      to: '2026-03-29T00:00:00.000Z',
    });
  });

  test('may have one end, and exchanges days in the wrong order', () => {
    expect(created('createdTo=2026-01-31')).toEqual({
      from: undefined,
      to: '2026-01-31T23:00:00.000Z',
    });
    expect(created('createdFrom=2026-01-31&createdTo=2026-01-01')).toEqual(
      created('createdFrom=2026-01-01&createdTo=2026-01-31'),
    );
  });

  test('ignores what is no day', () => {
    expect(dayOf(of('createdFrom=2026-13-01'), 'createdFrom')).toBeNull();
    expect(dayOf(of('createdFrom=yesterday'), 'createdFrom')).toBeNull();
    expect(dayOf(of('createdFrom=2026-02-28'), 'createdFrom')).toBe('2026-02-28');
  });
});

test('a value of an auto-tag may have colons', () => {
  const tag = { autoTagId: 't', value: 'a:b' };
  const search = new URLSearchParams({ tag: tagParameter(tag) });
  expect(tagValues(search)).toEqual([tag]);
  expect(tagValues(of('tag=:v&tag=t:&tag=t'))).toEqual([]);
});

test('a value is toggled next to the others', () => {
  expect(toggledValues(of('company=A'), 'company', 'B')).toEqual(['A', 'B']);
  expect(toggledValues(of('company=A&company=B'), 'company', 'A')).toEqual(['B']);
});

test('filters are removed with the page, the order stays', () => {
  const search = of(
    'q=x&company=A&tag=t:v&visibility=PUBLIC&createdFrom=2026-01-01&after=c&sort=title',
  );
  expect(isFiltered(search)).toBe(true);
  expect(withoutFilters(search).toString()).toBe('sort=title');
  expect(isFiltered(of('sort=title&after=c&q='))).toBe(false);
});

test('the values of a facet are those without its filter, if it has one', () => {
  const counts = {
    states: [
      { state: 'READY', count: 2 },
      { state: 'FAILED', count: 0 },
    ],
    companies: [{ value: 'A', count: 1 }],
    executives: [{ value: '', count: 3 }],
    communicationTypes: [],
    languages: [],
  };
  const any = {
    companies: [
      { value: 'A', count: 1 },
      { value: 'B', count: 4 },
    ],
  };
  const data = { documentFacets: counts, anyCompany: any } as unknown as DocumentsQuery;
  expect(facetRows(data, 'state')).toEqual([{ value: 'READY', count: 2 }]);
  expect(facetRows(data, 'company').map(({ value }) => value)).toEqual(['A', 'B']);
  expect(facetRows(data, 'executive')).toEqual([]);
  expect(facetRows({} as DocumentsQuery, 'type')).toEqual([]);
});
