// Lists with more rows than a page: the next page has an address, Back leads to the page before,
// and every row is on one of the pages.
import { expect, type Log, type Page, test } from './fixtures';
import {
  createDocument,
  createLink,
  createPersona,
  createWebhook,
  type Data,
  deadWebhook,
  extractSignals,
  graph,
  mutate,
  saveDraft,
} from './gateway';
import { compare } from './rows';
import {
  awaitContent,
  awaitScreen,
  changeData,
  checkAccess,
  loadScreen,
  openScreen,
  region,
} from './screen';

const run = Date.now();

/** Calls create for each number up to count, some at a time, and returns the results. */
async function createRows(count: number, create: (i: number) => Promise<string>) {
  const rows: string[] = [];
  for (let start = 0; start < count; start += 5) {
    const numbers = [0, 1, 2, 3, 4].map((i) => start + i).filter((i) => i < count);
    rows.push(...(await Promise.all(numbers.map(create))));
  }
  return rows;
}

const paged = (i: number) => `Paged ${run} ${i}`;
const createIdle = (i: number) =>
  createWebhook({ ...deadWebhook, label: paged(i), isActive: false });

interface List {
  path: string;
  /** The beginning of the addresses of its rows, if that is another. */
  prefix?: string;
  query: string;
  name?: string;
  parameter?: string;
  expected: string[];
}

const panel = (page: Page, name?: string) => (name ? region(page, name) : page.getByRole('main'));

/** Opens every page of a list and returns the targets of its links. */
async function collectTargets(page: Page, { name, path, prefix = path }: List) {
  const list = panel(page, name);
  const targets: string[] = [];
  for (;;) {
    await awaitScreen(page);
    const links = list.locator(`a[href^="/console${prefix}/"]`);
    const found = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')));
    targets.push(...found.map((href) => href?.split('/').at(-1) ?? ''));
    const next = list.getByRole('link', { name: 'Next page' });
    if ((await next.count()) === 0) {
      return targets;
    }
    const target = await next.getAttribute('href');
    await next.click();
    await page.waitForURL((url) => url.pathname + url.search === target);
    await awaitContent(page);
  }
}

/**
 * Checks the pages of a list: the second has an address and one request, Back leads to the first,
 * whose rows are others, and all pages together have the expected rows.
 */
async function checkPages(page: Page, log: Log, list: List) {
  const { path, prefix = path, query, name, parameter = 'after', expected } = list;
  await openScreen(page, path);
  const rows = panel(page, name);
  const first = rows.locator(`a[href^="/console${prefix}/"]`).first();
  const firstRow = (await first.getAttribute('href')) ?? '';
  await expect(rows.getByRole('link', { name: 'First page' })).toHaveCount(0);
  await rows.getByRole('link', { name: 'Next page' }).click();
  await page.waitForURL((url) => url.searchParams.has(parameter));
  await expect(first).not.toHaveAttribute('href', firstRow);
  await awaitScreen(page);
  // The webhooks follow events, so those of their creation may load the list again.
  const sent = log.operations.filter((_, i) => log.bodies.indexOf(log.bodies[i] ?? '') === i);
  expect(query === 'Webhooks' ? sent : log.operations).toEqual(Array(2).fill(`query ${query}`));
  await checkAccess(page, `a later page of ${path}`);
  const secondRow = (await first.getAttribute('href')) ?? '';
  const deep = await page.context().newPage();
  await openScreen(deep, page.url().replace(/^.*\/console/, ''));
  await expect(panel(deep, name).locator(`a[href^="/console${prefix}/"]`).first()).toHaveAttribute(
    'href',
    secondRow,
  );
  await expect(rows.getByRole('link', { name: 'First page' })).toBeVisible();
  await page.goBack();
  await expect(first).toHaveAttribute('href', firstRow);
  const targets = await collectTargets(page, list);
  expect(
    expected.filter((row) => !targets.includes(row)),
    'rows on no page',
  ).toEqual([]);
}

test('links', async ({ page, log }) => {
  const expected = await createRows(51, async (i) => (await createLink({ title: paged(i) })).id);
  await checkPages(page, log, { path: '/links', query: 'Links', name: 'Links', expected });
});

test('drafts', async ({ page, log }) => {
  const expected = await createRows(51, (i) => saveDraft({ title: paged(i), content: 'Text.' }));
  await checkPages(page, log, { path: '/drafts', query: 'Drafts', name: 'Drafts', expected });
});

test('personas', async ({ page, log, removeLater }) => {
  const create = (i: number) => createPersona({ name: paged(i), isActive: false });
  const expected = await createRows(49, create);
  expected.forEach((personaId) => removeLater('deletePersona', { personaId }));
  await checkPages(page, log, { path: '/personas', query: 'Personas', expected });
});

test('webhooks', async ({ page, log, removeLater }) => {
  const expected = await createRows(21, createIdle);
  expected.forEach((webhookId) => removeLater('deleteWebhook', { webhookId }));
  await checkPages(page, log, { path: '/webhooks', query: 'Webhooks', name: 'Webhooks', expected });
});

