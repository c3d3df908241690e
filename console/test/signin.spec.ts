// Sign-in by a local identity provider, and the workspaces and roles of a user.
import { expect, test } from './fixtures';
import { key, readKey } from './gateway';
import {
  awaitScreen,
  chooseInAccount,
  follow,
  heading,
  loadScreen,
  openAsUser,
  region,
  signInWithKey,
} from './screen';

test('sign-in by the identity provider', async ({ page }) => {
  await loadScreen(page, '/documents', null);
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await page.getByRole('link', { name: 'Sign in with your organisation' }).click();
  await expect(heading(page, 'Documents')).toBeVisible(); // the page that was left
  await awaitScreen(page);
  await chooseInAccount(page, 'Sign out');
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
});

test('a user switches to a workspace where the role is another', async ({ page }) => {
  await openAsUser(page, '/');
  await chooseInAccount(page, 'Second');
  await expect(page.getByRole('main').getByText('Second', { exact: true })).toBeVisible();
  await awaitScreen(page); // with a socket of the other workspace
  await follow(page, 'Settings');
  await expect(page.getByRole('alert').getByText('needs the scope admin')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Create key' })).toHaveCount(0);
  await page.reload();
  // The workspace stays chosen in this tab.
  await expect(page.getByRole('main').getByText('Second · pro plan')).toBeVisible();
  await expect(region(page, 'Run budget')).toBeVisible();
});

for (const { name, secret, query } of [
  { name: 'may read only', secret: readKey, query: 'SettingsOfMember' },
  { name: 'may do everything', secret: key, query: 'Settings' },
]) {
  test(`the settings as the first screen of a pasted key that ${name} are one request`, async ({
    page,
    log,
  }) => {
    await loadScreen(page, '/settings', null);
    await expect(page.getByLabel('Workspace key')).toBeVisible();
    log.operations.length = 0;
    await signInWithKey(page, secret);
    await expect(region(page, 'Run budget')).toBeVisible();
    await awaitScreen(page);
    await page.waitForTimeout(1000);
    // The sign-in and the screen.
    expect(log.operations).toEqual(['query FrameOfScreen', `query ${query}`]);
  });
}

test('a wrong key is refused by the sign-in', async ({ page, log }) => {
  await loadScreen(page, '/settings', null);
  await expect(page.getByLabel('Workspace key')).toBeVisible();
  log.operations.length = 0;
  await signInWithKey(page, 'rsk_wrong');
  await expect(page.getByText('These credentials do not work any more')).toBeVisible();
  expect(log.operations).toEqual(['query FrameOfScreen']);
});

test('a pasted key is in memory only, and a reload forgets it', async ({ page, context }) => {
  await loadScreen(page, '/drafts', null);
  await signInWithKey(page, key);
  await awaitScreen(page);
  const stored = await page.evaluate(() => [
    { ...localStorage },
    { ...sessionStorage },
    location.href,
    history.state,
  ]);
  expect(JSON.stringify([stored, await context.cookies()]), 'the key is stored').not.toContain(key);
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
});
