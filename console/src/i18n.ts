import { createContext, useContext } from 'react';
import { loaders } from 'messages:languages';
import type english from './messages/en.json';

/** The languages of the console. Another language is another file of messages. */
export const languages: readonly string[] = Object.keys(loaders);

type Messages = typeof english;
/**
 * Keys of messages, without the plural form: `documents.count` for `documents.count_one` and
 * `documents.count_other`.
 */
export type MessageKey = keyof Messages extends infer K
  ? K extends `${infer Base}_other`
    ? Base
    : K extends `${string}_one`
      ? never
      : K
  : never;
export type Values = Record<string, string | number>;

const languageItem = 'rostrum.language';

export interface Translator {
  readonly language: string;
  /** The direction of the language's script, from the message `direction`. */
  readonly direction: 'ltr' | 'rtl';
  /** Returns a message with its values filled in; `count` selects the plural form. */
  readonly t: (key: MessageKey, values?: Values) => string;
  /**
   * Returns the message of a code, for example `error.not_found`; else `error.other`, else the
   * code.
   */
  readonly text: (
    of: 'audit' | 'error' | 'field' | 'limit' | 'operation',
    code: string,
    values?: Values,
  ) => string;
  /** Returns the name of an enum's value, or the value itself. */
  readonly name: (of: string, value: string) => string;
  readonly number: (value: number) => string;
  /** Returns a number, shortened from 10,000 on: "12.3K". */
  readonly compact: (value: number) => string;
  readonly percent: (value: number) => string;
  /**
   * Returns an amount of money with three significant digits, because a request costs far below a
   * cent.
   */
  readonly amount: (value: number) => string;
  readonly date: (value: string) => string;
  readonly dateTime: (value: string) => string;
  /** Returns the distance to now, such as "3 minutes ago". */
  readonly ago: (value: string) => string;
}

export const TranslatorContext = createContext<Translator | null>(null);

export function useTranslator(): Translator {
  const translator = useContext(TranslatorContext);
  if (!translator) {
    throw new Error('useTranslator needs a TranslatorContext');
  }
  return translator;
}

/** Returns the language that the user chose, else the first of the browser's that there is. */
export function preferredLanguage(): string {
  const wanted = [localStorage.getItem(languageItem) ?? '', ...navigator.languages].map((tag) =>
    tag.slice(0, 2),
  );
  return wanted.find((tag) => languages.includes(tag)) ?? 'en';
}

let shown: Translator;
let shownMessages: Record<string, string>;
let isComplete = false;

/**
 * Loads the messages of a language and makes it the language of shownTranslator. Those that the
 * first screen does not need are there after completeMessages.
 */
export async function loadTranslator(language: string): Promise<Translator> {
  const { first, later } = loaders[language] ?? {};
  const parts = await Promise.all([first?.(), isComplete ? later?.() : undefined]);
  shownMessages = Object.assign({}, ...parts.map((part) => part?.default)) as typeof shownMessages;
  shown = createTranslator(language, shownMessages);
  return shown;
}

/** Loads the messages that the first screen does not need. */
export async function completeMessages(): Promise<void> {
  while (!isComplete) {
    const { language } = shown;
    const part = await loaders[language]?.later();
    if (language === shown.language) {
      Object.assign(shownMessages, part?.default);
      isComplete = true;
    }
  }
}

/** Returns the translator of the page's language, for code outside of components. */
export function shownTranslator(): Translator {
  return shown;
}

export function rememberLanguage(language: string): void {
  localStorage.setItem(languageItem, language);
}

const spans: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
];

function createTranslator(language: string, messages: Record<string, string>): Translator {
  const plural = new Intl.PluralRules(language);
  const number = new Intl.NumberFormat(language);
  const compact = new Intl.NumberFormat(language, {
    notation: 'compact',
    maximumFractionDigits: 1,
  });
  const amount = new Intl.NumberFormat(language, { maximumSignificantDigits: 3 });
  const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 0 });
  const date = new Intl.DateTimeFormat(language, { dateStyle: 'medium' });
  const dateTime = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' });
  const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  const fill = (text: string, values: Values) =>
    text.replace(/\{(\w+)\}/g, (hole, name: string) => {
      const value = values[name];
      return value === undefined ? hole : typeof value === 'number' ? number.format(value) : value;
    });
  return {
    language,
    direction: messages['direction'] === 'rtl' ? 'rtl' : 'ltr',
    t(key, values = {}) {
      const form =
        typeof values['count'] === 'number' ? `${key}_${plural.select(values['count'])}` : key;
      return fill(messages[form] ?? messages[`${key}_other`] ?? messages[key] ?? key, values);
    },
    text: (of, code, values = {}) =>
      fill(messages[`${of}.${code}`] ?? messages[`${of}.other`] ?? code, values),
    name: (of, value) => messages[`${of}.${value}`] ?? value.toLowerCase().replaceAll('_', ' '),
    number: (value) => number.format(value),
    compact: (value) => (Math.abs(value) < 10_000 ? number : compact).format(value),
    percent: (value) => percent.format(value),
    amount: (value) => amount.format(value),
    date: (value) => date.format(new Date(value)),
    dateTime: (value) => dateTime.format(new Date(value)),
    ago(value) {
      const seconds = (new Date(value).getTime() - Date.now()) / 1000;
      const [unit, length] = spans.find(([, size]) => Math.abs(seconds) >= size) ?? ['second', 1];
      return relative.format(Math.round(seconds / length), unit);
    },
  };
}
