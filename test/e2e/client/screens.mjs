// The operations of the ten screens and the variables with which a test runs them.
import { readFileSync, readdirSync } from 'node:fs';
import { parse } from 'graphql';

const folder = new URL('../screens/', import.meta.url);

// screens has the name, the text and the variables of each operation.
export const screens = readdirSync(folder).sort().map((file) => {
  const text = readFileSync(new URL(file, folder), 'utf8');
  const name = parse(text).definitions[0].name.value;
  return { file, name, text, variables: JSON.parse(process.env.SCREEN_VARIABLES ?? '{}')[file] ?? {} };
});

export const url = process.env.GRAPHQL_URL;
export const headers = { 'X-API-Key': process.env.GRAPHQL_KEY };

// runPlain runs an operation without a client library.
export async function runPlain(query, variables) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  });
  const answer = await response.json();
  if (answer.errors) throw new Error(JSON.stringify(answer.errors));
  return answer.data;
}

// withoutTypes returns a value without the fields __typename, which clients add.
export function withoutTypes(value) {
  if (Array.isArray(value)) return value.map(withoutTypes);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).filter(([name]) => name !== '__typename').map(([name, inner]) => [name, withoutTypes(inner)]),
  );
}

// report prints the data of a screen as a line of JSON.
export function report(screen, data) {
  process.stdout.write(`${JSON.stringify({ screen: screen.name, data: withoutTypes(data) })}\n`);
}
