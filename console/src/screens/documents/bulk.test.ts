// What a form and a selection say to the gateway.
import { expect, test } from 'vitest';
import { bulkInput, countOf, emptyForm, isSelected, setOf, toggled } from './bulk';

test('a form sets only what was chosen', () => {
  expect(setOf(emptyForm)).toBeNull();
  expect(
    setOf({
      ...emptyForm,
      visibility: 'INTERNAL',
      fields: {
        ...emptyForm.fields,
        company: { intent: 'set', value: ' Tidewall ' },
        executive: { intent: 'clear', value: 'Ann Lee' },
        extractedDate: { intent: 'set', value: '2026-11-01' },
      },
    }),
  ).toEqual({
    visibility: 'INTERNAL',
    company: 'Tidewall',
    executive: null,
    extractedDate: '2026-11-01T00:00:00Z',
  });
});

test('a form that lacks a value sets nothing', () => {
  expect(setOf({ ...emptyForm, visibility: 'EMBARGOED' })).toBeNull();
  const company = { intent: 'set', value: ' ' } as const;
  expect(setOf({ ...emptyForm, fields: { ...emptyForm.fields, company } })).toBeNull();
  const until = '2027-01-01T09:00';
  expect(setOf({ ...emptyForm, visibility: 'EMBARGOED', until })).toEqual({
    visibility: 'EMBARGOED',
    embargoedUntil: new Date(until).toISOString(),
  });
});

test('values of auto-tags are set and removed', () => {
  const set = { autoTagId: 'tag_1', intent: 'set', value: ' Energy ' } as const;
  const clear = { autoTagId: 'tag_2', intent: 'clear', value: 'x' } as const;
  expect(setOf({ ...emptyForm, tags: [set, clear] })).toEqual({
    autoTagValues: [
      { autoTagId: 'tag_1', value: 'Energy' },
      { autoTagId: 'tag_2', value: null },
    ],
  });
  expect(setOf({ ...emptyForm, tags: [{ ...set, value: ' ' }] })).toBeNull();
});

test('one document of all that match is left out', () => {
  const all = { filter: { q: 'harbour' }, count: 40 };
  expect(countOf(all)).toBe(40);
  expect(isSelected(all, 'doc_9')).toBe(true);
  const some = toggled(all, 'doc_1', ['doc_1', 'doc_2']);
  expect(some).toEqual({ ids: new Set(['doc_2']) });
  expect(toggled(some, 'doc_3', [])).toEqual({ ids: new Set(['doc_2', 'doc_3']) });
});

test('a selection becomes ids or a filter', () => {
  expect(bulkInput({ ids: new Set(['doc_1']) }, 'DELETE', null, true)).toEqual({
    documentIds: ['doc_1'],
    action: 'DELETE',
    dryRun: true,
  });
  expect(bulkInput({ filter: {}, count: 3 }, 'UPDATE', { company: 'A' }, false)).toEqual({
    filter: {},
    action: 'UPDATE',
    dryRun: false,
    set: { company: 'A' },
  });
});
