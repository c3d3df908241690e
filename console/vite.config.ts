import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin, runnerImport } from 'vite';
import { messageParts } from './messages';

// The gateway serves dist at /console/. `npm run dev` forwards the graph and the sign-in to a gateway on its standard address.
const gateway = { target: 'http://127.0.0.1:8080', changeOrigin: false, ws: true };

/** Returns the names of the modules of the bundle that match the pattern. */
const moduleNames = (ids: string[], pattern: RegExp) =>
  new Set(ids.flatMap((id) => pattern.exec(id)?.[1] ?? []));

// Fails a build whose src/mantine.ts does not list exactly the styles of the components in the bundle.
const mantineStyles: Plugin = {
  name: 'mantine-styles',
  generateBundle(_, bundle) {
    const ids = Object.values(bundle).flatMap((file) =>
      file.type === 'chunk' ? file.moduleIds : [],
    );
    const used = moduleNames(ids, /@mantine\/core\/esm\/.*\/(\w+)\.module\.mjs$/);
    const listed = moduleNames(
      [...this.getModuleIds()],
      /@mantine\/core\/styles\/([A-Z]\w+)\.css$/,
    );
    const differences = [...used, ...listed].filter((name) => used.has(name) !== listed.has(name));
    if (differences.length > 0) {
      this.error(
        `src/mantine.ts must list the styles of the components in use, and only those: ${differences.join(', ')}`,
      );
    }
  },
};

// Writes the texts of the console's operations, which the gateway trusts.
const trustedOperations: Plugin = {
  name: 'trusted-operations',
  async generateBundle() {
    const { module } = await runnerImport<typeof import('./operations')>('./operations.ts');
    this.emitFile({
      type: 'asset',
      fileName: 'operations.json',
      source: JSON.stringify(module.operations),
    });
  },
};

// Modules of the first screen. Small ones share a file, which compresses better than one file each.
const packages = [
  'react|react-dom|scheduler|urql|@urql|@0no-co|wonka|wouter|regexparam|use-sync-external-store|graphql-ws|clsx',
  '@mantine/core/esm/(core|components/(ActionIcon|Anchor|Alert|Badge|Box|Button|Group|Loader|Paper|Progress|SimpleGrid|Skeleton|Stack|Text|Title|Transition|UnstyledButton))',
];
const modules = [
  'access|app|buildReload|client|connection|errorTranslation|eventReplay|followEvents|frame|headingFocus|i18n|inputTracker|keptFocus|languageContext',
  'liveUpdates|pageSession|problemText|screenRoutes|session|theme|unsavedChanges|graph/graphql',
  'ui/(accountButton|documentRow|jobRow|loadLater|notice|panel|requestButton|screen|screenBoundary|screenLink|sparkline|useAction)',
];
const firstScreen = new RegExp(
  `node_modules/(${packages.join('|')})/|console/src/(${modules.join('|')})\\.tsx?$`,
);

export default defineConfig({
  base: '/console/',
  plugins: [react(), messageParts, mantineStyles, trustedOperations],
  build: {
    target: 'es2022',
    assetsInlineLimit: 0, // a strict policy allows no data: script
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            {
              name: 'base',
              test: firstScreen,
            },
          ],
        },
      },
    },
    chunkSizeWarningLimit: 600, // of recharts, which only the screen of a link loads
  },
  server: { proxy: { '/graphql': gateway, '/api': gateway } },
});
