// The pages that document REST, in a browser that reaches the gateway only.
import { expect, test } from './fixtures';
import { type Data, gateway, key } from './gateway';

test.use({ ownPaths: /./, expectedErrors: /$^/ });

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
