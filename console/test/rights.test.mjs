// What a screen shows to a viewer who may not write or is no administrator, and which request it makes and offers to copy.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { awaitScreen, checkAccess, escapeDialog, openScreen, signIn } from './browser.mjs';
import { createDocument, gateway, graph, readKey } from './gateway.mjs';

const notice = 'You may only read here.';

test('a screen says once that its viewer may only read', { concurrency: 1 }, async (t) => {
  const id = await createDocument('Read only');
  for (const path of ['/', '/documents', `/documents/${id}`, '/drafts', '/links', '/webhooks', '/settings']) {
    await t.test(path, async (t) => {
      const { page } = await openScreen(t, path, { as: readKey });
      await awaitScreen(page);
      await page.getByRole('note').getByText(notice).waitFor();
      assert.equal(await page.getByText(notice).count(), 1);
      await checkAccess(page, `${path} of a viewer who may only read`);
    });
  }
  await t.test('not to one who may write', async (t) => {
    const { page } = await openScreen(t, '/drafts');
    await awaitScreen(page);
    await page.getByRole('button', { name: 'New draft' }).waitFor();
    assert.equal(await page.getByText(notice).count(), 0);
  });
  await t.test('in German', async (t) => {
    const { page } = await openScreen(t, '/links', { as: readKey, locale: 'de-DE' });
    await page.getByRole('note').getByText('Hier darf nur gelesen werden.').waitFor();
  });
});

test('what a viewer may not see says so, with the reason', { concurrency: 1 }, async (t) => {
  await t.test('the parts of the settings for administrators', async (t) => {
    const { page } = await openScreen(t, '/settings', { as: readKey });
    await awaitScreen(page);
    const alert = page.getByRole('alert');
    await alert.getByText('You may not see this').waitFor();
    await alert.getByText('needs the scope admin').waitFor();
    assert.equal(await page.getByRole('region', { name: 'Audit log' }).count(), 0);
    await checkAccess(page, 'the settings of a reader');
  });
  await t.test('a screen that the gateway refuses', async (t) => {
    const refusal = { errors: [{ message: 'documents needs the scope read', extensions: { code: 'insufficient_scope' } }], data: null };
    const refuse = (page) => page.route('**/graphql', (route) => route.fulfill({ status: 403, contentType: 'application/graphql-response+json', json: refusal }));
    const { page } = await openScreen(t, '/documents', { prepare: refuse });
    const alert = page.getByRole('alert');
    await alert.getByText('You may not see this').waitFor();
    await alert.getByText('documents needs the scope read').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Try again' }).count(), 0);
    await checkAccess(page, 'a screen that is refused');
  });
});

/** Signs in and changes to the workspace that the user is a member of. */
async function openAsMember(t) {
  const opened = await openScreen(t, '/', { as: null });
  await signIn(opened.page);
  await awaitScreen(opened.page);
  await opened.page.getByRole('banner').getByRole('button').last().click();
  await opened.page.getByRole('menuitem', { name: 'Second' }).click();
  await opened.page.getByRole('banner').getByRole('button', { name: 'Second' }).waitFor();
  await awaitScreen(opened.page);
  return opened;
}

test('the settings of a member are one request, also as the first screen', async (t) => {
  const { page, log } = await openAsMember(t);
  log.operations.length = 0;
  await page.goto(`${gateway}/console/settings`);
  await page.getByRole('alert').getByText('You may not see this').waitFor();
  await page.getByRole('region', { name: 'Run budget' }).waitFor();
  await awaitScreen(page);
  assert.deepEqual(log.operations, ['query SettingsOfMember']);
});

test('scopes that were changed since they were stored are corrected by the response', async (t) => {
  const { page, log } = await openScreen(t, '/', { as: null });
  await signIn(page);
  await awaitScreen(page);
  await page.evaluate(() => Object.keys(localStorage).filter((name) => name.startsWith('rostrum.scopes')).forEach((name) => localStorage.setItem(name, 'READ,WRITE')));
  log.operations.length = 0;
  await page.goto(`${gateway}/console/settings`);
  await page.getByRole('region', { name: 'Audit log' }).waitFor();
  await awaitScreen(page);
  assert.deepEqual(log.operations, ['query SettingsOfMember', 'query Settings']);
  log.operations.length = 0;
  await page.reload();
  await page.getByRole('region', { name: 'Audit log' }).waitFor();
  await awaitScreen(page);
  assert.deepEqual(log.operations, ['query Settings']);
});

const copied = async (page, name) => {
  await page.getByRole('button', { name: 'Copy as GraphQL or curl' }).press('Enter'); // a click may reach the frame of a preview that is loaded
  await page.getByRole('dialog').getByText(`query ${name}`).waitFor();
  const text = await page.getByRole('dialog').locator('pre').innerText();
  await escapeDialog(page.getByRole('dialog'));
  return text;
};

test('the request to copy is that of the screen after another one was made', async (t) => {
  const title = `Copied ${Date.now()}`;
  const { createLink } = await graph('mutation($title: String!) { createLink(input: { kind: PAGE, title: $title, body: "<p>First</p>" }) { link { id } } }', { title });
  const { page, log } = await openScreen(t, `/links/${createLink.link.id}`);
  await awaitScreen(page);
  const before = await copied(page, 'LinkScreen');
  await page.getByLabel('Title', { exact: true }).fill(`${title} again`);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('status').getByText('Saved.').waitFor();
  assert.ok(log.operations.includes('query StoredPage'), 'another query was made');
  assert.equal(await copied(page, 'LinkScreen'), before);
  assert.ok(before.includes(createLink.link.id) && !before.includes('__typename'));
  await page.getByRole('navigation').getByRole('link', { name: 'Links' }).click();
  await page.getByRole('heading', { level: 1, name: 'Links' }).waitFor();
  await copied(page, 'Links');
});

test('the copied request is answered by the gateway as the screen shows it', async (t) => {
  const title = `Asked ${Date.now()}`;
  await createDocument(title);
  const { page } = await openScreen(t, `/documents?q=${encodeURIComponent(title)}`);
  await awaitScreen(page);
  const [query, variables] = (await copied(page, 'Documents')).split('# variables');
  const data = await graph(query, JSON.parse(variables.replaceAll(/^# /gm, '')));
  assert.deepEqual(data.documents.nodes.map((document) => document.title), [title]);
});
