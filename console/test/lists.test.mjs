// Lists with more rows than a page: the next page has an address, Back leads to the page before, and every row is on one of the pages.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { awaitScreen, awaitSuccess, checkAccess, openScreen } from './browser.mjs';
import { createDocument, graph } from './gateway.mjs';

const run = Date.now();

/** Calls create for each number up to count, some at a time, and returns the results. */
async function createRows(count, create) {
  const rows = [];
  for (let start = 0; start < count; start += 5) {
    rows.push(...(await Promise.all(Array.from({ length: Math.min(5, count - start) }, (_, i) => create(start + i)))));
  }
  return rows;
}

const createLink = async (i) => (await graph('mutation($title: String!) { createLink(input: { title: $title, destinationUrl: "https://example.com/" }) { link { id } } }', { title: `Paged ${run} ${i}` })).createLink.link.id;
const createDraft = async (i) => (await graph('mutation($title: String!) { saveDraft(input: { title: $title, content: "Text." }) { draft { id } } }', { title: `Paged ${run} ${i}` })).saveDraft.draft.id;
const createPersona = async (i) => (await graph('mutation($name: String!) { createPersona(input: { name: $name, isActive: false }) { persona { id } } }', { name: `Paged ${run} ${i}` })).createPersona.persona.id;
const createWebhook = async (i) => (await graph('mutation($label: String!) { createWebhook(input: { url: "https://127.0.0.1:9/hook", label: $label, isActive: false }) { webhook { id } } }', { label: `Paged ${run} ${i}` })).createWebhook.webhook.id;
const compare = (question) => graph('mutation($question: String!) { compareInsights(input: { theme: "emissions", focusQuestion: $question, executives: ["Ada Example", "Bo Example"], strategicMap: true }) { comparison { theme } } }', { question });

/** Opens every page of a list and returns the targets of its links. */
async function collectTargets(page, list, prefix) {
  const targets = [];
  for (;;) {
    await awaitScreen(page);
    targets.push(...(await list.locator(`a[href^="/console${prefix}/"]`).evaluateAll((links) => links.map((link) => link.pathname.split('/').at(-1)))));
    const next = list.getByRole('link', { name: 'Next page' });
    if ((await next.count()) === 0) {
      return targets;
    }
    const target = await next.getAttribute('href');
    await next.click();
    await page.waitForURL((url) => url.pathname + url.search === target);
    await page.waitForSelector('main [aria-busy=false]', { state: 'attached' });
  }
}

/**
 * Checks the pages of a list: the second has an address and one request, Back leads to the first, whose rows are others, and all pages together have the
 * expected rows. A list that follows events may be loaded again by those of the creation of its rows, by the same request.
 */
async function checkPages(t, { path, prefix = path, query, name, parameter = 'after', followsEvents = false, expected }) {
  const { page, log } = await openScreen(t, path);
  await awaitScreen(page);
  const list = name ? page.getByRole('region', { name, exact: true }) : page.getByRole('main');
  const first = () => list.locator(`a[href^="/console${prefix}/"]`).first();
  const firstRow = await first().getAttribute('href');
  assert.equal(await list.getByRole('link', { name: 'First page' }).count(), 0);
  await list.getByRole('link', { name: 'Next page' }).click();
  await page.waitForURL((url) => url.searchParams.has(parameter));
  await awaitSuccess(async () => assert.notEqual(await first().getAttribute('href'), firstRow));
  await awaitScreen(page);
  const sent = followsEvents ? log.operations.filter((_, i) => log.bodies.indexOf(log.bodies[i]) === i) : log.operations;
  assert.deepEqual(sent, [`query ${query}`, `query ${query}`]);
  await checkAccess(page, `a later page of ${path}`);
  const secondRow = await first().getAttribute('href');
  const deep = await openScreen(t, page.url().replace(/^.*\/console/, ''));
  await awaitScreen(deep.page);
  assert.equal(await (name ? deep.page.getByRole('region', { name, exact: true }) : deep.page.getByRole('main')).locator(`a[href^="/console${prefix}/"]`).first().getAttribute('href'), secondRow);
  await list.getByRole('link', { name: 'First page' }).waitFor();
  await page.goBack();
  await awaitSuccess(async () => assert.equal(await first().getAttribute('href'), firstRow));
  const targets = await collectTargets(page, list, prefix);
  assert.deepEqual(expected.filter((target) => !targets.includes(target)), [], 'rows on no page');
}

