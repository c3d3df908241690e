import { expect, test } from 'vitest';
import { type RuleFields, namedRules, ruleSource } from './ruleSource';

const fields: RuleFields = {
  form: 'banned',
  name: ' Plain words ',
  level: 'error',
  words: 'utilize\n\n“C++”\n',
  preferred: '',
  match: '$sentence',
};

test('words are taken letter by letter', () => {
  expect(ruleSource(fields, 'Avoid “%s”')).toBe(
    `name: "Plain words"
message: "Avoid “%s”"
level: error
extends: existence
ignorecase: true
tokens:
  - "utilize"
  - "“C\\\\+\\\\+”"
`,
  );
});

test('a preferred spelling is a pair', () => {
  const source = ruleSource(
    { ...fields, form: 'preferred', words: 'acme', preferred: 'ACME' },
    '%s',
  );
  expect(source).toContain('swap:\n  "acme": "ACME"\n');
});

test('a required phrase occurs once at least', () => {
  expect(ruleSource({ ...fields, form: 'required', words: 'a (b)' }, 'x')).toContain(
    'min: 1\ntoken: "a \\\\(b\\\\)"\n',
  );
});

test('a rule of Vale gets the name of its file', () => {
  expect(namedRules('Avoid.yml', '# a\n---\nextends: existence\n')).toBe(
    'name: "Avoid"\nextends: existence\n',
  );
  expect(namedRules('Avoid.yml', 'name: B\nextends: existence\n')).toBe(
    'name: B\nextends: existence\n',
  );
});
