// Home: the opens of today and what needs attention.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { awaitScreen, awaitSuccess, checkAccess, openScreen } from './browser.mjs';
import { graph, openLink } from './gateway.mjs';

async function createLink(title) {
  const { createLink } = await graph('mutation($title: String!) { createLink(input: { title: $title, destinationUrl: "https://example.com/" }) { link { id shortUrl } } }', { title });
  return createLink.link;
}

const card = (page, label) => page.locator('main .panel', { has: page.getByText(label, { exact: true }) });
const opens = (page) => card(page, 'Opens today').locator('.figure').innerText();
const partText = /^A part: the newest 50 opens of each of the \d+ links/;

/** Changes the responses of Home, and returns the variables that it was asked with. */
async function changeHome(page, change) {
  const asked = [];
  await page.route('**/graphql', async (route) => {
    const body = route.request().postDataJSON();
    const response = await route.fetch();
    const json = await response.json();
    if (body.query.startsWith('query Home')) {
      asked.push(body.variables);
      change?.(json.data);
    }
    await route.fulfill({ response, json });
  });
  return asked;
}

const session = (id, openedAt) => ({ __typename: 'LinkSession', id, openedAt });
const linkWith = (id, openCount, sessions, hasNextPage = false) => ({
  __typename: 'Link', id, openCount, sessions: { __typename: 'LinkSessionConnection', pageInfo: { __typename: 'PageInfo', hasNextPage }, nodes: sessions },
});
const now = () => new Date().toISOString();

test('opens of listed links, of new ones and of others count live, without a request', async (t) => {
  const listed = await createLink('Opened on Home');
  assert.equal(await openLink(listed.shortUrl, 0), 302);
  const only = (data) => (data.links = { ...data.links, totalCount: 1, nodes: [linkWith(listed.id, 1, [session('ses_known', now())])] });
  const { page, log } = await openScreen(t, '/', { prepare: (opened) => changeHome(opened, only) });
  await awaitScreen(page);
  assert.equal(await opens(page), '1');
  assert.equal(await openLink(listed.shortUrl, 1), 302);
  await awaitSuccess(async () => assert.equal(await opens(page), '2'));
  const later = await createLink('Created after Home was opened');
  assert.equal(await openLink(later.shortUrl, 2), 302);
  await awaitSuccess(async () => assert.equal(await opens(page), '3'));
  assert.equal(await page.getByText(partText).count(), 0);
  assert.deepEqual(log.operations, ['query Home']);
});

test('opens that are a part say so', { concurrency: 1 }, async (t) => {
  const yesterday = new Date(Date.now() - 86_400_000).toISOString();
  const cases = {
    'all sessions of a link are of today, and it has more': { links: [linkWith('lnk_a', 60, [session('ses_a', now()), session('ses_b', now())], true)], figure: '2+', isPart: true },
    'further links have opens': { links: [linkWith('lnk_a', 1, [session('ses_a', now())])], total: 2, figure: '1+', isPart: true },
    'further links have none': { links: [linkWith('lnk_a', 1, [session('ses_a', now())]), linkWith('lnk_b', 0, [])], total: 3, figure: '1', isPart: false },
    'the earlier sessions are of yesterday': { links: [linkWith('lnk_a', 60, [session('ses_a', now()), session('ses_b', yesterday)], true)], figure: '1', isPart: false },
  };
  for (const [name, { links, total = links.length, figure, isPart }] of Object.entries(cases)) {
    await t.test(name, async (t) => {
      const change = (data) => (data.links = { ...data.links, totalCount: total, nodes: links });
      const { page } = await openScreen(t, '/', { prepare: (opened) => changeHome(opened, change) });
      await awaitScreen(page);
      assert.equal(await opens(page), figure);
      assert.equal(await page.getByText(partText).count(), isPart ? 1 : 0);
      await checkAccess(page, name);
    });
  }
});

test('jobs that failed in the last 24 hours need attention, a budget that is nearly used, and a paused webhook', async (t) => {
  let asked;
  const change = (data) => {
    data.failed.totalCount = 3;
    data.viewer.workspace.runBudget = { ...data.viewer.workspace.runBudget, limit: 100, used: 91, remaining: 9, resetsAt: '2031-01-05T12:00:00Z' };
    data.viewer.workspace.webhooks.nodes = [
      { __typename: 'Webhook', id: 'whk_a', label: 'Ours', url: 'https://example.com/', pausedReason: 'FAILURES' },
      { __typename: 'Webhook', id: 'whk_b', label: 'Theirs', url: 'https://example.com/', pausedReason: null },
    ];
  };
  const { page } = await openScreen(t, '/', { prepare: async (opened) => (asked = await changeHome(opened, change)) });
  await awaitScreen(page);
  const alert = page.getByRole('alert').filter({ hasText: 'Needs attention' });
  await alert.getByText('3 jobs failed in the last 24 hours.').waitFor();
  await alert.getByText('9 runs are left of the budget, which resets on Jan 5, 2031.').waitFor();
  await alert.getByText('The webhook Ours is paused: too many failures.').waitFor();
  assert.equal(await alert.getByText('Theirs').count(), 0);
  const age = Date.now() - Date.parse(asked[0].failedSince);
  assert.ok(age > 23.5 * 3_600_000 && age <= 24 * 3_600_000, `${age} ms`);
  await checkAccess(page, 'alerts');
});

test('nothing needs attention while the budget is not nearly used, no webhook is paused and no job has failed', async (t) => {
  const change = (data) => {
    data.failed = { ...data.failed, totalCount: 0, nodes: [] };
    data.viewer.workspace.runBudget = { ...data.viewer.workspace.runBudget, limit: 100, used: 89, remaining: 11 };
    data.viewer.workspace.webhooks.nodes = [];
  };
  const { page } = await openScreen(t, '/', { prepare: (opened) => changeHome(opened, change) });
  await awaitScreen(page);
  assert.equal(await page.getByText('Needs attention').count(), 0);
});

test('a webhook that its owner pauses, and a job that fails, are alerts of the stored state', async (t) => {
  const { createWebhook } = await graph('mutation { createWebhook(input: { url: "https://127.0.0.1:9/hook", label: "Resting", isActive: false }) { webhook { id } } }');
  t.after(() => graph('mutation($id: ID!) { deleteWebhook(input: { webhookId: $id }) { deletedId } }', { id: createWebhook.webhook.id }));
  const { page } = await openScreen(t, '/');
  await awaitScreen(page);
  await page.getByText('The webhook Resting is paused: by its owner.').waitFor();
  const failed = page.getByText(/job(s)? failed in the last 24 hours/);
  const before = (await failed.count()) ? await failed.innerText() : '';
  const { ingestDocument } = await graph('mutation($url: URL!) { ingestDocument(input: { sourceUrl: $url }) { scrapeJobId } }', { url: 'http://127.0.0.1:1/nothing' });
  await awaitSuccess(async () => assert.equal((await graph('query($id: ID!) { job(id: $id) { status } }', { id: ingestDocument.scrapeJobId })).job.status, 'FAILED'));
  await awaitSuccess(async () => assert.notEqual((await failed.count()) ? await failed.innerText() : '', before)); // without a reload
});
