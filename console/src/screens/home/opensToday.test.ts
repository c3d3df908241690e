import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { HomeQuery } from '../../graph/graphql';
import { opensToday } from './opensToday';

type Link = NonNullable<HomeQuery['links']>['nodes'][number];

const link = (times: string[], openCount = times.length, hasNextPage = false): Link => ({
  id: 'l',
  openCount,
  sessions: {
    pageInfo: { hasNextPage },
    nodes: times.map((openedAt, i) => ({ id: String(i), openedAt })),
  },
});

const count = (links: Link[], totalCount = links.length) =>
  opensToday({ links: { totalCount, nodes: links } } as HomeQuery);

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-03-10T02:30:00+01:00') }); // the tests' time zone
});
afterEach(() => {
  vi.useRealTimers();
});

test('opens since midnight here are counted by hour', () => {
  const times = [
    '2026-03-10T01:59:00Z',
    '2026-03-10T00:10:00Z',
    '2026-03-09T23:00:00Z',
    '2026-03-09T22:59:00Z',
  ];
  expect(count([link(times.slice(1)), link(['2026-03-10T01:10:00Z'])])).toEqual({
    byHour: [1, 1, 1],
    total: 3,
    isPart: false,
  });
});

test('a link with more sessions than are listed is a part, if all of them are of today', () => {
  const today = '2026-03-10T00:10:00Z';
  expect(count([link([today], 9, true)]).isPart).toBe(true);
  expect(count([link([today, '2026-03-09T10:00:00Z'], 9, true)]).isPart).toBe(false);
});

test('links that are not listed may have opens if all listed ones have', () => {
  expect(count([link([], 3)], 2).isPart).toBe(true);
  expect(count([link([], 0)], 2).isPart).toBe(false);
});
