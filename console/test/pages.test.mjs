// The playground and the pages that document REST, in a browser that reaches the gateway only.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { awaitSuccess, openScreen } from './browser.mjs';
import { createDocument, gateway, graph, key, servePausedPage } from './gateway.mjs';

/** Opens a page of the gateway that is not part of the console. */
const openPage = (t, path) => openScreen(t, '', { address: gateway + path, own: /./, expected: /$^/ });

/** Runs an operation in the playground, once its tab shows the operation's name. */
async function execute(page, name, operation) {
  await page.evaluate((text) => document.querySelector('.graphiql-query-editor .CodeMirror').CodeMirror.setValue(text), operation);
  await page.locator('.graphiql-tab-active, .graphiql-tab-button').first().getByText(name).waitFor();
  await page.locator('.graphiql-execute-button').click();
}

/** Waits until the result in the playground has all of the texts. */
const awaitResult = (page, ...texts) =>
  awaitSuccess(async () => {
    const result = await page.evaluate(() => document.querySelector('.result-window .CodeMirror')?.CodeMirror.getValue() ?? '');
    assert.deepEqual(texts.filter((text) => !result.includes(text)), [], result);
  });

test('the playground runs a query and follows a job with the key of its address, which it removes', async (t) => {
  await createDocument('Read in a browser');
  const { page } = await openPage(t, `/playground#key=${key}`);
  await page.locator('.graphiql-execute-button').waitFor();
  await page.locator('.graphiql-query-editor .CodeMirror').waitFor();
  await execute(page, 'BrowserQuery', 'query BrowserQuery { documents(first: 20) { totalCount nodes { title } } }');
  await awaitResult(page, '"title": "Read in a browser"');
  const source = await servePausedPage(t, 'Ferries of the playground');
  const { ingestDocument } = await graph('mutation($url: URL!) { ingestDocument(input: { sourceUrl: $url }) { scrapeJobId } }', { url: source.address });
  const id = ingestDocument.scrapeJobId;
  await execute(page, 'BrowserWatch', `subscription BrowserWatch { jobProgress(jobId: "${id}") { position kind job { id status } } }`);
  await awaitResult(page, id, '"RUNNING"');
  source.open();
  await awaitResult(page, id, '"END"', '"COMPLETED"');
  assert.ok(!page.url().includes(key), 'the key stays in the address');
});

/** Returns the operations of the OpenAPI document: the id of each by its method and path, or the name of its webhook. */
async function readOperations() {
  const { paths, webhooks } = await (await fetch(`${gateway}/openapi/openapi.json`)).json();
  const methods = ['get', 'put', 'post', 'delete', 'patch'];
  return new Map(
    Object.entries({ ...paths, ...webhooks }).flatMap(([path, item]) =>
      methods.filter((method) => method in item).map((method) => [`${method.toUpperCase()} ${path}`, item[method].operationId]),
    ),
  );
}

/** Waits until a page lists the operations, in any order. */
async function awaitList(page, list, want) {
  assert.ok(want.length > 100);
  await awaitSuccess(async () => assert.deepEqual((await page.evaluate(list)).toSorted(), want.toSorted()));
}

test('/docs lists every operation', async (t) => {
  const routes = [...(await readOperations()).keys()];
  const { page } = await openPage(t, '/docs');
  await awaitList(
    page,
    () =>
      [...document.querySelectorAll('.opblock')].map(
        (block) => `${block.querySelector('.opblock-summary-method').textContent} ${block.querySelector('[data-path]').dataset.path}`,
      ),
    routes,
  );
});

test('/redoc lists every operation', async (t) => {
  const ids = [...(await readOperations()).values()];
  const { page } = await openPage(t, '/redoc');
  await awaitList(
    page,
    () => [...document.querySelectorAll('[data-section-id]')].map((section) => section.dataset.sectionId.split('operation/')[1]).filter((id) => id),
    ids,
  );
});
