// Generates typed documents of the screens with the client preset of graphql-codegen, checks them and a program that uses them with the
// strict TypeScript compiler, and runs the generated documents.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { codegen } from '@graphql-codegen/core';
import { preset } from '@graphql-codegen/client-preset';
import { buildClientSchema, getIntrospectionQuery, parse, print, printSchema } from 'graphql';
import { report, runPlain, screens } from './screens.mjs';

const folder = process.env.OUTPUT;
// The scalars whose values are texts.
const texts = Object.fromEntries(
  ['Time', 'URL', 'Markdown', 'LanguageTag', 'CountryCode', 'EmailAddress', 'MediaType', 'ContentType', 'CommunicationType', 'TagType', 'Category', 'ModelName', 'Cursor',
    'Quote', 'FailureCode', 'AuditAction', 'Version', 'Slug', 'ImageURL', 'FieldName', 'SchemaCoordinate', 'Secret']
    .map((name) => [name, 'string']),
);
const schemaText = printSchema(buildClientSchema(await runPlain(getIntrospectionQuery())));
const sections = await preset.buildGeneratesSection({
  baseOutputDir: `${folder}/gql/`,
  schema: parse(schemaText),
  documents: screens.map((screen) => ({ location: screen.file, document: parse(screen.text), rawSDL: screen.text })),
  config: { strictScalars: true, scalars: { ...texts, JSON: 'unknown', JSONObject: 'Record<string, unknown>', Upload: 'Blob' } },
  presetConfig: { fragmentMasking: false },
  plugins: [],
  pluginMap: {},
});
for (const section of sections) {
  const text = await codegen(section);
  mkdirSync(dirname(section.filename), { recursive: true });
  writeFileSync(section.filename, text);
}
writeFileSync(join(folder, 'program.ts'), `import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import * as gql from './gql/graphql';

declare function run<Data, Variables>(document: TypedDocumentNode<Data, Variables>, variables: Variables): Promise<Data>;

export async function titleOf(id: string): Promise<string | undefined> {
  const screen = await run(gql.DocumentScreenDocument, { id });
  const title: string | undefined = screen.document?.title;
  // @ts-expect-error The screen does not select the author.
  screen.document?.author;
  // @ts-expect-error The operation needs the id.
  await run(gql.DocumentScreenDocument, {});
  return title;
}
`);
const modules = resolve('node_modules');
writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({
  compilerOptions: {
    strict: true, noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true, target: 'es2022', module: 'esnext', moduleResolution: 'bundler',
    outDir: 'out', skipLibCheck: true, types: [], paths: { '*': [`${modules}/*`] },
  },
  files: ['program.ts', 'gql/gql.ts', 'gql/graphql.ts'],
}));
writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
execFileSync(process.execPath, [resolve('node_modules/typescript/bin/tsc'), '-p', folder], { stdio: 'inherit' });

const generated = await import(join(folder, 'out/gql/graphql.js'));
for (const screen of screens) {
  report(screen, await runPlain(print(generated[`${screen.name}Document`]), screen.variables));
}
