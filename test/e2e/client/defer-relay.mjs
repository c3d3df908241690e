// Compiles the operation with @defer with the Relay compiler, against the schema as the program serves it, and runs it with Relay's runtime.
// Its network layer reads the parts of the response, because Relay has none of its own.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import compiler from 'relay-compiler';
import relay from 'relay-runtime';
import { headers, print, text, url, variables } from './defer.mjs';

const folder = process.env.OUTPUT;
mkdirSync(join(folder, 'source'));
mkdirSync(join(folder, 'artifact'));
const [query, ...fragments] = text.split(/(?=fragment )/);
const source = [query, ...fragments].map((part) => `graphql\`${part}\`;\n`).join('');
writeFileSync(join(folder, 'source', 'defer.js'), `import { graphql } from 'relay-runtime';\n${source}`);
writeFileSync(join(folder, 'schema.graphql'), await (await fetch(new URL('/schema.graphqls', url))).text());
writeFileSync(join(folder, 'package.json'), '{"type": "commonjs"}');
writeFileSync(join(folder, 'relay.config.json'), JSON.stringify({
  src: './source', schema: './schema.graphql', language: 'javascript', artifactDirectory: './artifact', eagerEsModules: false,
}));
execFileSync(compiler, ['relay.config.json'], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
const load = createRequire(join(folder, 'artifact', 'index.js'));

const { Environment, Network, Observable, RecordSource, Store, createOperationDescriptor, getSingularSelector } = relay;

// parts reads a response of several parts, each of which ends with the boundary.
async function* parts(response) {
  const boundary = `--${/boundary="([^"]+)"/.exec(response.headers.get('Content-Type'))[1]}`;
  let read = '';
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    const pieces = (read + chunk).split(boundary);
    read = pieces.pop();
    for (const piece of pieces) {
      const body = piece.slice(piece.indexOf('\r\n\r\n')).trim();
      if (body) yield JSON.parse(body);
    }
  }
}

// fetchParts gives Relay each part in the form that it reads: with its label and path.
const fetchParts = (request, given) => Observable.create((sink) => {
  (async () => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json', Accept: 'multipart/mixed;deferSpec=20220824' },
      body: JSON.stringify({ query: request.text, variables: given }),
    });
    for await (const part of parts(response)) {
      for (const piece of part.incremental ?? [part]) {
        sink.next({ ...piece, extensions: { ...piece.extensions, is_final: !part.hasNext } });
      }
    }
    sink.complete();
  })().catch((error) => sink.error(error));
});

const environment = new Environment({ network: Network.create(fetchParts), store: new Store(new RecordSource()) });
const operation = createOperationDescriptor(load('./DeferQuery.graphql.js'), variables);

// unmask returns data with that of its fragments that the store has.
function unmask(value) {
  if (Array.isArray(value)) return value.map(unmask);
  if (value === null || typeof value !== 'object') return value;
  const { __fragments: owned = {}, __id, __fragmentOwner, ...data } = value;
  for (const name of Object.keys(owned)) {
    const { data: inner, isMissingData } = environment.lookup(getSingularSelector(load(`./${name}.graphql.js`), value));
    if (!isMissingData) Object.assign(data, inner);
  }
  return Object.fromEntries(Object.entries(data).map(([name, inner]) => [name, unmask(inner)]));
}

await new Promise((resolve, reject) => {
  environment.execute({ operation }).subscribe({
    next: () => print('relay', unmask(environment.lookup(operation.fragment).data)),
    error: reject,
    complete: resolve,
  });
});
print('relay', unmask(environment.lookup(operation.fragment).data));
