// Runs the operation with @defer with urql.
import { Client, fetchExchange } from '@urql/core';
import { headers, print, text, url, variables } from './defer.mjs';

const client = new Client({ url, preferGetMethod: false, fetchOptions: { headers }, exchanges: [fetchExchange] });
await new Promise((resolve, reject) => {
  client.query(text, variables).subscribe(({ data, error, hasNext }) => {
    if (error) return reject(error);
    print('urql', data);
    if (!hasNext) resolve();
  });
});
