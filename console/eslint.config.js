import js from '@eslint/js';
import reactHooks from 'eslint-plugin-react-hooks';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

// typescript-eslint needs the API of TypeScript 6, which package.json installs as `typescript`.
// `tsc` is TypeScript 7, which is installed as `@typescript/native` and has no API yet.
export default defineConfig(
  globalIgnores(['dist', 'src/graph']),
  js.configs.recommended,
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { project: ['tsconfig.json', 'tsconfig.node.json'] } },
  },
  {
    files: ['src/**'],
    extends: [reactHooks.configs.flat['recommended-latest']],
    rules: { 'react-hooks/exhaustive-deps': 'error' }, // a warning by default, which would pass
  },
  {
    // Browser tests check what the gateway returns, which has no type for them.
    files: ['test/**'],
    rules: {
      '@typescript-eslint/no-explicit-any': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      'no-empty-pattern': ['error', { allowObjectPatternsAsParameters: true }], // of fixtures
    },
  },
);
