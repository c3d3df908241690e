// The filter of an address, and what a copied quote says.
import { expect, test } from 'vitest';
import type { QuoteRowFragment } from '../../graph/quotes/graphql';
import { citation, quoted, quoteFilter } from './quotes';

const filter = (search: string) =>
  JSON.parse(JSON.stringify(quoteFilter(new URLSearchParams(search)))) as object;

test('proved speakers are listed unless others are asked for', () => {
  expect(filter('')).toEqual({ certainty: 'PROVED' });
  expect(filter('certainty=PROBABLE')).toEqual({ certainty: 'PROBABLE' });
  expect(filter('certainty=all')).toEqual({});
  expect(filter('certainty=wrong')).toEqual({ certainty: 'PROVED' });
});

test('a search becomes a filter', () => {
  expect(filter('q= debt &speaker=lee&company=Acme&theme=energy&certainty=all')).toEqual({
    q: 'debt',
    speaker: 'lee',
    companies: ['Acme'],
    themes: ['energy'],
  });
  expect(filter('from=2026-03-01&to=2026-01-01&certainty=all')).toEqual({
    published: { from: '2026-01-01T00:00:00Z', to: '2026-03-02T00:00:00.000Z' },
  });
  expect(filter('to=2026-01-01&certainty=all')).toEqual({
    published: { to: '2026-01-02T00:00:00.000Z' },
  });
});

const words = {
  probably: (name: string) => `probably ${name}`,
  date: (at: string) => at.slice(0, 10),
  base: 'https://rostrum.example/console',
};

const quote: QuoteRowFragment = {
  id: 'sig_1',
  theme: 'energy',
  quote: 'The harbour opens in May.',
  paraphrase: 'Opening is planned.',
  start: 3,
  end: 28,
  stance: null,
  speakerName: 'Ann Lee',
  speakerCertainty: 'PROVED',
  companyName: 'Tidewall',
  executive: { id: 'exe_1', name: 'Ann Lee' },
  document: {
    id: 'doc_1',
    title: 'Spring letter',
    url: 'https://tidewall.example/spring',
    extractedDate: '2026-03-01T00:00:00Z',
    createdAt: '2026-04-01T00:00:00Z',
  },
};

test('a copied quote has the words of the text and its source, not the paraphrase', () => {
  expect(citation(quote, words)).toBe(
    '“The harbour opens in May.” — Ann Lee, Spring letter, 2026-03-01, https://tidewall.example/spring',
  );
});

test('a probable speaker stays probable in a copy, and a text without an address has a passage', () => {
  const probable = {
    ...quote,
    executive: null,
    speakerCertainty: 'PROBABLE',
    document: quote.document && { ...quote.document, url: null, extractedDate: null },
  } as QuoteRowFragment;
  expect(citation(probable, words)).toBe(
    '“The harbour opens in May.” — probably Ann Lee, Spring letter, 2026-04-01, https://rostrum.example/console/documents/doc_1?at=sig_1&from=3&to=28',
  );
});

test('quotation marks are set once', () => {
  expect(quoted('The harbour opens.')).toBe('“The harbour opens.”');
  expect(quoted('„Der Hafen öffnet.“')).toBe('„Der Hafen öffnet.“');
});
