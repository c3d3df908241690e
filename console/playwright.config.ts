import { existsSync } from 'node:fs';
import { defineConfig } from '@playwright/test';

/** The browser without windows needs half the time of the processor. */
const chromium = existsSync('/usr/bin/chromium-headless-shell')
  ? '/usr/bin/chromium-headless-shell'
  : '/usr/bin/chromium';

/** How long a page may take to show what a test waits for. */
const patience = 3 * 60_000;

/** Returns a project that runs the files, in the order of their names. */
const project = (name: string, files = name) => ({
  name,
  testMatch: files.split(' ').map((file) => `${file}.spec.ts`),
});

// The Go tests start the gateways: TestConsole (paths, peers), TestConsoleScreens,
// TestConsoleTrusted, TestConsoleModel and TestDemo.
export default defineConfig({
  testDir: 'test',
  projects: [
    project(
      'screens',
      'screens states speed direction access load facets lists feed rights hosted pages playground guide',
    ),
    project(
      'paths',
      'paths brief bulk bulkFiles linkFile quotes publish newsroom comments tags personas corrections markdown filters parties groups sources search searches members factor house actions editor rich unsaved plots signin home week',
    ),
    project('peers', 'paths tags jobs links webhooks changes follow'),
    project('trusted'),
    project('demo'),
    project('model'),
    project('pictures'),
  ],
  workers: 1, // the tests share a workspace, whose counts they check
  retries: 1, // the list names what passed only at the second run: its cause is a defect of the test
  forbidOnly: Boolean(process.env.ROSTRUM_TEST_REQUIRE),
  reporter: 'list',
  timeout: 5 * patience,
  expect: { timeout: patience, toPass: { timeout: patience } },
  use: {
    actionTimeout: patience,
    navigationTimeout: patience,
    viewport: { width: 1280, height: 900 },
    contextOptions: { reducedMotion: 'reduce' },
    screenshot: 'only-on-failure',
    // Snapshots take a third of the time, and run a script in the frame of a preview, which allows
    // none.
    trace: { mode: 'retain-on-failure', snapshots: false, screenshots: false },
    launchOptions: {
      executablePath: process.env.CONSOLE_CHROMIUM ?? chromium,
      args: ['--disable-gpu', '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1'],
      timeout: patience,
    },
  },
});
