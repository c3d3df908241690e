// Sign-in by a local identity provider, and the workspaces and roles of a user.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { awaitScreen, openScreen } from './browser.mjs';
import { key, readKey, user } from './gateway.mjs';

const openAccount = (page) => page.getByRole('banner').getByRole('button').last().click();

test('sign-in by the identity provider', async (t) => {
  const { page } = await openScreen(t, '/documents', { as: null });
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await page.getByRole('link', { name: 'Sign in with your organisation' }).click();
  await page.getByRole('heading', { level: 1, name: 'Documents' }).waitFor(); // the page that was left
  await awaitScreen(page);
  await openAccount(page);
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
});

test('a user switches to a workspace where the role is another', async (t) => {
  const { page } = await openScreen(t, '/', { as: null });
  await page.getByLabel('Email').fill(user.email);
  await page.getByLabel('Password', { exact: true }).fill(user.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await awaitScreen(page);
  await openAccount(page);
  await page.getByRole('menuitem', { name: 'Second' }).click();
  await page.getByRole('main').getByText('Second', { exact: true }).waitFor();
  await awaitScreen(page); // with a socket of the other workspace
  await page.getByRole('navigation').getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('alert').getByText('needs the scope admin').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Create key' }).count(), 0);
  await page.reload();
  await page.getByRole('main').getByText('Second · pro plan').waitFor(); // the workspace stays chosen in this tab
  await page.getByRole('region', { name: 'Run budget' }).waitFor();
});

for (const [name, { secret, query }] of Object.entries({ 'may read only': { secret: readKey, query: 'SettingsOfMember' }, 'may do everything': { secret: key, query: 'Settings' } })) {
  test(`the settings as the first screen of a pasted key that ${name} are one request`, async (t) => {
    const { page, log } = await openScreen(t, '/settings', { as: null });
    await page.getByLabel('Workspace key').waitFor();
    log.operations.length = 0;
    await page.getByLabel('Workspace key').fill(secret);
    await page.getByRole('button', { name: 'Use this key' }).click();
    await page.getByRole('region', { name: 'Run budget' }).waitFor();
    await awaitScreen(page);
    await page.waitForTimeout(1000);
    assert.deepEqual(log.operations, ['query FrameOfScreen', `query ${query}`]); // the sign-in and the screen
  });
}

test('a wrong key is refused by the sign-in', async (t) => {
  const { page, log } = await openScreen(t, '/settings', { as: null });
  await page.getByLabel('Workspace key').waitFor();
  log.operations.length = 0;
  await page.getByLabel('Workspace key').fill('rsk_wrong');
  await page.getByRole('button', { name: 'Use this key' }).click();
  await page.getByText('These credentials do not work any more').waitFor();
  assert.deepEqual(log.operations, ['query FrameOfScreen']);
});

test('a pasted key is in memory only, and a reload forgets it', async (t) => {
  const { page, context } = await openScreen(t, '/drafts', { as: null });
  await page.getByLabel('Workspace key').fill(key);
  await page.getByRole('button', { name: 'Use this key' }).click();
  await awaitScreen(page);
  const stored = await page.evaluate(() => [{ ...localStorage }, { ...sessionStorage }, location.href, history.state]);
  assert.ok(!JSON.stringify([stored, await context.cookies()]).includes(key), 'the key is stored');
  await page.reload();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
});
