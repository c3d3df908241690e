// Jobs on Home and on a document: their progress, which moves live, and what can be done with them.
import { expect, type Page, test } from './fixtures';
import { awaitJob, mutate, peer } from './gateway';
import { openScreen, region } from './screen';

const jobRow = (page: Page, id: string) => page.locator(`[data-job="${id}"]`);

const ingest = (sourceUrl: string, at?: string) =>
  mutate('ingestDocument', { sourceUrl }, 'scrapeJobId documentId', at);

test('a job of another process moves live on Home', async ({ page, log, sites }) => {
  const site = await sites.pausedPage('Ferries on the northern route');
  await openScreen(page, '/');
  const { scrapeJobId, documentId } = await ingest(site.address, peer);
  const row = jobRow(page, scrapeJobId);
  await expect(row.getByText('running')).toBeVisible();
  site.open();
  await expect(row).toHaveCount(0);
  await expect(
    page.locator(`[data-document="${documentId}"]`).getByText('Ferries on the northern route'),
  ).toBeVisible();
  const pages = await sites.pausedPages(['Progress one', 'Progress two', 'Progress three']);
  const sources = { sourceUrls: pages.addresses };
  const { jobId } = await mutate('startBackload', sources, 'jobId', peer);
  const progress = jobRow(page, jobId).getByRole('progressbar');
  for (const value of ['0', '33', '66']) {
    await expect(progress).toHaveAttribute('aria-valuenow', value);
    pages.release(1);
  }
  await expect(jobRow(page, jobId)).toHaveCount(0);
  expect([...new Set(log.operations)]).toEqual(['query Home']);
});

test('a job is cancelled', async ({ page, sites }) => {
  const site = await sites.pausedPage('Cancelled once');
  await openScreen(page, '/');
  const { scrapeJobId } = await ingest(site.address);
  const row = jobRow(page, scrapeJobId);
  await row.getByRole('button', { name: /Cancel/ }).click();
  await expect(row).toHaveCount(0);
  await awaitJob(scrapeJobId, 'CANCELLED');
});

test('a failed job is retried, and its document has a log', async ({ page, sites }) => {
  const address = await sites.repairedPage('Found at the second try');
  await openScreen(page, '/');
  const { scrapeJobId, documentId } = await ingest(address);
  const row = jobRow(page, scrapeJobId);
  await expect(row.getByText('failed', { exact: true })).toBeVisible();
  await expect(row.getByText(/status 404/)).toBeVisible(); // a port may have these digits too
  await row.getByRole('button', { name: 'Retry: Read a source' }).click();
  await expect(row).toHaveCount(0);
  const document = page.locator(`[data-document="${documentId}"]`);
  await document.getByRole('link', { name: 'Found at the second try' }).click();
  const jobs = region(page, 'Jobs');
  await jobs.locator('summary').click();
  const entries = jobs.getByRole('listitem');
  await expect(entries.getByText(/^failed/).first()).toBeVisible();
  await expect(entries.getByText(/^done 100%/).first()).toBeVisible();
});
