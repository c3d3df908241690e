// The playground and the pages that document REST, in a browser that reaches the gateway only.
import { expect, type Page, test } from './fixtures';
import { createDocument, type Data, gateway, key, mutate } from './gateway';

test.use({ ownPaths: /./, expectedErrors: /$^/ });

/** Runs an operation in the playground, once its tab shows the operation's name. */
async function execute(page: Page, name: string, operation: string) {
  const editor = page.locator('.graphiql-query-editor .CodeMirror');
  await editor.evaluate(
    (element, text) => (element as Editor).CodeMirror.setValue(text),
    operation,
  );
  const tab = page.locator('.graphiql-tab-active, .graphiql-tab-button').first();
  await expect(tab.getByText(name)).toBeVisible();
  await page.locator('.graphiql-execute-button').click();
}

type Editor = HTMLElement & { CodeMirror: { getValue(): string; setValue(text: string): void } };

/** Waits until the result in the playground has the text. */
const expectResult = (page: Page, text: string) =>
  expect
    .poll(() =>
      page
        .locator('.result-window .CodeMirror')
        .evaluate((element) => (element as Editor).CodeMirror.getValue()),
    )
    .toContain(text);

test('the playground runs a query and follows a job with the key of its address, which it removes', async ({
  page,
  sites,
}) => {
  await createDocument('Read in a browser');
  await page.goto(`${gateway}/playground#key=${key}`);
  await expect(page.locator('.graphiql-execute-button')).toBeVisible();
  await expect(page.locator('.graphiql-query-editor .CodeMirror')).toBeVisible();
  await execute(
    page,
    'BrowserQuery',
    'query BrowserQuery { documents(first: 20) { nodes { title } } }',
  );
  await expectResult(page, '"title": "Read in a browser"');
  const source = await sites.pausedPage('Ferries of the playground');
  const input = { sourceUrl: source.address };
  const { scrapeJobId: id } = await mutate('ingestDocument', input, 'scrapeJobId');
  await execute(
    page,
    'BrowserWatch',
    `subscription BrowserWatch { jobProgress(jobId: "${id}") { kind jobId state { status } } }`,
  );
  await expectResult(page, '"RUNNING"');
  source.open();
  await expectResult(page, '"END"');
  await expectResult(page, '"COMPLETED"');
  await expectResult(page, id);
  expect(page.url(), 'the key stays in the address').not.toContain(key);
});

/** Returns the operations of the OpenAPI document, as of "GET /api/v1/documents", and their ids. */
async function readOperations() {
  const { paths, webhooks } = await (await fetch(`${gateway}/openapi/openapi.json`)).json();
  const items: [string, Data][] = Object.entries({ ...paths, ...webhooks });
  const operations = items.flatMap(([path, item]) =>
    ['get', 'put', 'post', 'delete', 'patch']
      .filter((method) => method in item)
      .map((method) => ({
        route: `${method.toUpperCase()} ${path}`,
        id: item[method].operationId as string,
      })),
  );
  expect(operations.length).toBeGreaterThan(100);
  return operations;
}

test('/docs lists every operation', async ({ page }) => {
  const routes = (await readOperations()).map(({ route }) => route);
  await page.goto(`${gateway}/docs`);
  const listed = () =>
    page.locator('.opblock').evaluateAll((blocks) =>
      blocks.map((block) => {
        const method = block.querySelector('.opblock-summary-method')?.textContent;
        return `${method} ${block.querySelector('[data-path]')?.getAttribute('data-path')}`;
      }),
    );
  await expect.poll(async () => (await listed()).toSorted()).toEqual(routes.toSorted());
});

test('/docs sends a request with the key of its address, which it removes', async ({ page }) => {
  await page.goto(`${gateway}/docs#key=${key}`);
  const list = page.locator('#operations-documents-listDocuments');
  await list.locator('.opblock-summary-control').click();
  await list.getByRole('button', { name: 'Execute' }).click();
  await expect(list.locator('.live-responses-table')).toContainText('"pagination"');
  const create = page.locator('#operations-documents-createDocument');
  await create.locator('.opblock-summary-control').click();
  await expect(create.locator('textarea.body-param__text')).toHaveValue(/"title"/);
  expect(page.url(), 'the key stays in the address').not.toContain(key);
  await page.goto(`${gateway}/redoc`);
  await expect(page).toHaveURL(`${gateway}/docs`);
});
