import { expect, test } from 'vitest';
import { passageAddress, passageRange, withParameter } from './address';

test('the address of a passage has its offsets, if it has some', () => {
  const place = { documentId: 'd', findingId: 'f' };
  expect(passageAddress({ ...place, start: 0, end: 7 })).toBe('/documents/d?at=f&from=0&to=7');
  expect(passageAddress({ ...place, start: null, end: null })).toBe('/documents/d?at=f');
});

test('the offsets of an address are whole numbers', () => {
  const range = (search: string) => passageRange(new URLSearchParams(search));
  expect(range('at=f&from=0&to=7')).toEqual({ start: 0, end: 7 });
  expect(range('at=f')).toBeNull();
  expect(range('from=1')).toBeNull();
  expect(range('to=1')).toBeNull();
  expect(range('from=1.5&to=2')).toBeNull();
});

test('a parameter is replaced by its new values, the others stay', () => {
  const search = new URLSearchParams('a=1&b=2&a=3');
  expect(withParameter(search, 'a', 'x', 'y').toString()).toBe('b=2&a=x&a=y');
  expect(withParameter(search, 'a').toString()).toBe('b=2');
  expect(search.toString()).toBe('a=1&b=2&a=3');
});
