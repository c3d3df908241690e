// The guide in a browser that reaches the gateway only.
import { expect, type Page, test } from './fixtures';
import { gateway } from './gateway';
import { checkAccess, checkWidth } from './screen';

test.use({ ownPaths: /^\/(guide\/|favicon.ico)/, expectedErrors: /$^/ });

/** The addresses of the pages, as the sidebar has them. */
const pages = (page: Page) =>
  page
    .locator('#VPSidebarNav a.link')
    .evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).href));

test('every page opens, is accessible in both colour schemes, and fits a phone', async ({
  page,
}) => {
  await page.goto(`${gateway}/guide/`);
  const addresses = await pages(page);
  expect(addresses.length).toBeGreaterThan(20);
  for (const address of addresses) {
    await page.goto(address);
    await expect(page.locator('main h1')).toBeVisible();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await expect(page.locator('html')).toHaveClass(
        colorScheme === 'dark' ? /dark/ : /^((?!dark).)*$/,
      );
      await checkAccess(page, `${address} (${colorScheme})`);
    }
    await page.setViewportSize({ width: 390, height: 844 });
    await checkWidth(page);
    await page.setViewportSize({ width: 1280, height: 900 });
  }
});

test('the links of the bar lead to the gateway', async ({ page, request }) => {
  for (const from of ['/guide/', '/guide/rest']) {
    await page.goto(`${gateway}${from}`);
    for (const name of ['Console', 'Playground', 'REST']) {
      const link = page.locator('.VPNavBar').getByRole('link', { name, exact: true });
      const address = await link.evaluate((it) => (it as HTMLAnchorElement).href);
      expect(address).not.toContain('/guide/');
      expect((await request.get(address)).status(), address).toBe(200);
    }
  }
});

test('finds a page by its words, and follows links between pages', async ({ page }) => {
  await page.goto(`${gateway}/guide/`);
  await page.getByRole('link', { name: 'docs/live.md' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Live updates' })).toBeVisible();
  await page.keyboard.press('Control+k');
  await page.getByRole('searchbox').fill('idempotency');
  await page.locator('.VPLocalSearchBox .result').first().click();
  await expect(page).toHaveURL(/\/guide\/(rest|api)/);
});

test.describe(() => {
  test.use({ expectedErrors: /404/ });
  test('says that a page is not there', async ({ page }) => {
    await page.goto(`${gateway}/guide/nothing-here`);
    await expect(page.getByText('404')).toBeVisible();
  });
});
