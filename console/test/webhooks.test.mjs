// Webhooks: the feed of events, and deliveries with their attempts to a receiver of the test.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { awaitScreen, awaitSuccess, checkAccess, openScreen } from './browser.mjs';
import { createDocument, graph, openLink, serveReceiver } from './gateway.mjs';

test('a webhook is made, events appear as they happen, and a delivery is sent again', async (t) => {
  const { page } = await openScreen(t, '/webhooks');
  await awaitScreen(page);
  await page.getByLabel('Address (https)').fill('https://127.0.0.1:9/hook');
  await page.getByRole('button', { name: 'New webhook' }).click();
  await page.getByText('The signing secret is shown only now').waitFor();
  await createDocument('Seen in the feed');
  await page.locator('[data-event="DOCUMENT_CREATED"]').getByText('Seen in the feed').waitFor();
  await page.getByRole('region', { name: 'Webhooks', exact: true }).getByRole('link').first().click();
  await page.getByRole('button', { name: 'Send a sample' }).click();
  await page.locator('[data-delivery]').first().getByText('sample').waitFor();
});

/** Creates a link and a webhook of its events, and returns the link's address and the webhook's id. */
async function createHooked(url) {
  const { createLink } = await graph('mutation { createLink(input: { title: "Hooked", destinationUrl: "https://example.com/" }) { link { id shortUrl } } }');
  const { createWebhook } = await graph('mutation($input: CreateWebhookInput!) { createWebhook(input: $input) { webhook { id } } }', { input: { url, label: 'Received', linkId: createLink.link.id } });
  return { shortUrl: createLink.link.shortUrl, id: createWebhook.webhook.id };
}

const deliveryStatuses = async (id) => (await graph('query($id: ID!) { webhook(id: $id) { deliveries(first: 5) { nodes { status } } } }', { id })).webhook.deliveries.nodes.map(({ status }) => status);

test('a failed delivery shows its response and payload, and is sent again; skipped ones are replayed', async (t) => {
  const receiver = await serveReceiver(t);
  receiver.answer = { status: 500, body: 'The receiver is away', headers: { 'Retry-After': '3600' } };
  const { id, shortUrl } = await createHooked(receiver.address);
  assert.equal(await openLink(shortUrl), 302);
  await awaitSuccess(async () => assert.deepEqual(await deliveryStatuses(id), ['RETRYING']));
  const { page } = await openScreen(t, `/webhooks/${id}`);
  await awaitScreen(page);
  const delivery = page.locator('[data-delivery]').last(); // the first that was made
  await delivery.getByText('retrying').waitFor();
  await delivery.getByText('One attempt and its payload').click();
  await delivery.getByText(/· 500 ·/).waitFor();
  await delivery.getByText('The receiver is away', { exact: true }).waitFor();
  await delivery.locator('pre').filter({ hasText: '"viewer"' }).waitFor();
  await checkAccess(page, 'the attempts of a delivery');
  receiver.answer = { status: 200, body: 'Thank you' };
  await delivery.getByRole('button', { name: 'Redeliver' }).click();
  await awaitSuccess(async () => assert.deepEqual(await deliveryStatuses(id), ['DELIVERED']));
  await delivery.getByText('2 attempts and the payload').waitFor(); // without a reload
  await delivery.getByText('Thank you', { exact: true }).waitFor();
  await setActive(page, id, false);
  assert.equal(await openLink(shortUrl), 302);
  await awaitSuccess(async () => assert.deepEqual(await deliveryStatuses(id), ['SKIPPED', 'DELIVERED']));
  await setActive(page, id, true);
  await page.getByRole('button', { name: 'Replay failed' }).click();
  await page.getByRole('status').getByText('One delivery is queued.').waitFor();
  await awaitSuccess(async () => assert.deepEqual(await deliveryStatuses(id), ['DELIVERED', 'DELIVERED']));
  const [failed, again, replayed] = receiver.received;
  assert.deepEqual(again, failed);
  assert.notEqual(replayed.id, failed.id);
  assert.equal(receiver.received.length, 3);
});

/** Switches the webhook on or off on its screen, once the switch shows the other state and takes a click. */
async function setActive(page, id, isActive) {
  const active = page.getByLabel('Active');
  await awaitSuccess(async () => assert.deepEqual([await active.isEnabled(), await active.isChecked()], [true, !isActive]));
  await active.click({ force: true });
  await awaitSuccess(async () => assert.equal((await graph('query($id: ID!) { webhook(id: $id) { isActive } }', { id })).webhook.isActive, isActive));
}
