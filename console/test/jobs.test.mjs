// Jobs on Home and on a document: their progress, which moves live, and what can be done with them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { awaitScreen, awaitSuccess, openScreen } from './browser.mjs';
import { graph, peer, servePausedPage, servePausedPages, serveRepairedPage } from './gateway.mjs';

const jobRow = (page, id) => page.locator(`[data-job="${id}"]`);

const ingest = async (url, at) => (await graph('mutation($url: URL!) { ingestDocument(input: { sourceUrl: $url }) { scrapeJobId documentId } }', { url }, at)).ingestDocument;

test('a job of another process moves live on Home', async (t) => {
  const site = await servePausedPage(t, 'Ferries on the northern route');
  const { page, log } = await openScreen(t, '/');
  await awaitScreen(page);
  const { scrapeJobId, documentId } = await ingest(site.address, peer);
  const row = jobRow(page, scrapeJobId);
  await row.getByText('running').waitFor();
  site.open();
  await row.waitFor({ state: 'detached' });
  await page.locator(`[data-document="${documentId}"]`).getByText('Ferries on the northern route').waitFor();
  const pages = await servePausedPages(t, ['Progress one', 'Progress two', 'Progress three']);
  const { startBackload } = await graph('mutation($urls: [String!]!) { startBackload(input: { sourceUrls: $urls }) { jobId } }', { urls: pages.addresses }, peer);
  const progress = jobRow(page, startBackload.jobId).getByRole('progressbar');
  for (const value of ['0', '33', '66']) {
    await awaitSuccess(async () => assert.equal(await progress.getAttribute('aria-valuenow'), value));
    pages.release(1);
  }
  await jobRow(page, startBackload.jobId).waitFor({ state: 'detached' });
  assert.deepEqual(log.operations, ['query Home'], 'what changes arrives by the socket');
});

test('a job is cancelled', async (t) => {
  const site = await servePausedPage(t, 'Cancelled once');
  const { page } = await openScreen(t, '/');
  await awaitScreen(page);
  const { scrapeJobId } = await ingest(site.address);
  const row = jobRow(page, scrapeJobId);
  await row.getByRole('button', { name: /Cancel/ }).click();
  await row.waitFor({ state: 'detached' });
  const { job } = await graph('query($id: ID!) { job(id: $id) { status } }', { id: scrapeJobId });
  assert.equal(job.status, 'CANCELLED');
});

test('a failed job is retried, and its document has a log', async (t) => {
  const address = await serveRepairedPage(t, 'Found at the second try');
  const { page } = await openScreen(t, '/');
  await awaitScreen(page);
  const { scrapeJobId, documentId } = await ingest(address);
  const row = jobRow(page, scrapeJobId);
  await row.getByText('failed', { exact: true }).waitFor();
  await row.getByText(/status 404/).waitFor(); // a port may have these digits too
  await row.getByRole('button', { name: 'Retry: Read a source' }).click();
  await row.waitFor({ state: 'detached' });
  const document = page.locator(`[data-document="${documentId}"]`);
  await document.getByRole('link', { name: 'Found at the second try' }).click();
  const jobs = page.getByRole('region', { name: 'Jobs' });
  await jobs.locator('summary').click();
  const log = jobs.getByRole('listitem');
  await log.getByText(/^failed/).first().waitFor();
  await log.getByText(/^done 100%/).first().waitFor();
});
