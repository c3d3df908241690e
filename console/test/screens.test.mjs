// Each screen: one request of the graph, one socket, no other address, no serious violation of accessibility, and the request that it offers to copy.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { accessFound, awaitScreen, checkAccess, checkWidth, chooseGerman, escapeDialog, openScreen, reopenScreen } from './browser.mjs';
import { gateway, key, readKey } from './gateway.mjs';
import { screenPaths } from './rows.mjs';

/** How long a screen must stay without a further request, in milliseconds. */
const restTime = 1000;

/** Opens the dialog with the request of the screen, and returns its text as GraphQL and as a command. */
async function copiedRequest(page) {
  await page.getByRole('button', { name: 'Copy as GraphQL or curl' }).click();
  const dialog = page.getByRole('dialog');
  const graphql = await dialog.locator('pre').innerText();
  await dialog.getByText('curl', { exact: true }).click();
  await dialog.getByText('X-API-Key: $KEY').waitFor();
  const curl = await dialog.locator('pre').innerText();
  await escapeDialog(dialog);
  return { graphql, curl };
}

/** Checks a screen on a phone, in English and then in German in the dark. */
async function checkPhone(page, name) {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.locator('header').getByRole('button', { name: 'Menu' }).waitFor();
  await checkWidth(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.waitForSelector('[data-mantine-color-scheme=dark]');
  await chooseGerman(page);
  await checkAccess(page, `${name} in German in the dark on a phone`);
  await checkWidth(page);
}

test('every screen is one request and one socket, in light, dark, on a phone and in German', { concurrency: 1 }, async (t) => {
  const paths = await screenPaths();
  for (const [name, { path, heading, query }] of Object.entries(paths)) {
    await t.test(name, async (t) => {
      const { page, log } = await openScreen(t, path);
      await awaitScreen(page);
      const shownAt = Date.now();
      assert.equal(await page.locator('h1').innerText(), heading);
      assert.ok(!page.url().includes('key='), 'the key stays in the address');
      await checkAccess(page, name);
      const { graphql, curl } = await copiedRequest(page);
      assert.ok(graphql.startsWith(`query ${query}`), graphql.slice(0, 80));
      assert.ok(curl.startsWith(`curl ${gateway}/graphql`) && curl.includes(`query ${query}`), curl.slice(0, 160));
      await page.waitForTimeout(Math.max(0, shownAt + restTime - Date.now()));
      assert.deepEqual(log.operations, [`query ${query}`]);
      assert.deepEqual(log.requests, ['POST /graphql']);
      assert.equal(log.sockets.length, 1);
      await checkPhone(page, name);
    });
  }
  const { checks, serious, critical } = accessFound;
  t.diagnostic(`axe: ${checks} checks of ${Object.keys(paths).length} screens, ${serious} serious and ${critical} critical violations`);
});

test('every screen is one request with a key that may read only', async (t) => {
  const screens = Object.values(await screenPaths());
  const groups = [0, 1, 2, 3].map((first) => screens.filter((_, i) => i % 4 === first));
  const visit = async (group) => {
    const { page, log } = await openScreen(t, group[0].path, { as: readKey });
    for (const { path, query } of group) {
      if (path !== group[0].path) {
        log.requests.length = log.operations.length = 0;
        await reopenScreen(page, path, readKey);
      }
      await awaitScreen(page);
      await page.waitForTimeout(restTime);
      const mayBeRefused = query === 'Settings' && log.operations.length > 1; // before the scopes of a key are known
      assert.deepEqual(log.operations, mayBeRefused ? ['query Settings', 'query SettingsOfMember'] : [query === 'Settings' ? 'query SettingsOfMember' : `query ${query}`]);
      assert.deepEqual(log.requests, log.operations.map(() => 'POST /graphql'));
    }
  };
  await Promise.all(groups.map(visit));
});

test('the copied command returns the data of the screen', async (t) => {
  let sent;
  const { page } = await openScreen(t, '/links', {
    prepare: (opened) => {
      sent = opened.waitForResponse((response) => response.url().endsWith('/graphql'));
    },
  });
  const { data } = JSON.parse(await (await sent).text(), (name, value) => (name === '__typename' ? undefined : value)); // which the cache asks for besides
  await awaitScreen(page);
  const { curl } = await copiedRequest(page);
  const { stdout } = await promisify(execFile)('sh', ['-c', curl], { env: { ...process.env, KEY: key } });
  const copied = JSON.parse(stdout);
  assert.equal(copied.errors, undefined);
  assert.deepEqual(copied.data.links, data.links);
  assert.deepEqual(Object.keys(copied.data), Object.keys(data));
});

test('requests to other parts of the gateway are found, also those of a pop-up', async (t) => {
  const { page, log } = await openScreen(t, '/');
  await awaitScreen(page);
  await page.evaluate(() => fetch('/api/v1/documents'));
  const opened = page.waitForEvent('popup');
  await page.evaluate(() => void window.open('/healthz'));
  await (await opened).waitForLoadState();
  assert.deepEqual(log.foreign.splice(0), [`${gateway}/api/v1/documents`, `${gateway}/healthz`]);
});

test('the navigation lists screens that are tested', async (t) => {
  const { page } = await openScreen(t, '/');
  await awaitScreen(page);
  const targets = await page.locator('nav a[href^="/console"]').evaluateAll((links) => links.map((link) => link.getAttribute('href').replace('/console', '') || '/'));
  assert.equal(targets.length, 10);
  const paths = Object.values(await screenPaths());
  for (const target of targets) {
    assert.ok(paths.some(({ path }) => path === target), `${target} is not tested`);
  }
});

test('the first screen loads less than 150 KB of script', async (t) => {
  const { page } = await openScreen(t, '/', { isNew: true });
  await awaitScreen(page);
  const sizes = await page.evaluate(() => performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.js')).map(({ encodedBodySize }) => encodedBodySize));
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  t.diagnostic(`first screen: ${sizes.length} scripts, ${bytes} bytes compressed`);
  assert.ok(bytes > 0 && bytes < 150_000, `${bytes} bytes`);
});

test('the console speaks German', async (t) => {
  const { page } = await openScreen(t, '/', { locale: 'de-DE' });
  await awaitScreen(page);
  assert.equal(await page.evaluate(() => document.documentElement.lang), 'de');
  await page.getByRole('heading', { level: 1, name: 'Start' }).waitFor();
});
