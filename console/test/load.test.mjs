// The code of a screen that cannot be loaded: the gateway is out of reach, or a deployment has renamed the files.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { awaitScreen, awaitSuccess, escapeDialog, openScreen, signIn } from './browser.mjs';

const openDrafts = (page) => page.getByRole('navigation').getByRole('link', { name: 'Drafts' }).click();

/** Serves the page of another build, without the code that the pattern matches, until the page is loaded again. */
async function deploy(page, pattern) {
  const renamed = { loads: 0, done: false };
  await page.route(pattern, (route) => (renamed.done ? route.continue() : route.fulfill({ status: 404 })));
  await page.route(/\/console\/$/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: (await response.text()).replace(/\/assets\/index-[^"]+\.js/, '/assets/index-another.js') });
  });
  page.on('load', () => {
    renamed.loads++;
    renamed.done = true;
  });
  return renamed;
}

test('code that was out of reach is loaded again', async (t) => {
  const { page, context } = await openScreen(t, '/', { isNew: true });
  await awaitScreen(page);
  await context.setOffline(true);
  await openDrafts(page);
  await page.getByRole('alert').getByText('This part of the console could not be loaded').waitFor();
  await page.getByRole('navigation').getByRole('link', { name: 'Home' }).click();
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  await openDrafts(page);
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('alert').getByText('This part of the console could not be loaded').waitFor();
  await context.setOffline(false); // the browser says that it is online again
  await page.getByRole('heading', { level: 1, name: 'Drafts' }).waitFor();
  await awaitScreen(page);
});

test('the code of a dialog and of the account is loaded again with a button', async (t) => {
  const { page } = await openScreen(t, '/drafts', { isNew: true });
  await awaitScreen(page);
  await page.route(/assets\/(accountMenu|requestDialog)-/, (route) => route.abort());
  await page.getByRole('button', { name: 'Copy as GraphQL or curl' }).click();
  await page.getByRole('alert').getByText('could not be loaded').waitFor();
  await page.unroute(/assets\/(accountMenu|requestDialog)-/);
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('dialog').getByText('query Drafts').waitFor();
  await escapeDialog(page.getByRole('dialog'));
  await page.route(/assets\/(accountMenu|requestDialog)-/, (route) => route.abort());
  await page.getByRole('banner').getByRole('button').last().click();
  await page.getByRole('alert').getByText('could not be loaded').waitFor();
  await page.unroute(/assets\/(accountMenu|requestDialog)-/);
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('menuitem', { name: 'Deutsch' }).waitFor();
});

test('after a deployment the page is loaded again by itself, once', async (t) => {
  const { page } = await openScreen(t, '/', { as: null, isNew: true });
  await signIn(page);
  await awaitScreen(page);
  const renamed = await deploy(page, /assets\/drafts-/);
  await openDrafts(page);
  await page.getByRole('heading', { level: 1, name: 'Drafts' }).waitFor();
  await awaitScreen(page);
  assert.equal(renamed.loads, 1);
  renamed.done = false; // the same build is still named by the page
  await page.getByRole('navigation').getByRole('link', { name: 'Links' }).click();
  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'Links' }).waitFor();
  renamed.done = false;
  renamed.loads = 0;
  await openDrafts(page);
  await page.getByRole('alert').getByText('The console was updated').waitFor();
  assert.equal(renamed.loads, 0);
});

test('after a deployment a typed text and a key are kept, and a button loads the page again', async (t) => {
  const { page } = await openScreen(t, '/documents', { as: null, isNew: true });
  await signIn(page);
  await awaitScreen(page);
  await page.getByLabel('Search').first().fill('half a question');
  const renamed = await deploy(page, /assets\/requestDialog-/);
  await page.getByRole('button', { name: 'Copy as GraphQL or curl' }).click();
  await page.getByRole('alert').getByText('What you have typed and not saved is lost').waitFor();
  assert.equal(await page.getByLabel('Search').first().inputValue(), 'half a question');
  assert.equal(renamed.loads, 0);
  await page.getByRole('button', { name: 'Reload' }).click();
  await awaitSuccess(async () => assert.equal(renamed.loads, 1));
  await awaitScreen(page);

  const keyed = await openScreen(t, '/', { isNew: true });
  await awaitScreen(keyed.page);
  const again = await deploy(keyed.page, /assets\/drafts-/);
  await openDrafts(keyed.page);
  await keyed.page.getByRole('alert').getByText('You will need your key again').waitFor();
  assert.equal(again.loads, 0);
});
