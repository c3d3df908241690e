import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { CodegenConfig } from '@graphql-codegen/cli';

// Types of the operations from the schema that clients see (`rostrum schema`, written by `make console`). Each screen has a module of its own, so
// that its operations are loaded with it; Home and the frame share one, because the cache uses both.
const shared = 'src/graph.graphql';
const home = 'home.graphql';

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

const screens = readdirSync('src/screens').filter((name) => name.endsWith('.graphql') && name !== home);

const config: CodegenConfig = {
  schema: 'schema.graphql',
  generates: {
    'src/graph/': { ...preset, documents: [shared, `src/screens/${home}`] },
    ...Object.fromEntries(
      screens.map((name) => [`src/graph/${path.basename(name, '.graphql')}/`, { ...preset, documents: [shared, `src/screens/${name}`] }]),
    ),
  },
};

export default config;
