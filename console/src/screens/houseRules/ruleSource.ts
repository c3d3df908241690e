/** What the simple forms make a rule of. */
export type RuleForm = 'banned' | 'preferred' | 'required' | 'capitals';

export interface RuleFields {
  readonly form: RuleForm;
  readonly name: string;
  readonly level: 'suggestion' | 'warning' | 'error';
  /** Banned words or the required phrase; several banned ones are in lines of their own. */
  readonly words: string;
  /** What is written in place of the words. */
  readonly preferred: string;
  readonly match: '$sentence' | '$title';
}

/** Returns words as an expression that matches them alone. */
const literal = (words: string) => words.trim().replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** Returns the YAML of a rule. JSON texts are YAML texts too. */
export function ruleSource(fields: RuleFields, message: string): string {
  const quote = (text: string) => JSON.stringify(text);
  const head = [
    `name: ${quote(fields.name.trim())}`,
    `message: ${quote(message)}`,
    `level: ${fields.level}`,
  ];
  const lines = fields.words.split('\n').filter((line) => line.trim() !== '');
  switch (fields.form) {
    case 'banned':
      return [
        ...head,
        'extends: existence',
        'ignorecase: true',
        'tokens:',
        ...lines.map((line) => `  - ${quote(literal(line))}`),
        '',
      ].join('\n');
    case 'preferred':
      return [
        ...head,
        'extends: substitution',
        'ignorecase: true',
        'swap:',
        ...lines.map((line) => `  ${quote(literal(line))}: ${quote(fields.preferred.trim())}`),
        '',
      ].join('\n');
    case 'required':
      return [
        ...head,
        'extends: occurrence',
        'ignorecase: true',
        'min: 1',
        `token: ${quote(literal(fields.words))}`,
        '',
      ].join('\n');
    case 'capitals':
      return [
        ...head,
        'extends: capitalization',
        'scope: heading',
        `match: ${quote(fields.match)}`,
        '',
      ].join('\n');
  }
}

/** Returns the rules of a file, with the file's name where a rule of Vale has none. */
export function namedRules(fileName: string, content: string): string {
  const hasName = /^name:/m.test(content);
  return hasName
    ? content
    : `name: ${JSON.stringify(fileName.replace(/\.ya?ml$/i, ''))}\n${withoutStart(content)}`;
}

/** Returns a document without the line of dashes that it may begin with. */
const withoutStart = (content: string) =>
  content.replace(/^(?:\s*(?:#[^\n]*)?\n)*---[ \t]*\r?\n/, '');