test('executives, of whom those of several pages are compared', async ({ page, log }) => {
  const names = await createRows(51, async (i) => {
    const name = `Paged${i} Example${run}`;
    await createDocument(`Speech ${run} ${i}`, undefined, name);
    return name;
  });
  const expected = names.map(encodeURIComponent);
  const list = { path: '/executives', query: 'Executives', name: 'Executives', expected };
  await checkPages(page, log, list);
  await openScreen(page, '/executives');
  const choose = async () => {
    const box = page.getByRole('checkbox').first();
    await box.check();
    return (await box.getAttribute('aria-label'))?.replace('Compare ', '');
  };
  const chosen = await choose();
  await region(page, 'Executives').getByRole('link', { name: 'Next page' }).click();
  await expect(page.getByRole('checkbox', { name: `Compare ${chosen}`, exact: true })).toHaveCount(
    0,
  );
  const second = await choose();
  await expect(page.getByText(`${chosen} · ${second}`, { exact: true })).toBeVisible();
});

test('comparisons', async ({ page, log }) => {
  for (const [name, share] of [
    ['Ada Example', 'a third'],
    ['Bo Example', 'a tenth'],
  ]) {
    const text = `“Emissions of the harbour fall by ${share},” said ${name}.`;
    await extractSignals(await createDocument(`Paged speech of ${name}`, text, name));
  }
  const ask = (i: number) =>
    compare({ theme: 'emissions', focusQuestion: `Question ${run} ${i}?` });
  await createRows(11, ask);
  const { comparisons } = await graph('{ comparisons(first: 11) { nodes { id } } }');
  await checkPages(page, log, {
    path: '/executives',
    prefix: '/comparisons',
    query: 'Executives',
    name: 'Comparisons',
    parameter: 'comparisonsAfter',
    expected: comparisons.nodes.map(({ id }: Data) => id),
  });
});

test('the audit log', async ({ page, log }) => {
  const ids = await createRows(21, async (i) => {
    const webhookId = await createIdle(i);
    await mutate('deleteWebhook', { webhookId }, 'deletedId');
    return webhookId;
  });
  await openScreen(page, '/settings');
  const audit = region(page, 'Audit log');
  const rows = audit.getByRole('row');
  await expect(rows).toHaveCount(20);
  const newest = await rows.allInnerTexts();
  await audit.getByRole('link', { name: 'Next page' }).click();
  await page.waitForURL((url) => url.searchParams.has('auditAfter'));
  const isNewest = (row: string) => newest.includes(row);
  await expect.poll(async () => (await rows.allInnerTexts()).some(isNewest)).toBe(false);
  await expect(page.locator(':focus')).toHaveText('Audit log');
  await expect(audit.getByText(ids[5] ?? '').first()).toBeVisible();
  expect(log.operations).toEqual(['query Settings', 'query Settings']);
  await page.goBack();
  await expect.poll(() => rows.allInnerTexts()).toEqual(newest);
});

test.describe('the other lists of the screens ask for their next page', () => {
  const executive = '/executives/Ada%20Example';
  const lists: [string, string, string, string, (data: Data) => Data][] = [
    [
      'signals of a document',
      'document',
      'Signals',
      'signalsAfter',
      (data) => data.document?.signals,
    ],
    ['jobs of a document', 'document', 'Jobs', 'jobsAfter', (data) => data.document?.jobs],
    [
      'statements of an executive',
      executive,
      'Statements',
      'after',
      (data) => data.executive?.signals,
    ],
    ['auto-tags', '/filters', 'Auto-tags', 'tagsAfter', (data) => data.autoTags],
    ['keys', '/settings', 'Keys', 'keysAfter', (data) => data.viewer?.workspace?.keys],
    ['members', '/settings', 'Members', 'membersAfter', (data) => data.viewer?.workspace?.members],
  ];
  let document: string;
  test.beforeAll(async () => {
    const text = '“Emissions fall by a third,” said Ada Example, chief executive of Tidewall.';
    document = await createDocument(`Continued ${run}`, text);
    await extractSignals(document);
    await mutate('createAutoTag', { name: `Continued ${run}`, tagType: 'topic' }, 'autoTag { id }');
  });
  for (const [name, path, title, parameter, pick] of lists) {
    test(name, async ({ page, log }) => {
      await changeData(page, (data, variables) => {
        const list = pick(data); // has further rows after those of its first page
        if (list && !variables[parameter]) {
          const endCursor = list.pageInfo.endCursor ?? 'end';
          Object.assign(list.pageInfo, { hasNextPage: true, endCursor });
        }
      });
      await openScreen(page, path === 'document' ? `/documents/${document}` : path);
      const list = region(page, title);
      const sent = page.waitForRequest(
        (request) => request.postData()?.includes(`"${parameter}":"`) ?? false,
      );
      await list.getByRole('link', { name: 'Next page' }).click();
      await sent;
      await list.getByRole('link', { name: 'First page' }).click();
      await expect(list.getByRole('link', { name: 'Next page' })).toBeVisible();
      await awaitScreen(page);
      expect(new Set(log.operations).size).toBe(1);
    });
  }
});

test('a page after the last one says that there are no more rows', async ({ page }) => {
  const { drafts } = await graph('{ drafts(last: 1) { pageInfo { endCursor } } }');
  await loadScreen(page, `/drafts?after=${encodeURIComponent(drafts.pageInfo.endCursor)}`);
  await expect(page.getByText('No more rows')).toBeVisible();
  await expect(page.getByText('No drafts')).toHaveCount(0);
  await page.getByRole('link', { name: 'First page' }).click();
  await expect(region(page, 'Drafts').locator('a[href^="/console/drafts/"]').first()).toBeVisible();
});
