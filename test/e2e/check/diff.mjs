// Compares the GraphQL schema on the standard input with the last release, released.graphqls. Prints each breaking change that
// breaking.json does not list with a reason, and each entry of that file that is no change.
import { readFileSync } from 'node:fs';
import { CriticalityLevel, diff } from '@graphql-inspector/core';
import { buildSchema } from 'graphql';

const read = (name) => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8');

const reasons = JSON.parse(read('breaking.json'));
const changes = await diff(buildSchema(read('released.graphqls')), buildSchema(readFileSync(0, 'utf8')));
const breaking = new Set(changes.filter((c) => c.criticality.level === CriticalityLevel.Breaking).map((c) => c.message));

for (const message of breaking) {
  if (!reasons[message]) {
    console.log(`breaks clients of the last release: ${message}`);
  }
}
for (const message of Object.keys(reasons)) {
  if (!breaking.has(message)) {
    console.log(`breaking.json lists what is no change: ${message}`);
  }
}
