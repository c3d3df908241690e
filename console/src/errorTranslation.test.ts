import { Client, CombinedError, type Exchange, makeErrorResult } from '@urql/core';
import { map, pipe } from 'wonka';
import { beforeEach, expect, test } from 'vitest';
import { refusalText, translateErrors, translateFields } from './errorTranslation';
import { loadTranslator, shownTranslator } from './i18n';
import { fieldProblem, isAtFields, problemText } from './problemText';

const missing = { pointer: '#/title', msg: 'Field required', type: 'missing' };
const odd = { pointer: '#/points/0/text', msg: 'too odd', type: 'odd' };

beforeEach(() => loadTranslator('de'));

test('a code has the sentence of the language', () => {
  expect(refusalText(shownTranslator(), 'unauthenticated', 'Not signed in')).toBe(
    'Sie sind abgemeldet. Melden Sie sich wieder an.',
  );
});

test('a sentence names the refused fields, else the details of the gateway', () => {
  expect(refusalText(shownTranslator(), 'not_found', 'No draft')).toContain('No draft');
  expect(refusalText(shownTranslator(), 'other', 'Wrong', [missing, odd])).toBe(
    'Das Gateway meldet: title: Field required; points/0/text: too odd',
  );
});

test('the reasons of fields are translated by their type', () => {
  expect(translateFields(shownTranslator(), [missing, odd]).map(({ msg }) => msg)).toEqual([
    'wird gebraucht',
    'nicht gültig: too odd',
  ]);
});

const refused = new CombinedError({
  graphQLErrors: [
    { message: 'Invalid', extensions: { code: 'bad_request', errors: [missing, odd] } },
  ],
});

/** Returns what a screen gets when the network has an error. */
async function errorOf(error: CombinedError): Promise<CombinedError | undefined> {
  const failing: Exchange = () => (operations) =>
    pipe(
      operations,
      map((operation) => ({ ...makeErrorResult(operation, new Error()), error })),
    );
  const client = new Client({
    url: 'http://gateway/graphql',
    preferGetMethod: false,
    exchanges: [translateErrors, failing],
  });
  return (await client.query('{ anything }', {}).toPromise()).error;
}

test('errors of operations are translated, with their fields', async () => {
  const error = await errorOf(refused);
  expect(error?.graphQLErrors[0]?.message).toContain('title: wird gebraucht');
  expect(error?.graphQLErrors[0]?.extensions['code']).toBe('bad_request');
  expect(fieldProblem(error, 'title')).toBe('wird gebraucht');
});

test('an error without a response keeps its cause', async () => {
  const cause = new Error('down');
  const error = await errorOf(new CombinedError({ networkError: cause }));
  expect(error?.networkError).toBe(cause);
  expect(problemText(error as CombinedError, shownTranslator().t)).toBe(
    shownTranslator().t('state.offlineHint'),
  );
});

test('a problem is found at its field and above it', () => {
  expect(fieldProblem(refused, 'points/0/text')).toBe('too odd');
  expect(fieldProblem(refused, 'points')).toBe('too odd');
  expect(fieldProblem(refused, 'point')).toBeUndefined();
  expect(fieldProblem(undefined, 'title')).toBeUndefined();
});

test('a form shows its own reasons only if all are at its fields', () => {
  expect(isAtFields(refused, ['title', 'points'])).toBe(true);
  expect(isAtFields(refused, ['title'])).toBe(false);
  expect(isAtFields(new CombinedError({ graphQLErrors: ['failed'] }), ['title'])).toBe(false);
});
