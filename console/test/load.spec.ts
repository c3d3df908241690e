// The code of a screen that cannot be loaded: the gateway is out of reach, or a deployment has
// renamed the files.
import { expect, type Page, test } from './fixtures';
import {
  accountButton,
  awaitScreen,
  escapeDialog,
  follow,
  heading,
  openAsUser,
  openScreen,
} from './screen';

/**
 * Serves the page of another build, without the code that the pattern matches, until the page is
 * loaded again.
 */
async function deploy(page: Page, pattern: RegExp) {
  const renamed = { loads: 0, done: false };
  await page.route(pattern, (route) =>
    renamed.done ? route.continue() : route.fulfill({ status: 404 }),
  );
  await page.route(/\/console\/$/, async (route) => {
    const response = await route.fetch();
    const text = await response.text();
    const body = text.replace(/\/assets\/index-[^"]+\.js/, '/assets/index-another.js');
    await route.fulfill({ response, body });
  });
  page.on('load', () => {
    renamed.loads++;
    renamed.done = true;
  });
  return renamed;
}

test('code that was out of reach is loaded again', async ({ page, context }) => {
  await openScreen(page, '/');
  await context.setOffline(true);
  await follow(page, 'Drafts');
  await expect(
    page.getByRole('alert').getByText('This part of the console could not be loaded'),
  ).toBeVisible();
  await follow(page, 'Home');
  await expect(heading(page, 'Home')).toBeVisible();
  await follow(page, 'Drafts');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(
    page.getByRole('alert').getByText('This part of the console could not be loaded'),
  ).toBeVisible();
  await context.setOffline(false); // the browser says that it is online again
  await expect(heading(page, 'Drafts')).toBeVisible();
  await awaitScreen(page);
});

test('the code of a dialog and of the account is loaded again with a button', async ({ page }) => {
  const code = /assets\/(accountMenu|requestDialog)-/;
  await openScreen(page, '/drafts');
  await page.route(code, (route) => route.abort());
  const lost = page.getByRole('alert').getByText('could not be loaded');
  await page.getByRole('button', { name: 'Copy as GraphQL or curl' }).click();
  await expect(lost).toBeVisible();
  await page.unroute(code);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('dialog').getByText('query Drafts')).toBeVisible();
  await escapeDialog(page.getByRole('dialog'));
  await page.route(code, (route) => route.abort());
  await accountButton(page).click();
  await expect(lost).toBeVisible();
  await page.unroute(code);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('menuitem', { name: 'Deutsch' })).toBeVisible();
});

test('after a deployment the page is loaded again by itself, once', async ({ page }) => {
  await openAsUser(page, '/');
  const renamed = await deploy(page, /assets\/drafts-/);
  await follow(page, 'Drafts');
  await expect(heading(page, 'Drafts')).toBeVisible();
  await awaitScreen(page);
  expect(renamed.loads).toBe(1);
  renamed.done = false; // the same build is still named by the page
  await follow(page, 'Links');
  await page.reload();
  await expect(heading(page, 'Links')).toBeVisible();
  renamed.done = false;
  renamed.loads = 0;
  await follow(page, 'Drafts');
  await expect(page.getByRole('alert').getByText('The console was updated')).toBeVisible();
  expect(renamed.loads).toBe(0);
});

test('after a deployment a typed text and a key are kept, and a button loads the page again', async ({
  page,
  context,
}) => {
  await openAsUser(page, '/documents');
  await page.getByLabel('Search').first().fill('half a question');
  const renamed = await deploy(page, /assets\/requestDialog-/);
  await page.getByRole('button', { name: 'Copy as GraphQL or curl' }).click();
  await expect(
    page.getByRole('alert').getByText('What you have typed and not saved is lost'),
  ).toBeVisible();
  await expect(page.getByLabel('Search').first()).toHaveValue('half a question');
  expect(renamed.loads).toBe(0);
  await page.getByRole('button', { name: 'Reload' }).click();
  await expect.poll(() => renamed.loads).toBe(1);
  await awaitScreen(page);

  await context.clearCookies();
  const keyed = await context.newPage();
  await openScreen(keyed, '/');
  const again = await deploy(keyed, /assets\/drafts-/);
  await follow(keyed, 'Drafts');
  await expect(keyed.getByRole('alert').getByText('You will need your key again')).toBeVisible();
  expect(again.loads).toBe(0);
});
