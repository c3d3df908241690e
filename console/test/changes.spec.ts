// What another user does, over another process of the installation, is shown by open screens
// without a reload of the page.
import { expect, type Log, type Page, test } from './fixtures';
import {
  createLink,
  createPersona,
  createWebhook,
  mutate,
  openLink,
  peer,
  saveDraft,
  unique,
} from './gateway';
import { openScreen } from './screen';

/**
 * Marks the page: the returned function fails if it was loaded again, or has opened another socket.
 */
async function markPage(page: Page, log: Log) {
  await page.evaluate(() => document.body.setAttribute('data-first', ''));
  return async () => {
    await expect(page.locator('body[data-first]'), 'the page was loaded again').toBeAttached();
    expect(log.sockets).toHaveLength(1);
  };
}

/** The lists: how a row is created, renamed and deleted. */
const lists = {
  '/drafts': {
    create: (title: string) => saveDraft({ title, content: 'A text.' }, peer),
    rename: (draftId: string, title: string) => saveDraft({ draftId, title }, peer),
    remove: (draftId: string) => mutate('deleteDraft', { draftId }, 'deletedId', peer),
  },
  '/links': {
    create: async (title: string) => (await createLink({ title }, peer)).id,
    rename: (linkId: string, title: string) =>
      mutate('updateLink', { linkId, title }, 'link { id }', peer),
    remove: (linkId: string) => mutate('deleteLink', { linkId }, 'deletedId', peer),
  },
  '/personas': {
    create: (name: string) => createPersona({ name }, peer),
    rename: (personaId: string, name: string) =>
      mutate('updatePersona', { personaId, name }, 'persona { id }', peer),
    remove: (personaId: string) => mutate('deletePersona', { personaId }, 'deletedId', peer),
  },
};

/** Creates, renames and deletes a row, and waits until the page shows each step. */
async function checkRow(page: Page, { create, rename, remove }: (typeof lists)['/links']) {
  const name = unique('A row of another user'); // the personas are in the order of their names
  const row = (text: string) =>
    page.getByRole('main').getByRole('link', { name: text, exact: true });
  const id = await create(name);
  await expect(row(name)).toBeVisible();
  await rename(id, `${name}, renamed`);
  await expect(row(`${name}, renamed`)).toBeVisible();
  await expect(row(name)).toHaveCount(0);
  await remove(id);
  await expect(row(`${name}, renamed`)).toHaveCount(0);
}

for (const [path, list] of Object.entries(lists)) {
  test(`the list at ${path} shows what another user does`, async ({ page, log }) => {
    await openScreen(page, path);
    const checkPage = await markPage(page, log);
    await checkRow(page, list);
    await checkPage();
  });
}

test('Home shows the drafts of another user, and no opens of a link that was deleted', async ({
  page,
  log,
}) => {
  await openScreen(page, '/');
  const checkPage = await markPage(page, log);
  await checkRow(page, lists['/drafts']);
  const opens = page
    .locator('main .panel', { has: page.getByText('Opens today', { exact: true }) })
    .locator('.figure');
  const before = await opens.innerText();
  const link = await createLink({ title: 'Opened and deleted' }, peer);
  await openLink(link.shortUrl);
  await expect(opens).not.toHaveText(before);
  await lists['/links'].remove(link.id);
  await expect(opens).toHaveText(before);
  await checkPage();
});

test('the states of deliveries and of their webhook change on its screen', async ({
  page,
  log,
  sites,
}) => {
  const receiver = await sites.receiver();
  receiver.answer = { status: 500, body: 'Away', headers: { 'Retry-After': '3600' } };
  const link = await createLink({ title: 'Watched' }, peer);
  const id = await createWebhook({ url: receiver.address, linkId: link.id }, peer);
  await openScreen(page, `/webhooks/${id}`);
  const checkPage = await markPage(page, log);
  const deliveries = page.locator('[data-delivery]');
  await openLink(link.shortUrl);
  await expect(deliveries.getByText('retrying', { exact: true })).toBeVisible();
  await expect(page.getByText('one failure', { exact: true })).toBeVisible();
  receiver.answer = { status: 200, body: 'Thank you', headers: {} };
  const deliveryId = await deliveries.getAttribute('data-delivery');
  await mutate('replayWebhookDelivery', { webhookId: id, deliveryId }, 'delivery { id }', peer);
  await expect(deliveries.getByText('delivered', { exact: true })).toBeVisible();
  await expect(page.getByText('one failure', { exact: true })).toHaveCount(0);
  await deliveries.getByRole('button', { name: 'Redeliver' }).click();
  await expect(deliveries.getByText('3 attempts and the payload')).toBeVisible();
  await expect(deliveries.getByText('delivered', { exact: true })).toBeVisible();
  await openLink(link.shortUrl);
  await expect(deliveries.getByText('delivered', { exact: true })).toHaveCount(2);
  await mutate('updateWebhook', { webhookId: id, isActive: false }, 'webhook { id }', peer);
  await expect(page.getByText(/^Paused .*: by its owner\.$/)).toBeVisible();
  await checkPage();
});
