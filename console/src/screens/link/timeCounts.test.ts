import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { countByTime, hour } from './timeCounts';

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-03-10T12:30:00Z') });
});
afterEach(() => {
  vi.useRealTimers();
});

test('times of two days are counted by hour, without gaps, until now', () => {
  const { step, starts, counts } = countByTime([
    ['2026-03-10T09:59:59Z', '2026-03-10T09:00:00Z', '2026-03-10T12:10:00Z'],
    ['2026-03-10T10:00:00Z'],
  ]);
  expect(step).toBe(hour);
  expect(starts.map((start) => start.toISOString().slice(11, 16))).toEqual([
    '09:00',
    '10:00',
    '11:00',
    '12:00',
  ]);
  expect(counts).toEqual([
    [2, 0, 0, 1],
    [0, 1, 0, 0],
  ]);
});

test('older times are counted by day', () => {
  const { step, starts, counts } = countByTime([['2026-03-08T12:00:00Z', '2026-03-10T12:00:00Z']]);
  expect(step).toBe(24 * hour);
  expect(starts).toHaveLength(3);
  expect(counts).toEqual([[1, 0, 1]]);
});

test('without times there is one span', () => {
  expect(countByTime([[], []]).counts).toEqual([[0], [0]]);
});

test('a time after now, by another clock, is in the last span', () => {
  const { starts, counts } = countByTime([['2026-03-10T12:00:00Z', '2026-03-10T15:00:00Z']]);
  expect(starts).toHaveLength(1);
  expect(counts).toEqual([[2]]);
});
