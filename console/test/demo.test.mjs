// The address that the first start prints: the console with the demo workspace.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { awaitScreen, awaitSuccess, openScreen } from './browser.mjs';
import { graph } from './gateway.mjs';

/** The number of files that the demo workspace is filled with. */
const bundledFiles = Number(process.env.CONSOLE_BUNDLED_FILES);

test('the printed address opens the demo workspace on Home', async (t) => {
  const { page, log } = await openScreen(t, '/', { address: process.env.CONSOLE_ADDRESS });
  await awaitScreen(page);
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  await page.getByRole('main').getByText('Demo', { exact: true }).waitFor();
  const titles = await awaitSuccess(async () => {
    const { documents } = await graph('{ documents(first: 20) { nodes { title processingStatus } } }');
    assert.deepEqual(documents.nodes.map(({ processingStatus }) => processingStatus), Array(bundledFiles).fill(null));
    return documents.nodes.map(({ title }) => title);
  });
  const documents = page.getByRole('region', { name: 'Newest documents' });
  for (const title of titles) {
    await documents.getByRole('link', { name: title, exact: true }).waitFor();
  }
  assert.deepEqual(log.operations, ['query Home']);
});

test('the sign-in without an identity provider asks for nothing that is not there', async (t) => {
  const { page, log } = await openScreen(t, '/', { as: null, expected: /status of 401/ });
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
  await page.getByLabel('Workspace key').waitFor();
  await page.waitForTimeout(1000);
  assert.equal(await page.getByRole('link', { name: 'Sign in with your organisation' }).count(), 0);
  assert.deepEqual(log.requests, ['POST /graphql']);
});
