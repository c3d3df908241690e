import { describe, expect, test, vi } from 'vitest';
import type { LinkPageFragment } from '../../graph/link/graphql';
import type { FormState } from '../../ui/useFormState';
import {
  type PageFields,
  type Question,
  changedInput,
  conflictingFields,
  formInput,
  freeName,
  isSameForm,
  keepSaved,
  questionsOf,
  resetField,
} from './pageFields';

const question = (name: string, row = name): Question => ({
  row,
  name,
  label: name.toUpperCase(),
  type: 'TEXT',
  required: false,
});

const link = (title: string, body: string | null, names: string[] = []): LinkPageFragment => ({
  id: 'l',
  updatedAt: '2026-03-10T12:00:00Z',
  version: 'ver_1',
  title,
  body,
  form: names.length > 0 ? { fields: names.map((name) => question(name)), thanks: 'Stored' } : null,
  preview: null,
  draft: null,
});

/** The state of a field that began with a value, and the calls of its setBase. */
function field<Value>(
  base: Value,
  value: Value,
  isSame: (a: Value, b: Value) => boolean = Object.is,
) {
  const setBase = vi.fn<FormState<Value>['setBase']>();
  const state: FormState<Value> = {
    base: { value: base, updatedAt: 'before' },
    value,
    isChanged: !isSame(base, value),
    change: vi.fn(),
    setBase,
  };
  return { ...state, setBase };
}

const edited = (
  title: string,
  body: string,
  questions: readonly Question[] = [],
  thanks = 'Base',
) => ({
  title: field('Title', title),
  body: field('Body', body),
  questions: field<readonly Question[]>([], questions, isSameForm),
  thanks: field('Base', thanks),
});

test('a form without questions is null, and its rows are not stored', () => {
  expect(formInput([], 'Thanks')).toBeNull();
  expect(formInput([question('name', 'row 7')], '')?.fields[0]).not.toHaveProperty('row');
  expect(isSameForm([question('name', 'row 7')], questionsOf(link('', '', ['name'])))).toBe(true);
});

test('a new question has a name that is free in any case of letters', () => {
  expect(freeName([])).toBe('field_1');
  expect(freeName([question('x'), question('Field_3')])).toBe('field_4');
});

test('only changed fields are sent', () => {
  const stored = link('Title', 'Body', ['r']);
  expect(changedInput(edited('Title', 'Body'), stored)).toEqual({});
  expect(changedInput(edited('Mine', 'Body'), stored)).toEqual({ title: 'Mine' });
  expect(changedInput(edited('Title', '', [question('q')]), stored)).toEqual({
    body: '',
    form: {
      fields: [{ name: 'q', label: 'Q', type: 'TEXT', required: false }],
      thanks: 'Stored',
    },
  });
  expect(changedInput(edited('Title', 'Body', [], 'Mine'), stored)).toEqual({
    form: {
      fields: [{ name: 'r', label: 'R', type: 'TEXT', required: false }],
      thanks: 'Mine',
    },
  });
});

describe('a conflict', () => {
  test('is a changed field that was stored with another value', () => {
    expect(conflictingFields(edited('Mine', 'Body'), link('Theirs', 'Theirs'))).toEqual(['title']);
    expect(
      conflictingFields(edited('Title', 'Body', [question('q')]), link('Title', 'Body', ['r'])),
    ).toEqual(['questions']);
    expect(
      conflictingFields(edited('Title', 'Body', [], 'Mine'), link('Title', 'Body', ['r'])),
    ).toEqual(['thanks']);
  });

  test('is none with the same value, or with the base', () => {
    expect(conflictingFields(edited('Mine', 'Body'), link('Mine', 'Theirs'))).toEqual([]);
    expect(conflictingFields(edited('Mine', 'Mine'), link('Title', 'Body'))).toEqual([]);
  });

  test('is none with the value that the person has decided against', () => {
    const theirs = link('Theirs', 'Body');
    expect(conflictingFields(edited('Mine', 'Body'), theirs, theirs)).toEqual([]);
    expect(conflictingFields(edited('Mine', 'Body'), link('Later', 'Body'), theirs)).toEqual([
      'title',
    ]);
  });
});

test('a reset field has the stored value', () => {
  const fields = edited('Mine', 'Mine');
  resetField(fields, 'body', link('Theirs', null));
  expect(fields.body.setBase).toHaveBeenCalledWith({
    value: '',
    updatedAt: '2026-03-10T12:00:00Z',
  });
  expect(fields.title.setBase).not.toHaveBeenCalled();
});

test('saved fields keep what was written since, and questions their rows', () => {
  const sent = [question('q', 'row 1')];
  const fields = edited('Mine', 'Mine', sent);
  keepSaved(
    fields,
    { title: 'Mine', body: 'Mine', questions: sent, thanks: 'Base' },
    link('Stored', 'Stored', ['q']),
  );
  const update = <Name extends keyof PageFields>(name: Name, present: PageFields[Name]['value']) =>
    (fields[name].setBase.mock.calls[0]?.[1] as (value: typeof present) => typeof present)(present);
  expect(update('title', 'Mine')).toBe('Stored');
  expect(update('body', 'Written since')).toBe('Written since');
  expect(update('questions', sent)).toEqual([question('q', 'row 1')]);
  expect(update('questions', [question('z', 'row 9')])).toEqual([question('z', 'row 9')]);
});
