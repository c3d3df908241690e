// The playground in a browser that reaches the gateway only.
import { execFileSync } from 'node:child_process';
import { expect, type Page, test } from './fixtures';
import { createDocument, gateway, graph, key, mutate, unique } from './gateway';

test.use({ ownPaths: /./, expectedErrors: /$^/ });

const runButton = (page: Page) => page.getByRole('button', { name: /^Execute query/ });
const results = (page: Page) => page.locator('.result-window .view-lines');
const variableEditor = (page: Page) =>
  page.getByRole('region', { name: 'Variables' }).locator('.view-lines').first();
const tabs = (page: Page) => page.getByRole('tab');

/** Opens the playground with an operation, as a shared address does. */
async function open(page: Page, query = '', variables = '') {
  const shared = new URLSearchParams({ ...(query && { query }), ...(variables && { variables }) });
  await page.goto(`${gateway}/playground?${shared}#key=${key}`);
  await expect(runButton(page)).toBeEnabled();
  await expect(page.locator('.graphiql-query-editor .view-lines')).toBeVisible();
  await expect(variableEditor(page)).toBeVisible();
}

/** Returns the text of a snippet of the panel "Code". */
const snippet = async (page: Page, title: string) =>
  page.getByRole('region', { name: title, exact: true }).locator('pre').innerText();

test('runs a shared operation with the key of its address, which it removes', async ({ page }) => {
  const title = unique('Read in a browser');
  await createDocument(title);
  await open(
    page,
    'query Shared($q: String!) { documents(first: 20, filter: { q: $q }) { nodes { title } } }',
    JSON.stringify({ q: `"${title}"` }),
  );
  await runButton(page).click();
  await expect(results(page)).toContainText(`"title": "${title}"`);
  expect(page.url(), 'the key stays in the address').not.toContain(key);
});

test('shows the events of a subscription as they come', async ({ page, sites }) => {
  const source = await sites.pausedPage('Ferries of the playground');
  const { scrapeJobId: id } = await mutate(
    'ingestDocument',
    { sourceUrl: source.address },
    'scrapeJobId',
  );
  await open(
    page,
    'subscription Watch($id: ID!) { jobProgress(jobId: $id) { kind state { status } } }',
    JSON.stringify({ id }),
  );
  await runButton(page).click();
  await expect(results(page)).toContainText('"RUNNING"');
  source.open();
  await expect(results(page)).toContainText('"END"');
  await expect(results(page), 'the first events are still there').toContainText('"RUNNING"');
});

test('has examples by area, each in a tab of its own, which a reload keeps', async ({ page }) => {
  await open(page);
  await page.getByRole('button', { name: 'Show Examples' }).click();
  const areas = page.getByRole('region', { name: 'Examples' }).getByRole('region');
  await expect(areas).toHaveCount(7);
  await page.getByRole('button', { name: 'FindDocuments' }).click();
  await expect(tabs(page).filter({ hasText: 'FindDocuments' })).toBeVisible();
  await runButton(page).click();
  await expect(results(page)).toContainText('"totalCount"');
  await expect
    .poll(() => page.evaluate(() => localStorage.getItem('graphiql:tabState')))
    .toContain('FindDocuments');
  await page.reload();
  await expect(tabs(page).filter({ hasText: 'FindDocuments' })).toBeVisible();
  expect(
    await page.evaluate(() => JSON.stringify(localStorage)),
    'the key is kept longer than the tab',
  ).not.toContain(key);
});

test('has the documentation of the schema at hand', async ({ page }) => {
  await open(page);
  await page.getByRole('button', { name: 'Show Documentation Explorer' }).click();
  const explorer = page.locator('.graphiql-doc-explorer');
  await explorer.getByRole('link', { name: 'Query', exact: true }).click();
  await explorer.getByRole('link', { name: 'document', exact: true }).click();
  await expect(explorer).toContainText("The document's id.");
});

test('gives the operation as curl, as TypeScript and as a link, without the key', async ({
  page,
}) => {
  await open(page, 'query Named { workspace { name } }');
  await page.getByRole('button', { name: 'Show Code' }).click();
  const { name } = (await graph('{ workspace { name } }')).workspace;
  const env = { ...process.env, ROSTRUM_KEY: key, FORCE_COLOR: '0' };
  const curl = await snippet(page, 'curl');
  expect(execFileSync('sh', ['-c', `${curl} -s`], { env }).toString()).toContain(
    `"name":"${name}"`,
  );
  const program = await snippet(page, 'TypeScript');
  expect(
    execFileSync('node', ['--input-type=module', '-e', program], { env }).toString(),
  ).toContain(`name: '${name}'`);
  const link = await snippet(page, 'link');
  expect(`${curl}${program}${link}`, 'the key is shared').not.toContain(key);
  await page.goto(link);
  await expect(page.locator('.graphiql-query-editor .view-lines')).toContainText('query Named');
});
