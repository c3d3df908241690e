// The states of the screens in the navigation: loading, without a connection, and without rows.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { awaitScreen, awaitSuccess, checkAccess, checkWidth, openScreen, reopenScreen } from './browser.mjs';
import { emptyKey } from './gateway.mjs';

/** What each screen of the navigation shows in a workspace without rows. */
const emptyTexts = {
  '/': ['Nothing runs', 'No documents yet', 'No drafts'],
  '/documents': ['No documents yet'],
  '/personas': ['No personas yet'],
  '/audience': ['Nobody has reacted'],
  '/executives': ['No executives yet', 'No comparisons yet'],
  '/drafts': ['No drafts'],
  '/links': ['No links yet'],
  '/webhooks': ['No webhooks yet'],
  '/filters': ['Nothing to review', 'No filters', 'No auto-tags'],
  '/settings': ['Nothing took runs yet', 'No requests to a text model yet'],
};

/** Holds the requests of the graph; each is released to the gateway, or aborted, when it is asked for. */
async function holdRequests(page) {
  const waiting = [];
  let isHeld = true;
  await page.route('**/graphql', (route) => (isHeld ? void waiting.push(route) : route.continue()));
  return {
    hold: () => (isHeld = true),
    abort: async () => {
      await awaitSuccess(() => assert.ok(waiting.length > 0, 'the screen sends a request')); // after its code was loaded
      isHeld = false;
      await Promise.allSettled(waiting.splice(0).map((route) => route.abort())); // those of a page that was left are gone
    },
  };
}

test('each screen loads, fails with a new try, and says that it is empty', { concurrency: 1 }, async (t) => {
  let requests;
  const { page } = await openScreen(t, '/', {
    as: emptyKey,
    width: 390,
    prepare: async (opened) => {
      requests = await holdRequests(opened);
    },
  });
  for (const [path, texts] of Object.entries(emptyTexts)) {
    await t.test(path, async () => {
      requests.hold();
      await reopenScreen(page, path, emptyKey);
      await page.getByRole('status', { name: 'Loading' }).waitFor();
      await page.locator('main [aria-busy=true]').waitFor();
      await requests.abort();
      const failure = page.getByRole('alert').filter({ hasText: 'No connection to the gateway' });
      await failure.getByRole('button', { name: 'Try again' }).click();
      await awaitScreen(page);
      for (const text of texts) {
        await page.getByRole('main').getByText(text, { exact: true }).first().waitFor();
      }
      assert.equal(await failure.count(), 0);
      await checkAccess(page, `${path} without rows`);
      await checkWidth(page);
    });
  }
});

test('the states are those of every screen in the navigation', async (t) => {
  const { page } = await openScreen(t, '/', { as: emptyKey });
  await awaitScreen(page);
  const targets = await page.locator('nav a[href^="/console"]').evaluateAll((links) => links.map((link) => link.getAttribute('href').replace('/console', '') || '/'));
  assert.deepEqual(targets.toSorted(), Object.keys(emptyTexts).toSorted());
});
