// Saved searches: one is saved from the list of documents, counts what others add, and is seen when opened.
import { expect, test } from './fixtures';
import { createDocument, createSavedSearch, peer, unique } from './gateway';
import { checkAccess, checkPhone, openScreen, region } from './screen';

test('a search of the documents is saved, and counts a text that another session adds', async ({
  page,
}) => {
  const name = unique('Breakwater').replace(' ', '');
  await createDocument(`${name} of old`);
  await openScreen(page, `/documents?q=${name}`);
  await page.getByRole('button', { name: 'Save this search' }).click();
  const form = page.getByRole('dialog');
  await expect(form.getByLabel('Name of the search')).toHaveValue(name);
  await checkAccess(page, 'the form that saves a search');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('status').getByText('The search is saved')).toBeVisible();
  await openScreen(page, '/searches');
  const row = page.locator('li[data-search]').filter({ hasText: name });
  await expect(row.getByText('not opened yet')).toBeVisible();
  await expect(row.getByText('one new')).toHaveCount(0);
  await createDocument(`${name} is built`);
  await expect(row.getByText('one new')).toBeVisible();
  await checkAccess(page, 'a saved search with a new hit');
  await row.getByRole('link', { name }).click();
  await expect(page).toHaveURL(new RegExp(`/documents\\?q=${name}`));
  await expect(page.getByRole('link', { name: `${name} is built` })).toBeVisible();
  await expect(page.getByText(`Saved search: ${name}`)).toBeVisible();
  await checkAccess(page, 'a saved search that is opened');
  await page.getByRole('search').getByRole('textbox').fill(`${name} built`);
  await expect(page.getByRole('link', { name: `${name} of old` })).toHaveCount(0);
  await expect(page.getByText('Saved search:')).toHaveCount(0);
  await openScreen(page, '/searches');
  await expect(row.getByText(/^opened/)).toBeVisible();
  await expect(row.getByText('one new')).toHaveCount(0);
  await checkPhone(page);
});

test('a saved search is renamed and deleted', async ({ page }) => {
  const name = unique('Moorings');
  await createSavedSearch({ name, filter: { q: name } }, peer);
  await openScreen(page, '/searches');
  await page.getByRole('button', { name: `Rename: ${name}` }).click();
  await page.getByLabel('Name of the search').fill(`${name}, all`);
  await page.keyboard.press('Enter');
  const renamed = page.getByRole('link', { name: `${name}, all` });
  await expect(renamed).toBeVisible();
  await page.getByRole('button', { name: `Delete: ${name}, all` }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(renamed).toHaveCount(0);
});

test('a webhook is made for the hits of a saved search', async ({ page }) => {
  const name = unique('Anchorage');
  await createSavedSearch({ name, filter: { q: name } });
  await openScreen(page, '/webhooks');
  const label = unique('Hits');
  await page.getByLabel('Address (https)').fill('https://example.com/hits');
  await page.getByLabel('Name', { exact: true }).fill(label);
  await page.getByText('Events', { exact: true }).click();
  await page.getByLabel('New hit of a search').check();
  await page.getByLabel('Hits of').selectOption({ label: name });
  await page.getByRole('button', { name: 'New webhook' }).click();
  const row = region(page, 'Webhooks').getByRole('listitem').filter({ hasText: label });
  await expect(row.getByText('New hit of a search')).toBeVisible();
  await expect(row.getByText(name)).toBeVisible();
});
