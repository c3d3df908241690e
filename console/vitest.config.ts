import { defineConfig } from 'vitest/config';
import { messageParts } from './messages';

// Tests of logic, beside its code. They run in Node, in a time zone that differs from UTC.
export default defineConfig({
  plugins: [messageParts],
  test: { include: ['src/**/*.test.ts'], env: { TZ: 'Europe/Berlin' } },
});
