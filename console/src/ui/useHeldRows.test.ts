import { describe, expect, test } from 'vitest';
import { holdRows } from './useHeldRows';

const list = (...ids: string[]) => ids.map((id) => ({ id }));

describe('the rows that are held back', () => {
  const cases: [string, string[], string[], string[], number][] = [
    ['none of a first response', [], ['a', 'b'], ['a', 'b'], 0],
    ['new ones at the top', ['a', 'b'], ['c', 'a', 'b'], ['a', 'b'], 1],
    ['new ones between known ones', ['a', 'c'], ['a', 'b', 'c'], ['a', 'c'], 1],
    ['none that replace deleted ones at the end', ['a', 'b'], ['a', 'c'], ['a', 'c'], 0],
    ['none if no known one is left', ['a', 'b'], ['c', 'd'], ['c', 'd'], 0],
  ];
  test.each(cases)('%s', (_, known, listed, shown, heldCount) => {
    expect(holdRows(new Set(known), list(...listed))).toEqual({ rows: list(...shown), heldCount });
  });
});
