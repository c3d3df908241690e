import { execFileSync } from 'node:child_process';
import { expect, test, vi } from 'vitest';
import { curlCommand, graphText } from './screenRequest';

const query = 'query Search($q: String) { search(q: $q) }';

test('the variables of an operation are a comment', () => {
  expect(graphText({ query, variables: { q: 'x' } })).toBe(
    `${query}\n\n# variables\n# {\n#   "q": "x"\n# }`,
  );
  expect(graphText({ query, variables: {} })).toBe(query);
});

test('a shell passes on the body of the curl command as it is', () => {
  vi.stubGlobal('window', { location: { origin: 'https://gateway.example' } });
  const variables = { q: `it's "quoted" $HOME \\ \`x\`` };
  const command = curlCommand({ query, variables }).replace(/^curl/, 'printf "%s\\n"');
  const args = execFileSync('sh', ['-c', command], { env: { KEY: 'secret' }, encoding: 'utf8' });
  const lines = args.trimEnd().split('\n');
  expect(lines.slice(0, 3)).toEqual(['https://gateway.example/graphql', '-H', 'X-API-Key: secret']);
  expect(JSON.parse(lines.at(-1) ?? '')).toEqual({ query, variables });
  vi.unstubAllGlobals();
});
