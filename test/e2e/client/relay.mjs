// Compiles the screens with the Relay compiler and runs them with Relay's runtime: over the network into its store, and again from the store alone.
// Relay requires that an operation is written in a module and has the module's name and the suffix Query. Each screen becomes such a module here;
// its operation differs from the file's in nothing but that name.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import compiler from 'relay-compiler';
import relay from 'relay-runtime';
import { buildClientSchema, getIntrospectionQuery, printSchema } from 'graphql';
import { report, runPlain, screens } from './screens.mjs';

const folder = process.env.OUTPUT;
const sources = join(folder, 'source');
mkdirSync(sources);
for (const screen of screens) {
  const text = screen.text.replace(`query ${screen.name}`, `query ${screen.name}Query`);
  writeFileSync(join(sources, `${screen.name}.js`), `import { graphql } from 'relay-runtime';\nexport default graphql\`\n${text}\`;\n`);
}
writeFileSync(join(folder, 'schema.graphql'), printSchema(buildClientSchema(await runPlain(getIntrospectionQuery()))));
writeFileSync(join(folder, 'package.json'), '{"type": "commonjs"}');
mkdirSync(join(folder, 'artifact'));
writeFileSync(join(folder, 'relay.config.json'), JSON.stringify({
  src: './source', schema: './schema.graphql', language: 'javascript', artifactDirectory: './artifact', eagerEsModules: false,
}));
execFileSync(compiler, ['relay.config.json'], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });

const { Environment, Network, RecordSource, Store, createOperationDescriptor, fetchQuery, getSingularSelector } = relay;
const environment = new Environment({
  network: Network.create(async (request, variables) => ({ data: await runPlain(request.text, variables) })),
  store: new Store(new RecordSource()),
});
const load = createRequire(join(folder, 'artifact', 'index.js'));

// unmask returns data with that of its fragments, which Relay gives only to the components that own them.
function unmask(value) {
  if (Array.isArray(value)) return value.map(unmask);
  if (value === null || typeof value !== 'object') return value;
  const { __fragments: fragments = {}, __id, __fragmentOwner, ...data } = value;
  for (const name of Object.keys(fragments)) {
    Object.assign(data, environment.lookup(getSingularSelector(load(`./${name}.graphql.js`), value)).data);
  }
  return Object.fromEntries(Object.entries(data).map(([name, inner]) => [name, unmask(inner)]));
}

for (const screen of screens) {
  const query = load(`./${screen.name}Query.graphql.js`);
  await fetchQuery(environment, query, screen.variables).toPromise();
  const operation = createOperationDescriptor(query, screen.variables);
  const { data, isMissingData } = environment.lookup(operation.fragment);
  if (isMissingData) throw new Error(`the store lacks data of ${screen.name}`);
  report(screen, unmask(data));
}
