// Links from a CSV file: what is wrong with it is named, then a job makes a link of each row, and
// the report has each line.
import { readFileSync } from 'node:fs';
import { expect, type Page, test } from './fixtures';
import { createLink, graph, readKey, unique } from './gateway';
import { checkAccess, checkPhone, openScreen, phone } from './screen';

const open = async (page: Page) => {
  await page.getByRole('button', { name: 'Links from CSV' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Links from CSV' });
  await expect(dialog).toBeVisible();
  return dialog;
};

const slugOf = (words: string) => unique(words).replaceAll(/[^A-Za-z0-9]+/g, '-');

const csvFile = (...lines: string[]) => ({
  name: 'links.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(`\ufeff${lines.join('\r\n')}\r\n`),
});

test('a link is made of each row of a file, and the report has every line', async ({ page }) => {
  const [tag, free, taken] = [slugOf('Tag'), slugOf('free'), slugOf('taken')];
  await createLink({ slug: taken });
  await openScreen(page, '/links');
  const dialog = await open(page);
  await expect(dialog.getByText('At most 100,000 links in a file, and 50 MB.')).toBeVisible();
  await dialog
    .locator('input[type=file]')
    .setInputFiles(
      csvFile(
        'destination_url;title;slug;tags;expires_at',
        `https://example.com/a;"Launch; ""soon""";${free};${tag}, press;2099-01-31T18:00:00Z`,
        `https://example.com/b;Other;${taken};${tag};`,
        `https://example.com/c;=1+1;;${tag};`,
      ),
    );
  await expect(dialog.getByText('3 links are ready.')).toBeVisible();
  await expect(dialog.getByRole('cell', { name: 'Launch; "soon"' })).toBeVisible();
  await checkAccess(page, 'the preview of a file of links');
  await dialog.getByRole('button', { name: 'Create 3 links' }).press('Enter');
  await expect(dialog.getByText('2 links were made · one was refused')).toBeVisible();
  const report = dialog.getByRole('group', { name: 'Report' });
  await expect(report.getByRole('row').nth(1)).toContainText('https://example.com/b');
  await expect(report.getByRole('link', { name: new RegExp(`/l/${free}$`) })).toBeVisible();
  await checkAccess(page, 'the report on a file of links');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Save the report as CSV' }).press('Enter'),
  ]);
  const [head, ...lines] = readFileSync(await download.path(), 'utf8')
    .trimEnd()
    .split('\r\n');
  expect(head).toBe('line,destination_url,title,short_url,reason');
  expect(lines).toHaveLength(3);
  expect(lines[0]).toMatch(new RegExp(`^2,.*"Launch; ""soon""",http.*/l/${free},$`));
  expect(lines[1]).toMatch(/^3,https:\/\/example\.com\/b,Other,,.+$/);
  expect(lines[2]).toMatch(/^4,https:\/\/example\.com\/c,"'=1\+1",http.*,$/);
  const query =
    'query($tag: String!) { links(first: 9, filter: { tag: $tag }) { nodes { title tags expiresAt } } }';
  expect((await graph(query, { tag })).links.nodes).toEqual([
    { title: '=1+1', tags: [tag], expiresAt: null },
    { title: 'Launch; "soon"', tags: [tag, 'press'], expiresAt: '2099-01-31T18:00:00Z' },
  ]);
});

test('what is wrong in a file is named, and nothing is sent', async ({ page, log }) => {
  await openScreen(page, '/links', { width: phone });
  const dialog = await open(page);
  const text = dialog.getByLabel('Or paste its lines');
  await text.fill('destination_url,password\nhttps://example.com/,secret');
  const alert = dialog.getByRole('alert');
  await expect(alert).toContainText('Line 1, password: there is no such column.');
  await text.fill('destination_url,slug\nnowhere,a b\nhttps://example.com/,ab');
  await expect(alert).toContainText('Line 2, destination_url: write an address');
  await expect(alert).toContainText('Line 2, slug: 1 to 64 letters');
  await expect(dialog.getByRole('button', { name: /^Create/ })).toHaveCount(0);
  await checkAccess(page, 'the problems of a file of links');
  await dialog.locator('input[type=file]').setInputFiles({
    ...{ name: 'latin.csv', mimeType: 'text/csv' },
    buffer: Buffer.from('destination_url,title\nhttps://example.com/,M\xfcll\n', 'latin1'),
  });
  await expect(alert).toContainText('The file is not in UTF-8.');
  expect(log.operations).not.toContain('upload');
  await checkPhone(page);
});

test('the sample is a file that can be sent', async ({ page }) => {
  await openScreen(page, '/links');
  const dialog = await open(page);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Save a sample' }).press('Enter'),
  ]);
  await dialog.locator('input[type=file]').setInputFiles(await download.path());
  await expect(dialog.getByRole('button', { name: 'Create 2 links' })).toBeVisible();
});

test('who may not make links has no button for a file of them', async ({ page }) => {
  await openScreen(page, '/links', { as: readKey });
  await expect(page.getByRole('button', { name: 'Links from CSV' })).toHaveCount(0);
});
