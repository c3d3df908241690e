// Every mutation of the graph is called by a screen, or has a reason why not.
import { readdirSync, readFileSync } from 'node:fs';
import {
  Kind,
  type ObjectTypeExtensionNode,
  type OperationDefinitionNode,
  OperationTypeNode,
  parse,
} from 'graphql';
import { expect, test } from 'vitest';

const waits = 'waits for its job; the console starts the job and shows its progress';
const starts = 'starts a job; the console calls the mutation that waits for the same result';
const follows = 'answers at once; the console follows the reply while it is written';
const noScreen = 'improves a whole text; the console rewrites chosen parts of it';

/** The mutations that no screen calls, each with the reason. */
const leftOut: Record<string, string> = {
  applyAutoTags: waits,
  extractSignals: waits,
  generateAudienceSummary: waits,
  startComparison: starts,
  askPersona: follows,
  startInteraction: follows,
  startPersonaDraft: starts,
  registerOperations: 'builds of front ends do it, by the command line',
  extractText: 'only reads a file; the console keeps it as a document',
  enhanceContent: noScreen,
  generateContent: follows,
  startContentEnhancement: noScreen,
  startContentGeneration: starts,
  startPersonaContent: starts,
};

const folder = (path: string) => new URL(path, import.meta.url);

/** Returns the texts of the files of a folder and its folders with the ending. */
const texts = (path: string, ending: string) =>
  readdirSync(folder(path), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .map((name) => readFileSync(folder(`${path}/${name}`), 'utf8'));

/** The mutations of the schema; each area extends the root in a file of its own. */
const declared = texts('../../graph', '.graphqls')
  .flatMap((text) => parse(text).definitions)
  .filter(
    (definition): definition is ObjectTypeExtensionNode =>
      definition.kind === Kind.OBJECT_TYPE_EXTENSION && definition.name.value === 'Mutation',
  )
  .flatMap(({ fields }) => fields ?? [])
  .filter(({ directives }) => !directives?.some(({ name }) => name.value === 'inaccessible'))
  .map(({ name }) => name.value)
  .sort();

const called = [readFileSync(folder('graph.graphql'), 'utf8'), ...texts('screens', '.graphql')]
  .flatMap((text) => parse(text).definitions)
  .filter(
    (definition): definition is OperationDefinitionNode =>
      definition.kind === Kind.OPERATION_DEFINITION &&
      definition.operation === OperationTypeNode.MUTATION,
  )
  .flatMap(({ selectionSet }) => selectionSet.selections)
  .flatMap((field) => (field.kind === Kind.FIELD ? [field.name.value] : []));

test('every mutation is called, or is left out for a reason', () => {
  expect(declared.length).toBeGreaterThan(80);
  const missing = declared.filter((name) => !called.includes(name) && !(name in leftOut));
  expect(missing).toEqual([]);
});

test('only mutations that exist and that no screen calls are left out', () => {
  const wrong = Object.keys(leftOut).filter(
    (name) => !declared.includes(name) || called.includes(name),
  );
  expect(wrong).toEqual([]);
});