test('links', async (t) => {
  const expected = await createRows(51, createLink);
  await checkPages(t, { path: '/links', query: 'Links', name: 'Links', expected });
});

test('drafts', async (t) => {
  const expected = await createRows(51, createDraft);
  await checkPages(t, { path: '/drafts', query: 'Drafts', name: 'Drafts', expected });
});

test('personas', async (t) => {
  const expected = await createRows(49, createPersona);
  t.after(() => createRows(expected.length, (i) => graph('mutation($id: ID!) { deletePersona(input: { personaId: $id }) { deletedId } }', { id: expected[i] })));
  await checkPages(t, { path: '/personas', query: 'Personas', expected });
});

test('webhooks', async (t) => {
  const expected = await createRows(21, createWebhook);
  t.after(() => createRows(expected.length, (i) => graph('mutation($id: ID!) { deleteWebhook(input: { webhookId: $id }) { deletedId } }', { id: expected[i] }))); // they would fail
  await checkPages(t, { path: '/webhooks', query: 'Webhooks', name: 'Webhooks', followsEvents: true, expected });
});

test('executives, of whom those of several pages are compared', async (t) => {
  const names = await createRows(51, async (i) => {
    const name = `Paged${i} Example${run}`;
    await createDocument(`Speech ${run} ${i}`, undefined, name);
    return name;
  });
  await checkPages(t, { path: '/executives', query: 'Executives', name: 'Executives', expected: names.map(encodeURIComponent) });
  const { page } = await openScreen(t, '/executives');
  await awaitScreen(page);
  const box = () => page.getByRole('checkbox').first();
  const chosen = (await box().getAttribute('aria-label')).replace('Compare ', '');
  await box().check();
  await page.getByRole('region', { name: 'Executives', exact: true }).getByRole('link', { name: 'Next page' }).click();
  await page.getByRole('checkbox', { name: `Compare ${chosen}`, exact: true }).waitFor({ state: 'detached' });
  const second = (await box().getAttribute('aria-label')).replace('Compare ', '');
  await box().check();
  await page.getByText(`${chosen} · ${second}`, { exact: true }).waitFor();
});

test('comparisons', async (t) => {
  for (const [name, share] of [['Ada Example', 'a third'], ['Bo Example', 'a tenth']]) {
    const id = await createDocument(`Paged speech of ${name}`, `“Emissions of the harbour fall by ${share},” said ${name}.`, name);
    await graph('mutation($id: ID!) { extractSignals(input: { documentId: $id }) { totalSignals } }', { id });
  }
  await createRows(11, (i) => compare(`Question ${run} ${i}?`));
  const { comparisons } = await graph('{ comparisons(first: 11) { nodes { id } } }');
  await checkPages(t, { path: '/executives', prefix: '/comparisons', query: 'Executives', name: 'Comparisons', parameter: 'comparisonsAfter', expected: comparisons.nodes.map(({ id }) => id) });
});

