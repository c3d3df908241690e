// The quotes of all documents: proved and probable speakers apart, and copies with their sources.
import { expect, test } from './fixtures';
import { createDocument, extractSignals, unique } from './gateway';
import { checkAccess, checkPhone, openScreen } from './screen';

test('quotes are found by words and speaker, and copied with their source', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const word = unique('Lighthouse').replaceAll(/[^A-Za-z0-9]/g, '');
  const text = `Emissions at ${word} fall by a third this year, said Ada Example.`;
  await extractSignals(await createDocument(`Report of ${word}`, text));
  await openScreen(page, '/quotes');
  await page.getByLabel('Words').fill(word);
  await page.getByRole('button', { name: 'Search' }).click();
  const quote = page.locator('[data-quote]');
  await expect(quote).toHaveCount(1);
  await expect(quote.getByText(/^Ada Example · /)).toBeVisible();
  await expect(quote.getByText(/probably/)).toHaveCount(0);
  await checkAccess(page, 'the quotes');
  await checkPhone(page);
  await page.setViewportSize({ width: 1280, height: 900 });
  await quote.getByRole('button', { name: /^Copy/ }).click();
  await expect(quote.getByRole('button', { name: /^Copy/ })).toHaveText('Copied');
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toContain(word);
  expect(copied).toMatch(/” — Ada Example, Report of /);
  await page.getByText('Probably', { exact: true }).click();
  await expect(page.getByText('No quotes')).toBeVisible();
  await page.getByLabel('Words').fill('nothing says this');
  await page.getByRole('button', { name: 'Search' }).click();
  await expect(page).toHaveURL(/q=nothing/);
});
