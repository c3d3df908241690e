// Each screen: one request of the graph and one for each of its checks, one socket, no other address, no serious violation of
// accessibility, and the request that it offers to copy.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, type Page, test } from './fixtures';
import { gateway, key, readKey } from './gateway';
import { screenNames } from './rows';
import {
  checkAccess,
  checkPhone,
  checkWidth,
  chooseInAccount,
  escapeDialog,
  heading,
  navigationPaths,
  openRequest,
  openScreen,
} from './screen';

/** How long a screen must stay without a further request, in milliseconds. */
const restTime = 1000;

/** Returns the request that the screen offers to copy, as GraphQL and as a command. */
async function copiedRequest(page: Page, operation: string) {
  const dialog = await openRequest(page, operation);
  const graphql = await dialog.locator('pre').innerText();
  await dialog.getByText('curl', { exact: true }).click();
  await expect(dialog.getByText('X-API-Key: $KEY')).toBeVisible();
  const curl = await dialog.locator('pre').innerText();
  await escapeDialog(dialog);
  return { graphql, curl };
}

test.describe('every screen is one request and one socket, in light, dark, on a phone and in German', () => {
  for (const name of screenNames) {
    test(name, async ({ page, log, screens }) => {
      const { path, heading, query, checks } = screens[name];
      await openScreen(page, path);
      const rest = page.waitForTimeout(restTime);
      await expect(page.locator('h1')).toHaveText(heading);
      expect(page.url(), 'the key stays in the address').not.toContain('key=');
      await checkAccess(page, name);
      const { graphql, curl } = await copiedRequest(page, query);
      expect(graphql).toMatch(new RegExp(`^query ${query}`));
      expect(curl).toContain(`curl ${gateway}/graphql`);
      expect(curl).toContain(`query ${query}`);
      await rest;
      const asked = [query, ...checks].map((operation) => `query ${operation}`);
      expect([...log.operations].sort()).toEqual(asked.sort());
      expect(log.requests).toEqual(asked.map(() => 'POST /graphql'));
      expect(log.sockets).toHaveLength(1);
      await checkPhone(page);
      await page.emulateMedia({ colorScheme: 'dark' });
      const html = page.locator('html');
      await expect(html).toHaveAttribute('data-mantine-color-scheme', 'dark');
      await chooseInAccount(page, 'Deutsch');
      await expect(html).toHaveAttribute('lang', 'de');
      await expect(page.getByRole('menu')).toHaveCount(0);
      await checkAccess(page, `${name} in German in the dark on a phone`);
      await checkWidth(page);
    });
  }
});

/** The operations of screens that show less to who may only read. */
const forReaders: Readonly<Record<string, string>> = {
  Settings: 'SettingsOfMember',
  Members: 'MembersToRead',
};

test('every screen is one request with a key that may read only', async ({
  page,
  log,
  screens,
}) => {
  for (const [name, { path, query, checks }] of Object.entries(screens)) {
    await test.step(name, async () => {
      log.requests.length = log.operations.length = 0;
      await openScreen(page, path, { as: readKey });
      await page.waitForTimeout(restTime);
      const own = `query ${forReaders[query] ?? query}`;
      // These may be refused before the scopes of a key are known.
      const isRefused = query in forReaders && log.operations.length > 1;
      const asked = [...(isRefused ? [`query ${query}`] : []), own];
      asked.push(...checks.map((check) => `query ${check}`));
      expect([...log.operations].sort()).toEqual(asked.sort());
      expect(log.requests).toEqual(log.operations.map(() => 'POST /graphql'));
    });
  }
});

test('the copied command returns the data of the screen', async ({ page }) => {
  const sent = page.waitForResponse((response) => response.url().endsWith('/graphql'));
  await openScreen(page, '/links');
  // The cache asks for the names of types besides.
  const skip = (name: string, value: unknown) => (name === '__typename' ? undefined : value);
  const { data } = JSON.parse(await (await sent).text(), skip);
  const { curl } = await copiedRequest(page, 'Links');
  const env = { ...process.env, KEY: key };
  const copied = JSON.parse((await promisify(execFile)('sh', ['-c', curl], { env })).stdout);
  expect(copied.errors).toBe(undefined);
  expect(copied.data.links).toEqual(data.links);
  expect(Object.keys(copied.data)).toEqual(Object.keys(data));
});

test('requests to other parts of the gateway are found, also those of a pop-up', async ({
  page,
  log,
}) => {
  await openScreen(page, '/');
  await page.evaluate(() => fetch('/api/v1/documents'));
  const opened = page.waitForEvent('popup');
  await page.evaluate(() => void window.open('/healthz'));
  await (await opened).waitForLoadState();
  expect(log.foreign.splice(0)).toEqual([`${gateway}/api/v1/documents`, `${gateway}/healthz`]);
});

test('the navigation lists screens that are tested', async ({ page, screens }) => {
  await openScreen(page, '/');
  const targets = await navigationPaths(page);
  expect(targets).toHaveLength(15);
  expect(Object.values(screens).map(({ path }) => path)).toEqual(expect.arrayContaining(targets));
});

test('the first screen loads less than 165 KB of script', async ({ page }) => {
  await openScreen(page, '/');
  const sizes = await page.evaluate(() =>
    (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
      .filter(({ name }) => name.endsWith('.js'))
      .map(({ encodedBodySize }) => encodedBodySize),
  );
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  console.log(`first screen: ${sizes.length} scripts, ${bytes} bytes compressed`);
  expect(bytes).toBeGreaterThan(0);
  expect(bytes).toBeLessThan(165_000);
});

test.describe(() => {
  test.use({ locale: 'de-DE' });
  test('the console speaks German', async ({ page }) => {
    await openScreen(page, '/');
    await expect(page.locator('html')).toHaveAttribute('lang', 'de');
    await expect(heading(page, 'Start')).toBeVisible();
  });
});
