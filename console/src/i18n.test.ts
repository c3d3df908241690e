import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  type MessageKey,
  completeMessages,
  languages,
  loadTranslator,
  preferredLanguage,
} from './i18n';
import german from './messages/de.json';
import english from './messages/en.json';

const files: Record<string, Record<string, string>> = { en: english, de: german };
/** Returns a translator with all messages. */
const whole = async (language: string) => {
  const translator = await loadTranslator(language);
  await completeMessages();
  return translator;
};
const holes = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([hole]) => hole).sort();

describe.each(languages)('the messages of %s', (language) => {
  const messages = files[language] ?? {};

  test('are those of English', () => {
    expect(Object.keys(messages).sort()).toEqual(Object.keys(english).sort());
  });

  test('have a text', () => {
    const empty = Object.keys(messages).filter((key) => messages[key]?.trim() === '');
    expect(empty).toEqual([]);
  });

  test('have every plural form of the language', () => {
    const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
    const bases = Object.keys(messages)
      .filter((key) => key.endsWith('_other'))
      .map((key) => key.replace(/_other$/, ''));
    const missing = bases.flatMap((base) =>
      forms.map((form) => `${base}_${form}`).filter((key) => !(key in messages)),
    );
    expect(bases.length).toBeGreaterThan(30);
    expect(missing).toEqual([]);
  });

  test('have the values of the English ones', () => {
    const different = Object.entries(english).filter(
      ([key, text]) =>
        !/^(error|field)\.|_one$/.test(key) && // a language may leave out the count or the detail
        holes(text).join() !== holes(messages[key] ?? '').join(),
    );
    expect(different).toEqual([]);
  });
});

test('a screen completes the messages of the first one', async () => {
  const { t } = await loadTranslator('de');
  expect([t('nav.home'), t('factor.turnOn')]).toEqual(['Start', 'factor.turnOn']);
  await completeMessages();
  expect(t('factor.turnOn')).toBe('Einschalten');
});

describe('a translator', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: new Date('2026-03-10T12:00:00Z') });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('selects the plural form by the count', async () => {
    const { t } = await whole('en');
    expect(t('documents.count', { count: 1 })).toBe('1 document');
    expect(t('documents.count', { count: 0 })).toBe('0 documents');
    expect((await whole('de')).t('documents.count', { count: 12345 })).toBe('12.345 Dokumente');
  });

  test('leaves a hole without a value, and returns a key without a message', async () => {
    const { t } = await whole('en');
    expect(t('conflict.stored')).toContain('{field}');
    expect(t('no.such.key' as MessageKey)).toBe('no.such.key');
  });

  test('names codes and enums that have no message', async () => {
    const { text, name } = await whole('de');
    expect(text('error', 'brand_new', { detail: 'why' })).toBe('Das Gateway meldet: why');
    expect(name('jobStatus', 'IN_SOME_STATE')).toBe('in some state');
  });

  test('writes dates, numbers and distances in its language', async () => {
    const { date, dateTime, number, compact, percent, amount, ago } = await whole('de');
    expect(date('2026-03-09T23:30:00Z')).toBe('10.03.2026'); // the day in Berlin
    expect(dateTime('2026-03-09T23:30:00Z')).toBe('10.03.2026, 00:30');
    expect(number(12345.5)).toBe('12.345,5');
    expect(compact(9999)).toBe('9.999');
    expect(compact(1234567)).toBe('1,2\u00a0Mio.');
    expect(percent(0.256)).toBe('26\u00a0%');
    expect(amount(0.0012345)).toBe('0,00123');
    expect(ago('2026-03-10T11:57:00Z')).toBe('vor 3 Minuten');
    expect(ago('2026-03-09T12:00:00Z')).toBe('gestern');
    expect(ago('2026-03-10T12:00:00Z')).toBe('jetzt');
  });
});

describe('the preferred language', () => {
  const prefer = (chosen: string | null, browser: string[]) => {
    vi.stubGlobal('localStorage', { getItem: () => chosen });
    vi.stubGlobal('navigator', { languages: browser });
    return preferredLanguage();
  };
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  test('is the chosen one', () => expect(prefer('de', ['en-GB'])).toBe('de'));
  test('is else the first of the browser that there is', () =>
    expect(prefer(null, ['fr', 'de-AT', 'en'])).toBe('de'));
  test('is English if there is none', () => expect(prefer('xx', ['fr'])).toBe('en'));
});
