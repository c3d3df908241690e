// The states of the screens in the navigation: loading, without a connection, and without rows.
import { expect, test } from './fixtures';
import { emptyKey } from './gateway';
import {
  awaitScreen,
  checkAccess,
  checkWidth,
  loadScreen,
  navigationPaths,
  openScreen,
  phone,
} from './screen';

/** What each screen of the navigation shows in a workspace without rows. */
const emptyTexts = {
  '/': ['Nothing runs', 'No documents yet', 'No drafts'],
  '/documents': ['No documents yet'],
  '/searches': ['No saved searches'],
  '/personas': ['No personas yet'],
  '/audience': ['Nobody has reacted'],
  '/companies': ['No companies yet'],
  '/quotes': ['No quotes'],
  '/executives': ['No executives yet', 'No comparisons yet'],
  '/drafts': ['No drafts'],
  '/links': ['No links yet'],
  '/webhooks': ['No webhooks yet'],
  '/filters': ['Nothing to review', 'No filters', 'No auto-tags'],
  '/sources': ['No sources yet', 'Nothing was read yet'],
  '/members': ['No open invites', 'No members: only keys'],
  '/settings': ['Nothing took runs yet', 'No requests to a text model yet'],
};

test.describe('each screen loads, fails with a new try, and says that it is empty', () => {
  test.use({ viewport: { width: phone, height: 900 } });
  for (const [path, texts] of Object.entries(emptyTexts)) {
    test(path, async ({ page }) => {
      let fail = () => {};
      const failed = new Promise<void>((resolve) => (fail = resolve));
      await page.route('**/graphql', async (route) => {
        await failed;
        await route.abort();
      });
      await loadScreen(page, path, emptyKey);
      await expect(page.getByRole('status', { name: 'Loading' })).toBeVisible();
      await expect(page.locator('main [aria-busy=true]')).toBeVisible();
      fail();
      const failure = page.getByRole('alert').filter({ hasText: 'No connection to the gateway' });
      await expect(failure).toBeVisible();
      await page.unroute('**/graphql');
      await failure.getByRole('button', { name: 'Try again' }).click();
      await awaitScreen(page);
      for (const text of texts) {
        const shown = page.getByRole('main').getByText(text, { exact: true });
        await expect(shown.first()).toBeVisible();
      }
      await expect(failure).toHaveCount(0);
      await checkAccess(page, `${path} without rows`);
      await checkWidth(page);
    });
  }
});

test('the states are those of every screen in the navigation', async ({ page }) => {
  await openScreen(page, '/', { as: emptyKey });
  expect((await navigationPaths(page)).toSorted()).toEqual(Object.keys(emptyTexts).toSorted());
});
