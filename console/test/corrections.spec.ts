// Texts come in by hand, with who may know them, and what is known of them is corrected.
import { expect, test } from './fixtures';
import { createDocument, graph, mutate, peer, unique } from './gateway';
import { checkAccess, openScreen, phone, region } from './screen';

const stored = async (id: string) => {
  const fields = `title author companyName extractedDate mediaProvenance visibility embargoedUntil
    attributionOrigins { author company }`;
  return (await graph(`query($id: ID!) { document(id: $id) { ${fields} } }`, { id })).document;
};
const idOf = (url: string) => new URL(url).pathname.split('/').at(-1) ?? '';

test('a pasted text becomes an internal document with the author that it names', async ({
  page,
}) => {
  const title = unique('Depot closes');
  await openScreen(page, '/documents?add', { width: phone });
  await page.getByLabel('Visibility').first().selectOption('internal');
  await page
    .getByLabel('Paste a text')
    .fill(`${title}\n\nBy Dana Whitlock\n\nThe depot in Brackwell closes in June.`);
  await expect(page.getByRole('textbox', { name: 'Title', exact: true })).toHaveValue(title);
  await page.getByRole('button', { name: 'Add this text' }).click();
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
  await expect(region(page, 'Details').getByText('Dana Whitlock')).toBeVisible();
  expect(await stored(idOf(page.url()))).toMatchObject({
    ...{ title, author: 'Dana Whitlock', visibility: 'INTERNAL' },
    attributionOrigins: { author: 'TEXT' },
  });
});

test('a text that says it is confidential is internal until somebody decides', async ({ page }) => {
  const title = unique('Board minutes');
  await openScreen(page, '/documents?add');
  await page.getByLabel('Paste a text').fill(`${title}\n\nCONFIDENTIAL\n\nThe board met.`);
  await page.getByRole('button', { name: 'Add this text' }).click();
  const notice = page.getByRole('alert').filter({ hasText: 'says that it is not public' });
  await expect(notice.getByText('kept as internal')).toBeVisible();
  await checkAccess(page, 'a text of which nobody has decided');
  await notice.getByRole('button', { name: 'Keep it so' }).click();
  await expect(notice).toHaveCount(0);
  const query = '{ document(id: $id) { visibility attributionOrigins { visibility } } }';
  const { document } = await graph(`query($id: ID!) ${query}`, { id: idOf(page.url()) });
  expect(document).toEqual({
    visibility: 'INTERNAL',
    attributionOrigins: { visibility: 'CORRECTED' },
  });
});

test('what is known of a text is corrected in place, and says so', async ({ page }) => {
  const id = await createDocument(unique('Depot'), 'The depot in Brackwell closes in June.');
  await openScreen(page, `/documents/${id}`);
  const details = region(page, 'Details');
  await details.getByRole('button', { name: 'Edit' }).click();
  await details.getByLabel('Author').fill('Ines Okafor');
  await details.getByLabel('Company').fill('Brackwell');
  await details.getByLabel('Published').fill('2026-06-30');
  await details.getByLabel('Media').selectOption('own');
  await details.getByLabel('Visibility').selectOption('embargoed');
  await details.getByLabel('Embargoed until').fill('2036-06-30T09:00');
  await details.getByRole('button', { name: 'Save' }).click();
  await expect(details.getByText('Ines Okafor · corrected')).toBeVisible();
  const document = await stored(id);
  expect(document).toMatchObject({
    ...{ author: 'Ines Okafor', companyName: 'Brackwell', mediaProvenance: 'OWNED' },
    ...{ extractedDate: '2026-06-30T00:00:00Z', visibility: 'EMBARGOED' },
    attributionOrigins: { author: 'CORRECTED', company: 'CORRECTED' },
  });
  expect(new Date(document.embargoedUntil).getFullYear()).toBe(2036);
});

test('an embargo without its end is refused at the field, and nothing is lost', async ({
  page,
}) => {
  const id = await createDocument(unique('Depot'));
  await openScreen(page, `/documents/${id}`);
  const details = region(page, 'Details');
  await details.getByRole('button', { name: 'Edit' }).click();
  await details.getByLabel('Author').fill('Ines Okafor');
  await details.getByLabel('Visibility').selectOption('embargoed');
  await details.getByRole('button', { name: 'Save' }).click();
  await expect(details.getByLabel('Embargoed until')).toHaveAttribute('aria-invalid', 'true');
  await expect(details.getByLabel('Author')).toHaveValue('Ines Okafor');
  expect(await stored(id)).toMatchObject({ author: null, visibility: 'PUBLIC' });
});

test('two corrections of one field are a conflict that shows both', async ({ page }) => {
  const id = await createDocument(unique('Depot'));
  await openScreen(page, `/documents/${id}`);
  const details = region(page, 'Details');
  await details.getByRole('button', { name: 'Edit' }).click();
  await details.getByLabel('Author').fill('Ines Okafor');
  await mutate('updateDocument', { documentId: id, author: 'Karin Vogt' }, 'document { id }', peer);
  const conflict = details.getByRole('alert');
  await expect(conflict.getByRole('textbox')).toHaveValue('Karin Vogt');
  await conflict.getByRole('button', { name: 'Discard mine' }).click();
  await expect(details.getByLabel('Author')).toHaveValue('Karin Vogt');
});

test('a text is corrected in place; the earlier one is shown and can be restored', async ({
  page,
}) => {
  const id = await createDocument(unique('Depot'), 'The depot in Brackwell closes in June.');
  await openScreen(page, `/documents/${id}`, { width: phone });
  const text = region(page, 'Text');
  await text.getByRole('button', { name: 'Edit' }).click();
  await text.getByRole('textbox', { name: 'Text' }).fill('The depot in Brackwell stays open.');
  await text.getByRole('button', { name: 'Save' }).click();
  await expect(text.getByText('The depot in Brackwell stays open.')).toBeVisible();
  await page.getByRole('button', { name: 'Show earlier texts' }).click();
  const earlier = region(page, 'Earlier texts');
  await earlier.getByText(/^Replaced/).click();
  await expect(earlier.locator('del').first()).toHaveText('closes');
  await earlier.getByRole('button', { name: 'Restore this text' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Restore this text' }).click();
  await expect(text.getByText('The depot in Brackwell closes in June.')).toBeVisible();
  await expect(earlier.getByText(/^Replaced/)).toHaveCount(2);
});

test('a deleted document is brought back at once, or from the deleted documents', async ({
  page,
}) => {
  const title = unique('Depot');
  const id = await createDocument(title, 'The depot in Brackwell closes in June.');
  const remove = async () => {
    await page.getByRole('main').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await expect(page.getByText('The document was deleted.')).toBeVisible();
  };
  await openScreen(page, `/documents/${id}`);
  await remove();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
  await remove();
  await page.getByRole('link', { name: 'Deleted documents' }).click();
  await page.getByRole('button', { name: `Restore “${title}”` }).click();
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
  await remove();
  await openScreen(page, '/trash', { width: phone });
  const row = page.getByRole('listitem').filter({ hasText: title });
  await row.getByRole('button', { name: 'Erase' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Erase' }).click();
  await expect(row).toHaveCount(0);
});
