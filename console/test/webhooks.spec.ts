// Webhooks: the feed of events, and deliveries with their attempts to a receiver of the test.
import { expect, type Page, test } from './fixtures';
import {
  createDocument,
  createLink,
  createWebhook,
  type Data,
  deadWebhook,
  graph,
  openLink,
} from './gateway';
import { checkAccess, checkWidth, openScreen, phone, region } from './screen';

test('a webhook is made, events appear as they happen, and a delivery is sent again', async ({
  page,
}) => {
  await openScreen(page, '/webhooks');
  await page.getByLabel('Address (https)').fill('https://127.0.0.1:9/hook');
  await page.getByRole('button', { name: 'New webhook' }).click();
  await expect(page.getByText('The signing secret is shown only now')).toBeVisible();
  await createDocument('Seen in the feed');
  await expect(
    page.locator('[data-event="DOCUMENT_CREATED"]').getByText('Seen in the feed'),
  ).toBeVisible();
  await region(page, 'Webhooks').getByRole('link').first().click();
  await page.getByRole('button', { name: 'Send a sample' }).click();
  await expect(page.locator('[data-delivery]').first().getByText('sample')).toBeVisible();
});

test('the secret of a webhook is replaced, shown once, and the former one is valid for a time', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const id = await createWebhook({ ...deadWebhook, label: 'Rotated', isActive: false });
  await openScreen(page, `/webhooks/${id}`);
  const panel = region(page, 'Signing secret');
  const confirm = (action: string) =>
    page.getByRole('dialog').getByRole('button', { name: action }).click();
  const create = panel.getByRole('button', { name: 'Create a secret' });
  if (await create.isVisible()) {
    await create.click();
    await confirm('Create a secret');
    await expect(panel.getByText('No former secret is valid.')).toBeVisible();
  }
  await panel.getByLabel('The former secret signs too').selectOption('week');
  await panel.getByRole('button', { name: 'Replace the secret' }).press('Enter');
  await expect(page.getByRole('dialog', { name: /valid for another week/ })).toBeVisible();
  await confirm('Replace the secret');
  await expect(panel.getByText(/^The former secret is valid until /)).toBeVisible();
  await checkAccess(page, 'a new secret');
  const secret = await panel.locator('[data-secret]').innerText();
  expect(secret).toMatch(/^whsec_/);
  await panel.getByRole('button', { name: 'Copy', exact: true }).click();
  await expect(panel.getByRole('button', { name: 'Copied' })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(secret);
  await openScreen(page, `/webhooks/${id}`, { width: phone });
  await expect(panel.locator('[data-secret]')).toHaveCount(0);
  await checkWidth(page);
});

/** Returns the statuses of the deliveries, the newest first. */
async function deliveryStatuses(id: string): Promise<string[]> {
  const query =
    'query($id: ID!) { webhook(id: $id) { deliveries(first: 5) { nodes { status } } } }';
  const { nodes } = (await graph(query, { id })).webhook.deliveries;
  return nodes.map(({ status }: Data) => status);
}

test('a failed delivery shows its response and payload, and is sent again; skipped ones are replayed', async ({
  page,
  sites,
}) => {
  const receiver = await sites.receiver();
  const headers = { 'Retry-After': '3600' };
  receiver.answer = { status: 500, body: 'The receiver is away', headers };
  const { id: linkId, shortUrl } = await createLink({ title: 'Hooked' });
  const id = await createWebhook({ url: receiver.address, label: 'Received', linkId });
  await openLink(shortUrl);
  await expect.poll(() => deliveryStatuses(id)).toEqual(['RETRYING']);
  await openScreen(page, `/webhooks/${id}`);
  const delivery = page.locator('[data-delivery]').last(); // the first that was made
  await expect(delivery.getByText('retrying')).toBeVisible();
  await delivery.getByText('One attempt and its payload').click();
  await expect(delivery.getByText(/· 500 ·/)).toBeVisible();
  await expect(delivery.getByText('The receiver is away', { exact: true })).toBeVisible();
  await expect(delivery.locator('pre').filter({ hasText: '"viewer"' })).toBeVisible();
  await checkAccess(page, 'the attempts of a delivery');
  receiver.answer = { status: 200, body: 'Thank you', headers: {} };
  await delivery.getByRole('button', { name: 'Redeliver' }).click();
  await expect.poll(() => deliveryStatuses(id)).toEqual(['DELIVERED']);
  await expect(delivery.getByText('2 attempts and the payload')).toBeVisible(); // without a reload
  await expect(delivery.getByText('Thank you', { exact: true })).toBeVisible();
  await setActive(page, id, false);
  await openLink(shortUrl);
  await expect.poll(() => deliveryStatuses(id)).toEqual(['SKIPPED', 'DELIVERED']);
  await setActive(page, id, true);
  await page.getByRole('button', { name: 'Replay failed' }).click();
  await expect(page.getByRole('status').getByText('One delivery is queued.')).toBeVisible();
  await expect.poll(() => deliveryStatuses(id)).toEqual(['DELIVERED', 'DELIVERED']);
  const [failed, again, replayed] = receiver.received;
  expect(again).toEqual(failed);
  expect(replayed?.id).not.toBe(failed?.id);
  expect(receiver.received).toHaveLength(3);
});

/**
 * Switches the webhook on or off on its screen, once the switch shows the other state and takes a
 * click.
 */
async function setActive(page: Page, id: string, isActive: boolean) {
  const active = page.getByLabel('Active');
  await expect(active).toBeEnabled();
  await expect(active).toBeChecked({ checked: !isActive });
  await active.click({ force: true });
  const query = 'query($id: ID!) { webhook(id: $id) { isActive } }';
  await expect.poll(async () => (await graph(query, { id })).webhook.isActive).toBe(isActive);
}
