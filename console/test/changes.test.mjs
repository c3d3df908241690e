// What another user does, over another process of the installation, is shown by open screens without a reload of the page.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { awaitScreen, awaitSuccess, openScreen } from './browser.mjs';
import { graph, openLink, peer, serveReceiver } from './gateway.mjs';

const elsewhere = (query, variables) => graph(query, variables, peer);

/** Opens a screen that must not be loaded again: the returned function fails if it was, or if it has opened another socket. */
async function openOnce(t, path) {
  const { page, log } = await openScreen(t, path);
  await awaitScreen(page);
  await page.evaluate(() => (globalThis.isFirstPage = true));
  const checkPage = async () => {
    assert.equal(await page.evaluate(() => globalThis.isFirstPage), true, 'the page was loaded again');
    assert.equal(log.sockets.length, 1);
  };
  return { page, checkPage };
}

/** The lists: how a row is created, renamed and deleted. */
const lists = {
  '/drafts': {
    create: async (title) => (await elsewhere('mutation($title: String!) { saveDraft(input: { title: $title, content: "A text." }) { draft { id } } }', { title })).saveDraft.draft.id,
    rename: (id, title) => elsewhere('mutation($id: ID!, $title: String!) { saveDraft(input: { draftId: $id, title: $title }) { draft { id } } }', { id, title }),
    remove: (id) => elsewhere('mutation($id: ID!) { deleteDraft(input: { draftId: $id }) { deletedId } }', { id }),
  },
  '/links': {
    create: async (title) => (await elsewhere('mutation($title: String!) { createLink(input: { title: $title, destinationUrl: "https://example.com/" }) { link { id } } }', { title })).createLink.link.id,
    rename: (id, title) => elsewhere('mutation($id: ID!, $title: String!) { updateLink(input: { linkId: $id, title: $title }) { link { id } } }', { id, title }),
    remove: (id) => elsewhere('mutation($id: ID!) { deleteLink(input: { linkId: $id }) { deletedId } }', { id }),
  },
  '/personas': {
    create: async (name) => (await elsewhere('mutation($name: String!) { createPersona(input: { name: $name }) { persona { id } } }', { name })).createPersona.persona.id,
    rename: (id, name) => elsewhere('mutation($id: ID!, $name: String!) { updatePersona(input: { personaId: $id, name: $name }) { persona { id } } }', { id, name }),
    remove: (id) => elsewhere('mutation($id: ID!) { deletePersona(input: { personaId: $id }) { deletedId } }', { id }),
  },
};

/** Creates, renames and deletes a row, and waits until the page shows each step. */
async function checkRow(page, { create, rename, remove }) {
  const name = `A row of another user ${Date.now()}`; // the personas are in the order of their names
  const row = (text) => page.getByRole('main').getByRole('link', { name: text, exact: true });
  const id = await create(name);
  await row(name).waitFor();
  await rename(id, `${name}, renamed`);
  await row(`${name}, renamed`).waitFor();
  assert.equal(await row(name).count(), 0);
  await remove(id);
  await row(`${name}, renamed`).waitFor({ state: 'detached' });
}

for (const [path, list] of Object.entries(lists)) {
  test(`the list at ${path} shows what another user does`, async (t) => {
    const { page, checkPage } = await openOnce(t, path);
    await checkRow(page, list);
    await checkPage();
  });
}

test('Home shows the drafts of another user, and no opens of a link that was deleted', async (t) => {
  const { page, checkPage } = await openOnce(t, '/');
  await checkRow(page, lists['/drafts']);
  const opens = page.locator('main .panel', { has: page.getByText('Opens today', { exact: true }) }).locator('.figure');
  const before = await opens.innerText();
  const { createLink } = await elsewhere('mutation { createLink(input: { title: "Opened and deleted", destinationUrl: "https://example.com/" }) { link { id shortUrl } } }');
  assert.equal(await openLink(createLink.link.shortUrl), 302);
  await awaitSuccess(async () => assert.notEqual(await opens.innerText(), before));
  await lists['/links'].remove(createLink.link.id);
  await awaitSuccess(async () => assert.equal(await opens.innerText(), before));
  await checkPage();
});

test('the states of deliveries and of their webhook change on its screen', async (t) => {
  const receiver = await serveReceiver(t);
  receiver.answer = { status: 500, body: 'Away', headers: { 'Retry-After': '3600' } };
  const { createLink } = await elsewhere('mutation { createLink(input: { title: "Watched", destinationUrl: "https://example.com/" }) { link { id shortUrl } } }');
  const { createWebhook } = await elsewhere('mutation($input: CreateWebhookInput!) { createWebhook(input: $input) { webhook { id } } }', { input: { url: receiver.address, linkId: createLink.link.id } });
  const { id } = createWebhook.webhook;
  const { page, checkPage } = await openOnce(t, `/webhooks/${id}`);
  const deliveries = page.locator('[data-delivery]');
  assert.equal(await openLink(createLink.link.shortUrl), 302);
  await deliveries.getByText('retrying', { exact: true }).waitFor();
  await page.getByText('one failure', { exact: true }).waitFor();
  receiver.answer = { status: 200, body: 'Thank you' };
  const deliveryId = await deliveries.getAttribute('data-delivery');
  await elsewhere('mutation($id: ID!, $deliveryId: ID!) { replayWebhookDelivery(input: { webhookId: $id, deliveryId: $deliveryId }) { delivery { id } } }', { id, deliveryId });
  await deliveries.getByText('delivered', { exact: true }).waitFor();
  await page.getByText('one failure', { exact: true }).waitFor({ state: 'detached' });
  await deliveries.getByRole('button', { name: 'Redeliver' }).click();
  await deliveries.getByText('3 attempts and the payload').waitFor();
  await deliveries.getByText('delivered', { exact: true }).waitFor();
  assert.equal(await openLink(createLink.link.shortUrl), 302);
  await awaitSuccess(async () => assert.equal(await deliveries.getByText('delivered', { exact: true }).count(), 2));
  await elsewhere('mutation($id: ID!) { updateWebhook(input: { webhookId: $id, isActive: false }) { webhook { id } } }', { id });
  await page.getByText(/^Paused .*: by its owner\.$/).waitFor();
  await checkPage();
});
