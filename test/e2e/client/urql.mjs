// Runs the screens with urql: over the network into graphcache, which knows the schema and that objects without an id belong to their parents, and again from the cache alone.
import { Client, fetchExchange } from '@urql/core';
import { cacheExchange } from '@urql/exchange-graphcache';
import { getIntrospectionQuery } from 'graphql';
import { headers, report, runPlain, screens, url } from './screens.mjs';

const schema = await runPlain(getIntrospectionQuery());
const keys = Object.fromEntries(
  schema.__schema.types
    .filter((type) => type.kind === 'OBJECT' && !type.fields.some((field) => field.name === 'id'))
    .map((type) => [type.name, () => null]),
);
const client = new Client({
  url,
  preferGetMethod: false,
  fetchOptions: { headers },
  exchanges: [
    cacheExchange({ schema, keys }),
    fetchExchange,
  ],
});
for (const screen of screens) {
  const first = await client.query(screen.text, screen.variables, { requestPolicy: 'network-only' }).toPromise();
  if (first.error) throw first.error;
  const cached = await client.query(screen.text, screen.variables, { requestPolicy: 'cache-only' }).toPromise();
  if (cached.error) throw cached.error;
  report(screen, cached.data);
}
