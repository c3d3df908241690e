// Runs every audit of graphql-http against GRAPHQL_URL with the key GRAPHQL_KEY. Prints those that fail and the number of all.
import { auditServer } from 'graphql-http';

const { GRAPHQL_URL: url, GRAPHQL_KEY: key } = process.env;

const results = await auditServer({
  url,
  fetchFn: (address, init = {}) => fetch(address, { ...init, headers: { ...init.headers, 'X-API-Key': key } }),
});
for (const result of results.filter((r) => r.status !== 'ok')) {
  console.log(`${result.id} ${result.name}: ${result.reason}; the response has the status ${result.response?.status}`);
}
console.log(`${results.length} audits`);
