// Home: the opens of today and what needs attention.
import { expect, type Page, test } from './fixtures';
import { awaitJob, createLink, createWebhook, deadWebhook, mutate, openLink } from './gateway';
import { changeData, checkAccess, openScreen } from './screen';

const opens = (page: Page) =>
  page
    .locator('main .panel', { has: page.getByText('Opens today', { exact: true }) })
    .locator('.figure');
const part = (page: Page) =>
  page.getByText(/^A part: the newest 50 opens of each of the \d+ links/);

const day = 24 * 3_600_000;

/** Returns a link with the last sessions, which were that many days ago. */
function linkWith(id: string, openCount: number, days: number[], hasNextPage = false) {
  const nodes = days.map((count, i) => ({
    __typename: 'LinkSession',
    id: `ses_${id}_${i}`,
    openedAt: new Date(Date.now() - count * day).toISOString(),
  }));
  const pageInfo = { __typename: 'PageInfo', hasNextPage };
  const sessions = { __typename: 'LinkSessionConnection', pageInfo, nodes };
  return { __typename: 'Link', id, openCount, sessions };
}

/** Replaces the links of Home. */
const showLinks = (page: Page, nodes: object[], totalCount = nodes.length) =>
  changeData(page, (data) => data.links && Object.assign(data.links, { totalCount, nodes }));

test('opens count live', async ({ page, log }) => {
  const listed = await createLink({ title: 'Opened on Home' });
  await openLink(listed.shortUrl, 0);
  let nodes = [linkWith(listed.id, 1, [0])]; // of the gateway's present response
  await changeData(page, ({ links }) => links && Object.assign(links, { totalCount: 1, nodes }));
  await openScreen(page, '/');
  await expect(opens(page)).toHaveText('1');
  nodes = [linkWith(listed.id, 2, [0, 0])];
  await openLink(listed.shortUrl, 1);
  await expect(opens(page)).toHaveText('2');
  await expect(part(page)).toHaveCount(0);
  expect([...new Set(log.operations)]).toEqual(['query Home']);
});

test.describe('opens that are a part say so', () => {
  const cases = {
    'all sessions of a link are of today, and it has more': {
      links: [linkWith('lnk_a', 60, [0, 0], true)],
      figure: '2+',
    },
    'further links have opens': { links: [linkWith('lnk_a', 1, [0])], total: 2, figure: '1+' },
    'further links have none': {
      links: [linkWith('lnk_a', 1, [0]), linkWith('lnk_b', 0, [])],
      total: 3,
      figure: '1',
    },
    'the earlier sessions are of yesterday': {
      links: [linkWith('lnk_a', 60, [0, 1], true)],
      figure: '1',
    },
  };
  for (const [name, { links, figure, ...more }] of Object.entries(cases)) {
    test(name, async ({ page }) => {
      await showLinks(page, links, 'total' in more ? more.total : links.length);
      await openScreen(page, '/');
      await expect(opens(page)).toHaveText(figure);
      await expect(part(page)).toHaveCount(figure.endsWith('+') ? 1 : 0);
      await checkAccess(page, name);
    });
  }
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

test('a webhook that its owner pauses, and a job that fails, are alerts of the stored state', async ({
  page,
  removeLater,
}) => {
  const webhook = await createWebhook({ ...deadWebhook, label: 'Resting', isActive: false });
  removeLater('deleteWebhook', { webhookId: webhook });
  await openScreen(page, '/');
  await expect(page.getByText('The webhook Resting is paused: by its owner.')).toBeVisible();
  const failed = page.getByText(/job(s)? failed in the last 24 hours/);
  const before = await failed.allInnerTexts();
  const source = { sourceUrl: 'http://127.0.0.1:1/nothing' };
  const { scrapeJobId } = await mutate('ingestDocument', source, 'scrapeJobId');
  await awaitJob(scrapeJobId, 'FAILED');
  await expect.poll(() => failed.allInnerTexts()).not.toEqual(before); // without a reload
});
