import { defineConfig } from 'vitest/config';

// Tests of logic, beside its code. They run in Node, in a time zone that differs from UTC.
export default defineConfig({
  test: { include: ['src/**/*.test.ts'], env: { TZ: 'Europe/Berlin' } },
});
