// What the gateway computes of a text may be refused or take long: no query of a screen waits for it.
import { readdirSync, readFileSync } from 'node:fs';
import { parse, visit } from 'graphql';
import { expect, test } from 'vitest';

const folder = (path: string) => new URL(path, import.meta.url);

/** The fields of a draft that wait for a processor; the console asks checkHouseRules and textAnalysis. */
const computed = ['analysis', 'houseCheck'];

test('no screen selects what is computed of a draft', () => {
  const files = readdirSync(folder('screens'), { recursive: true, encoding: 'utf8' });
  const documents = files.filter((name) => name.endsWith('.graphql'));
  expect(documents.length).toBeGreaterThan(20);
  const selected = documents.flatMap((name) => {
    const found: string[] = [];
    visit(parse(readFileSync(folder(`screens/${name}`), 'utf8')), {
      Field: ({ name: field }) => {
        if (computed.includes(field.value)) {
          found.push(`${name}: ${field.value}`);
        }
      },
    });
    return found;
  });
  expect(selected).toEqual([]);
});