test('the audit log', async (t) => {
  const ids = await createRows(21, createWebhook);
  await createRows(ids.length, (i) => graph('mutation($id: ID!) { deleteWebhook(input: { webhookId: $id }) { deletedId } }', { id: ids[i] }));
  const { page, log } = await openScreen(t, '/settings');
  await awaitScreen(page);
  const audit = page.getByRole('region', { name: 'Audit log' });
  assert.equal(await audit.getByRole('row').count(), 20);
  const rows = await audit.getByRole('row').allInnerTexts();
  await audit.getByRole('link', { name: 'Next page' }).click();
  await page.waitForURL((url) => url.searchParams.has('auditAfter'));
  await awaitSuccess(async () => assert.equal((await audit.getByRole('row').allInnerTexts()).some((row) => rows.includes(row)), false));
  await awaitSuccess(async () => assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Audit log'));
  await audit.getByText(ids[10]).first().waitFor();
  assert.deepEqual(log.operations, ['query Settings', 'query Settings']);
  await page.goBack();
  await awaitSuccess(async () => assert.deepEqual(await audit.getByRole('row').allInnerTexts(), rows));
});

/** Changes the responses so that further rows follow those of a list. */
const continueList = (pick) => (page) =>
  page.route('**/graphql', async (route) => {
    const response = await route.fetch();
    const json = await response.json();
    const list = json.data && pick(json.data);
    if (list && !route.request().postDataJSON().variables[list.parameter]) {
      Object.assign(list.page.pageInfo, { hasNextPage: true, endCursor: list.page.pageInfo.endCursor ?? 'end' });
    }
    await route.fulfill({ response, json });
  });

test('the other lists of the screens ask for their next page', { concurrency: 1 }, async (t) => {
  const id = await createDocument(`Continued ${run}`, '“Emissions fall by a third,” said Ada Example, chief executive of Tidewall.');
  await graph('mutation($id: ID!) { extractSignals(input: { documentId: $id }) { totalSignals } }', { id });
  const { createAutoTag } = await graph('mutation($input: CreateAutoTagInput!) { createAutoTag(input: $input) { autoTag { id } } }', { input: { name: `Continued ${run}`, tagType: 'topic' } });
  assert.ok(createAutoTag);
  const lists = {
    'signals of a document': { path: `/documents/${id}`, region: 'Signals', parameter: 'signalsAfter', pick: (data) => data.document?.signals },
    'jobs of a document': { path: `/documents/${id}`, region: 'Jobs', parameter: 'jobsAfter', pick: (data) => data.document?.jobs },
    'statements of an executive': { path: '/executives/Ada%20Example', region: 'Statements', parameter: 'after', pick: (data) => data.executive?.signals },
    'auto-tags': { path: '/filters', region: 'Auto-tags', parameter: 'tagsAfter', pick: (data) => data.autoTags },
    keys: { path: '/settings', region: 'Keys', parameter: 'keysAfter', pick: (data) => data.viewer?.workspace?.keys },
    members: { path: '/settings', region: 'Members', parameter: 'membersAfter', pick: (data) => data.viewer?.workspace?.members },
  };
  for (const [name, { path, region, parameter, pick }] of Object.entries(lists)) {
    await t.test(name, async (t) => {
      const prepare = continueList((data) => pick(data) && { page: pick(data), parameter });
      const { page, log } = await openScreen(t, path, { prepare });
      await awaitScreen(page);
      const list = page.getByRole('region', { name: region, exact: true });
      const sent = page.waitForRequest((request) => Boolean(request.postData()?.includes(`"${parameter}":"`)));
      await list.getByRole('link', { name: 'Next page' }).click();
      await sent;
      await list.getByRole('link', { name: 'First page' }).click();
      await list.getByRole('link', { name: 'Next page' }).waitFor();
      await awaitScreen(page);
      assert.equal(new Set(log.operations).size, 1);
    });
  }
});

test('a page after the last one says that there are no more rows', async (t) => {
  const { drafts } = await graph('{ drafts(last: 1) { pageInfo { endCursor } } }');
  const { page } = await openScreen(t, `/drafts?after=${encodeURIComponent(drafts.pageInfo.endCursor)}`);
  await page.getByText('No more rows').waitFor();
  assert.equal(await page.getByText('No drafts').count(), 0);
  await page.getByRole('link', { name: 'First page' }).click();
  await page.getByRole('region', { name: 'Drafts' }).locator('a[href^="/console/drafts/"]').first().waitFor();
});
