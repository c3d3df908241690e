// Home of a workspace with thousands of documents.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { awaitScreen, openScreen, patience } from './browser.mjs';
import { largeKey } from './gateway.mjs';

/** The time until Home is interactive that fails the test on any machine, in milliseconds. */
const longest = 30_000;

/** Reports when Home first shows its documents and responds to input: the first task of the page after the frame that shows them. */
function watchHome() {
  const check = () => {
    if (document.querySelector('main [data-document] a')) {
      requestAnimationFrame(() => setTimeout(() => (globalThis.interactiveAt = performance.now())));
    } else {
      requestAnimationFrame(check);
    }
  };
  requestAnimationFrame(check);
}

test('Home of 10,000 documents is interactive after one request', async (t) => {
  const { page, log } = await openScreen(t, '/', { as: largeKey, isNew: true, prepare: (opened) => opened.addInitScript(watchHome) });
  await awaitScreen(page);
  await page.getByRole('main').getByText('10K', { exact: true }).waitFor();
  const time = Math.round(await (await page.waitForFunction(() => globalThis.interactiveAt, undefined, { timeout: patience })).jsonValue());
  t.diagnostic(`Home with 10,000 documents: interactive ${time} ms after the start of the navigation, ${log.requests.length} request`);
  assert.deepEqual(log.requests, ['POST /graphql']);
  assert.ok(time < longest, `${time} ms`);
});
