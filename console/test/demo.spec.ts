// The address that the first start prints: the console with the demo workspace.
import { expect, test } from './fixtures';
import { graph } from './gateway';
import { awaitScreen, heading, loadScreen, region } from './screen';

/** The number of files that the demo workspace is filled with. */
const bundledFiles = Number(process.env.CONSOLE_BUNDLED_FILES);

test('the printed address opens the demo workspace on Home', async ({ page, log }) => {
  await page.goto(process.env.CONSOLE_ADDRESS ?? '');
  await awaitScreen(page);
  await expect(heading(page, 'Home')).toBeVisible();
  await expect(page.getByRole('main').getByText('Demo', { exact: true })).toBeVisible();
  const query = '{ documents(first: 20) { nodes { title processingStatus } } }';
  const read = async (): Promise<{ title: string; processingStatus: null }[]> =>
    (await graph(query)).documents.nodes;
  await expect
    .poll(async () => (await read()).map(({ processingStatus }) => processingStatus))
    .toEqual(Array(bundledFiles).fill(null));
  const documents = region(page, 'Newest documents');
  for (const { title } of await read()) {
    await expect(documents.getByRole('link', { name: title, exact: true })).toBeVisible();
  }
  expect(log.operations).toEqual(['query Home']);
});

test.describe('without an identity provider', () => {
  test.use({ expectedErrors: /status of 401/ });

  test('the sign-in asks for nothing that is not there', async ({ page, log }) => {
    await loadScreen(page, '/', null);
    await expect(heading(page, 'Sign in')).toBeVisible();
    await expect(page.getByLabel('Workspace key')).toBeVisible();
    await page.waitForTimeout(1000);
    await expect(page.getByRole('link', { name: 'Sign in with your organisation' })).toHaveCount(0);
    expect(log.requests).toEqual(['POST /graphql', 'GET /api/public/setup']);
  });
});
