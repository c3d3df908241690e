import { existsSync, readdirSync } from 'node:fs';
import type { CodegenConfig } from '@graphql-codegen/cli';

// Types of the operations, from the schema that clients see (`rostrum schema`, written by `make console`). Each screen
// has a module of its own, which is loaded with it. Home and the frame share one, because the cache uses both.
const shared = 'src/graph.graphql';
const home = 'home';

const preset = {
  preset: 'client' as const,
  presetConfig: { fragmentMasking: false },
  config: {
    enumsAsTypes: true,
    useTypeImports: true,
    defaultScalarType: 'string', // what a text is, such as a URL or a Quote
    scalars: { JSON: 'unknown', JSONObject: 'Record<string, unknown>', Upload: 'File' },
  },
};

const documentsOf = (screen: string) => `src/screens/${screen}/${screen}.graphql`;

const screens = readdirSync('src/screens').filter(
  (name) => name !== home && existsSync(documentsOf(name)),
);

const config: CodegenConfig = {
  schema: 'schema.graphql',
  generates: {
    'src/graph/': { ...preset, documents: [shared, documentsOf(home)] },
    ...Object.fromEntries(
      screens.map((name) => [
        `src/graph/${name}/`,
        { ...preset, documents: [shared, documentsOf(name)] },
      ]),
    ),
  },
};

export default config;
