import { describe, expect, test } from 'vitest';
import { type FormValue, type StoredValue, adoptStored } from './useFormState';

const stored = (value: string, minute: number, version?: string): StoredValue<string> => ({
  value,
  version,
  updatedAt: `2026-03-10T12:${String(minute).padStart(2, '0')}:00Z`,
});

const adopt = (state: FormValue<string>, next: StoredValue<string>) =>
  adoptStored(state, next, Object.is);

describe('a stored value that arrives', () => {
  const base = stored('first', 1, 'v1');
  const unchanged = { base, value: 'first' };
  const changed = { base, value: 'mine' };

  test('is shown if nothing was changed', () => {
    const next = stored('second', 2, 'v2');
    expect(adopt(unchanged, next)).toEqual({ base: next, value: 'second' });
  });

  test('leaves changes with their base, which makes saving a conflict', () => {
    expect(adopt(changed, stored('second', 2, 'v2'))).toBe(changed);
  });

  test('is the base of changes that are the same', () => {
    const next = stored('mine', 2, 'v2');
    expect(adopt(changed, next)).toEqual({ base: next, value: 'mine' });
  });

  test('only brings its version if its value is that of the base', () => {
    const next = stored('first', 2, 'v2');
    expect(adopt(changed, next)).toEqual({ base: next, value: 'mine' });
  });

  test('is ignored if it is known or older', () => {
    expect(adopt(changed, base)).toBe(changed);
    expect(adopt(unchanged, stored('before', 0, 'v0'))).toBe(unchanged);
  });
});
