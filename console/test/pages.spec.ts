// The pages that document REST, in a browser that reaches the gateway only.
import { expect, test } from './fixtures';
import { type Data, gateway } from './gateway';

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

test('/redoc lists every operation', async ({ page }) => {
  const ids = (await readOperations()).map(({ id }) => id);
  await page.goto(`${gateway}/redoc`);
  const listed = () =>
    page
      .locator('[data-section-id*="operation/"]')
      .evaluateAll((all) =>
        all.map((each) => each.getAttribute('data-section-id')?.split('/').at(-1)),
      );
  await expect.poll(async () => (await listed()).toSorted()).toEqual(ids.toSorted());
});
