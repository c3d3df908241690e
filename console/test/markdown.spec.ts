// The structure of a text, and what is marked in it.
import { expect, test } from './fixtures';
import { createDocument, extractSignals, unique } from './gateway';
import { checkAccess, checkWidth, openScreen, phone, region } from './screen';

const text = `# The year

- Ada Example said: “Emissions **fall by a third** in the north.”
- The harbour stays open.

| Million euros | 2026 | 2025 |
|---|---|---|
| Sales | 198.4 | 207.1 |

<script>alert(1)</script>

See ![a picture](https://127.0.0.1:9/picture.png)

> Nobody goes. [Read more](javascript:alert(1))
`;

test('headings, lists, tables and quotations of a Markdown text are shown as such, with marks and without its scripts', async ({
  page,
}) => {
  const id = await createDocument(unique('The year'), text, 'Ada Example', {
    contentType: 'markdown',
  });
  await extractSignals(id);
  await openScreen(page, `/documents/${id}`);
  const shown = page.locator('.markdown');
  await expect(shown.getByRole('heading', { name: 'The year' })).toBeVisible();
  await expect(shown.getByRole('listitem')).toHaveCount(2);
  await expect(shown.getByRole('cell', { name: '198.4' })).toBeVisible();
  await expect(shown.locator('blockquote')).toContainText('Nobody goes.');
  await expect(shown.locator('script, img, a[href^="javascript"]')).toHaveCount(0);
  await expect(shown).toContainText('<script>alert(1)</script>');
  await expect(shown).toContainText('See a picture');
  await region(page, 'Signals').locator('.rows').getByText('fall by a third').first().click();
  await expect(shown.locator('mark[data-current]').first()).toBeVisible();
  const marked = await shown.locator('mark[data-current]').allInnerTexts();
  expect(marked.join('')).toContain('Emissions fall by a third in the north.');
  await checkAccess(page, 'a Markdown text');
  await page.setViewportSize({ width: phone, height: 800 });
  await checkWidth(page);
});
