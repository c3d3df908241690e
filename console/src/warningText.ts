import type { MessageKey, Translator } from './i18n';

/** The gateway's sentences of warnings, and their messages; the named groups are the values. */
const sentences: readonly (readonly [RegExp, MessageKey])[] = [
  [/^this is an outline, not a finished text: .*/, 'warning.outline'],
  [/^ignored without a text model: (?<names>.+)/, 'warning.ignored'],
  [/^points that the engine left out were added verbatim$/, 'warning.pointsAdded'],
  [/^document (?<id>\S+) is under embargo until (?<at>\S+)$/, 'warning.document'],
  [/^draft (?<id>\S+) is under embargo until (?<at>\S+)$/, 'warning.draft'],
  [/^(?<part>.+) is unchanged: no better wording was found$/, 'warning.unchanged'],
];

/**
 * Returns a warning of the gateway in the page's language. It may have several sentences, which a
 * semicolon separates; one without a message stays as it is.
 */
export function warningText({ t, name, dateTime }: Translator, warning: string): string {
  const translate = (sentence: string) => {
    for (const [pattern, key] of sentences) {
      const groups = pattern.exec(sentence)?.groups;
      if (groups ?? pattern.test(sentence)) {
        const { names = '', at, ...values } = groups ?? {};
        const options = names.split(', ').map((option) => name('option', option));
        return t(key, { ...values, names: options.join(', '), at: at ? dateTime(at) : '' });
      }
    }
    return sentence;
  };
  return warning.split('; ').map(translate).join(' ');
}
