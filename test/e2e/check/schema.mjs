// Lints the GraphQL schema on the standard input with graphql-schema-linter and graphql-eslint (recommended and Relay rules). Prints each
// finding that accepted.mjs does not list.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { report, schema as accepted } from './accepted.mjs';

const require = createRequire(import.meta.url);
const { Linter } = require('eslint');
const eslint = require('@graphql-eslint/eslint-plugin');
const { Configuration } = require('graphql-schema-linter/lib/configuration.js');
const { validateSchemaDefinition } = require('graphql-schema-linter/lib/validator.js');

const text = readFileSync(0, 'utf8');

// The rules of graphql-schema-linter that are turned off, and why.
const off = {
  'type-fields-sorted-alphabetically': 'fields are in the order of their meaning, id first',
  'input-object-fields-sorted-alphabetically': 'fields are in the order of their meaning, required ones first',
  'enum-values-sorted-alphabetically': 'values are in the order of their meaning, such as the states of a job',
};

const rules = {
  ...eslint.configs['flat/schema-recommended'].rules,
  ...eslint.configs['flat/schema-relay'].rules,
  // Values without an identity of their own, such as RunBudget and payloads, have no id.
  '@graphql-eslint/strict-id-in-types': 'off',
  // Connections have nodes beside edges, and lists that are part of one noun are not connections.
  '@graphql-eslint/relay-edge-types': ['error', { listTypeCanWrapOnlyEdgeType: false }],
  // A job's type and an event's name are what the specification calls them.
  '@graphql-eslint/no-typename-prefix': 'off',
};

const linter = new Linter({ cwd: '/' });
const eslintFindings = linter.verify(text, [{
  files: ['**/*.graphql'],
  languageOptions: { parser: eslint.parser, parserOptions: { graphQLConfig: { schema: text } } },
  plugins: { '@graphql-eslint': eslint },
  rules,
}], { filename: '/schema.graphql' });
const findings = eslintFindings.map((f) => ({ rule: f.ruleId, at: definitionAt(f.line), message: f.message }));

const configuration = new Configuration({ definition: text, sourceMap: null }, { except: Object.keys(off) });
for (const e of validateSchemaDefinition({ definition: text }, configuration.getRules(), configuration)) {
  findings.push({ rule: e.ruleName, at: definitionAt(e.locations[0].line), message: e.message });
}

report(findings, accepted);

// definitionAt returns the name of the type or directive that a line belongs to.
function definitionAt(line) {
  const names = text.split('\n').slice(0, line).map((l) => /^(?:type|interface|union|enum|input|scalar|directive) @?(\w+)/.exec(l)?.[1]);
  return names.findLast((name) => name) ?? '';
}
