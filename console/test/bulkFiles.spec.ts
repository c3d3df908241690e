// A list becomes a file: the form starts the job, its row shows the end, and the file is downloaded.
import { readFileSync } from 'node:fs';
import { expect, test } from './fixtures';
import { createDocument, unique } from './gateway';
import { openScreen, region } from './screen';

test('a list is written into a file and downloaded', async ({ page }) => {
  const title = unique('Tide');
  await createDocument(title);
  await openScreen(page, '/bulk');
  const form = region(page, 'New file');
  await form.getByLabel('Query').fill('{ documents(first: 1) { nodes { id } } }');
  await form.getByRole('button', { name: 'Write the file' }).click();
  await expect(form.getByRole('alert')).toContainText('must not give first to documents');
  await form
    .getByLabel('Query')
    .fill(`{ documents(filter: {q: "title:${title.split(' ')[1]}"}) { nodes { title } } }`);
  await form.getByRole('button', { name: 'Write the file' }).click();
  const row = region(page, 'Latest jobs')
    .locator('[data-job]')
    .filter({ hasText: title.split(' ')[1] });
  const link = row.getByRole('button', { name: 'File with 1 row' });
  await expect(link).toBeVisible({ timeout: 15_000 });
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
  expect(readFileSync(await download.path(), 'utf8')).toBe(`{"title":"${title}"}\n`);
});
