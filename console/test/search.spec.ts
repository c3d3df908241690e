// The search field of the documents: it searches while one types, shows where the words stand, says
// what is wrong in a query, and offers other spellings.
import { expect, test } from './fixtures';
import { createDocument } from './gateway';
import { openScreen, region } from './screen';

const word = `quillfish${Date.now()}`;

test.beforeAll(async () => {
  await createDocument(`First ${word}`, `The ${word} swims in cold debts.`);
  await createDocument(`Second ${word}`, `Nobody saw a ${word} pay a debt.`);
});

test('a search follows what is typed and marks the words', async ({ page }) => {
  await openScreen(page, '/documents');
  await page.keyboard.press('/');
  const field = page.getByRole('search').getByRole('textbox');
  await expect(field).toBeFocused();
  await field.pressSequentially(`${word} debt -swims`);
  const rows = region(page, 'Documents').locator('[data-document]');
  await expect(rows).toHaveCount(1);
  await expect(field).toBeFocused();
  await expect(rows.locator('[data-excerpt] mark')).toHaveText([word, 'debt']);
});

test('a wrong query says where it is wrong', async ({ page }) => {
  await openScreen(page, `/documents?q=${word}`);
  const field = page.getByRole('search').getByRole('textbox');
  await field.fill('is:secret');
  await expect(page.getByRole('search').getByText(/at character 4/)).toBeVisible();
  await expect(page.getByText(/at character 4/)).toHaveCount(1);
  await field.fill(word);
  await expect(region(page, 'Documents').locator('[data-document]')).toHaveCount(2);
});

test('another spelling is offered if nothing is found', async ({ page }) => {
  await openScreen(page, `/documents?q=${word.replace('quill', 'qiull')}`);
  await page.getByRole('button', { name: word, exact: true }).click();
  await expect(region(page, 'Documents').locator('[data-document]')).toHaveCount(2);
});
