// Each screen: one request of the graph, one socket, no other host, no serious violation of accessibility, and its main path.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { awaitScreen, checkAccess, checkWidth, closeBrowser, openBrowser, openScreen } from './browser.mjs';
import { screenPaths } from './rows.mjs';

let paths;
before(async () => {
  await openBrowser();
  paths = await screenPaths();
});
after(closeBrowser);

test('every screen is one request and one socket, in light, dark and on a phone', { concurrency: 1 }, async (t) => {
  for (const [name, { path, heading, query }] of Object.entries(paths)) {
    await t.test(name, async (t) => {
      const { page, log } = await openScreen(t, path);
      await awaitScreen(page);
      assert.equal(await page.locator('h1').innerText(), heading);
      assert.deepEqual(log.operations, [`query ${query}`]);
      assert.equal(log.sockets.length, 1);
      assert.ok(!page.url().includes('key='), 'the key stays in the address');
      await checkAccess(page, name);
      await page.emulateMedia({ colorScheme: 'dark' });
      await page.waitForSelector('[data-mantine-color-scheme=dark]');
      await page.setViewportSize({ width: 390, height: 844 });
      await page.locator('header').getByRole('button', { name: 'Menu' }).waitFor();
      await checkAccess(page, `${name} in the dark on a phone`);
      await checkWidth(page);
    });
  }
});

test('the navigation lists screens that are tested', async (t) => {
  const { page } = await openScreen(t, '/');
  await awaitScreen(page);
  const targets = await page.locator('nav a[href^="/console"]').evaluateAll((links) => links.map((link) => link.getAttribute('href').replace('/console', '') || '/'));
  assert.equal(targets.length, 10);
  for (const target of targets) {
    assert.ok(Object.values(paths).some(({ path }) => path === target), `${target} is not tested`);
  }
});

test('the first screen loads less than 150 KB of script', async (t) => {
  const { page } = await openScreen(t, '/');
  await awaitScreen(page);
  const sizes = await page.evaluate(() => performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.js')).map(({ encodedBodySize }) => encodedBodySize));
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  t.diagnostic(`${sizes.length} scripts, ${bytes} bytes`);
  assert.ok(bytes > 0 && bytes < 150_000, `${bytes} bytes`);
});

test('the console speaks German', async (t) => {
  const { page } = await openScreen(t, '/', { locale: 'de-DE' });
  await awaitScreen(page);
  assert.equal(await page.evaluate(() => document.documentElement.lang), 'de');
  await page.getByRole('heading', { level: 1, name: 'Start' }).waitFor();
});
