// Home: the opens of today and what needs attention.
import { expect, type Page, test } from './fixtures';
import { awaitJob, createLink, createWebhook, deadWebhook, mutate, openLink } from './gateway';
import { changeData, checkAccess, openScreen } from './screen';

const opens = (page: Page) =>
  page
    .locator('main .panel', { has: page.getByText('Opens today', { exact: true }) })
    .locator('.figure');
const day = 24 * 3_600_000;

test('opens of all links count live, by hour of the browser', async ({ page, log }) => {
  const listed = await createLink({ title: 'Opened on Home' });
  await openLink(listed.shortUrl, 0);
  await openScreen(page, '/');
  const before = Number(await opens(page).innerText());
  expect(before).toBeGreaterThan(0);
  await openLink(listed.shortUrl, 1);
  await expect(opens(page)).toHaveText(String(before + 1));
  expect([...new Set(log.operations)]).toEqual(['query Home']);
});

test('jobs that failed in the last 24 hours need attention, a budget that is nearly used, and a paused webhook', async ({
  page,
}) => {
  let failedSince = '';
  const webhook = { __typename: 'Webhook', url: 'https://example.com/' };
  await changeData(page, ({ failed, viewer }, variables) => {
    if (failed) {
      failedSince = variables.failedSince;
      failed.totalCount = 3;
      const budget = { limit: 100, used: 91, remaining: 9, resetsAt: '2031-01-05T12:00:00Z' };
      Object.assign(viewer.workspace.runBudget, budget);
      viewer.workspace.webhooks.nodes = [
        { ...webhook, id: 'whk_a', label: 'Ours', pausedReason: 'FAILURES' },
        { ...webhook, id: 'whk_b', label: 'Theirs', pausedReason: null },
        { ...webhook, id: 'whk_c', label: 'Resting', pausedReason: 'OWNER' },
      ];
    }
  });
  await openScreen(page, '/');
  const alert = page.getByRole('alert').filter({ hasText: 'Needs attention' });
  await expect(alert.getByText('3 jobs failed in the last 24 hours.')).toBeVisible();
  await expect(
    alert.getByText('9 runs are left of the budget, which resets on Jan 5, 2031.'),
  ).toBeVisible();
  await expect(alert.getByText('The webhook Ours is paused: too many failures.')).toBeVisible();
  await expect(alert.getByText('Theirs')).toHaveCount(0);
  const age = Date.now() - Date.parse(failedSince);
  expect(age).toBeGreaterThan(day - day / 48);
  expect(age).toBeLessThanOrEqual(day);
  await checkAccess(page, 'alerts');
});

test('nothing needs attention while the budget is not nearly used, no webhook is paused and no job has failed', async ({
  page,
}) => {
  await changeData(page, ({ failed, viewer }) => {
    if (failed) {
      Object.assign(failed, { totalCount: 0, nodes: [] });
      Object.assign(viewer.workspace.runBudget, { limit: 100, used: 89, remaining: 11 });
      viewer.workspace.webhooks.nodes = [];
    }
  });
  await openScreen(page, '/');
  await expect(page.getByText('Needs attention')).toHaveCount(0);
});

test('a failed job is an alert until it is dismissed or its document is deleted', async ({
  page,
}) => {
  const source = { sourceUrl: 'http://127.0.0.1:1/nothing' };
  const fail = async () => {
    const { scrapeJobId, documentId } = await mutate(
      'ingestDocument',
      source,
      'scrapeJobId documentId',
    );
    await awaitJob(scrapeJobId, 'FAILED');
    return { row: page.locator(`[data-job="${scrapeJobId}"]`), documentId };
  };
  await openScreen(page, '/');
  const dismissed = await fail();
  await expect(page.getByText(/job(s)? failed in the last 24 hours/)).toBeVisible();
  await dismissed.row.getByRole('button', { name: /^Dismiss: / }).click();
  await expect(dismissed.row).toHaveCount(0);
  const deleted = await fail();
  await expect(deleted.row).toBeVisible(); // without a reload
  await mutate('deleteDocument', { documentId: deleted.documentId }, 'deletedId');
  await expect(deleted.row).toHaveCount(0);
});

test('a webhook that its owner pauses needs no attention', async ({ page, removeLater }) => {
  const webhook = await createWebhook({ ...deadWebhook, label: 'Resting', isActive: false });
  removeLater('deleteWebhook', { webhookId: webhook });
  await openScreen(page, '/');
  await expect(page.getByText(/The webhook Resting is paused/)).toHaveCount(0);
});
