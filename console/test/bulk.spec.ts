// Many documents at once: selected, previewed, changed by a job, and changed back.
import { expect, type Page, test } from './fixtures';
import { createDocument, graph, mutate, readKey, unique } from './gateway';
import { checkAccess, checkPhone, openScreen, region } from './screen';

/** Opens the list with the documents of one search. */
async function openList(page: Page, word: string, options = {}) {
  await openScreen(page, `/documents?q=title:${word}`, options);
  await expect(page.getByRole('group', { name: 'Selected documents' })).toBeVisible();
}

/** The companies of the documents with the word in the title. */
const companies = async (word: string): Promise<(string | null)[]> => {
  const query =
    'query($q: String!) { documents(first: 50, filter: { q: $q }) { nodes { companyName } } }';
  const found = await graph(query, { q: `title:${word}` });
  return found.documents.nodes.map((one: { companyName: string | null }) => one.companyName);
};

const createMany = async (word: string, count: number) => {
  for (let i = 1; i <= count; i++) {
    await createDocument(`${word} number ${i}`);
  }
};

test('selected documents are changed after a preview, and changed back', async ({ page }) => {
  const word = unique('Bulk').replaceAll(/[^A-Za-z0-9]/g, '');
  await createMany(word, 3);
  await openList(page, word);
  await page.getByRole('checkbox', { name: `Select “${word} number 1”` }).check();
  await page.getByRole('checkbox', { name: `Select “${word} number 2”` }).check();
  await expect(page.getByText('2 selected')).toBeVisible();
  await page.getByRole('button', { name: 'Change', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Change 2 documents' });
  await dialog.getByLabel('Company', { exact: true }).selectOption('set to');
  await dialog.getByLabel('Company: value').fill('Kestrel');
  await dialog.getByRole('button', { name: 'Show what changes' }).click();
  await expect(dialog.getByText('2 documents change.')).toBeVisible();
  await expect(dialog.getByText('Tidewall → Kestrel')).toHaveCount(2);
  expect(await companies(word)).toEqual(['Tidewall', 'Tidewall', 'Tidewall']);
  await checkAccess(page, 'the preview of a bulk update');
  await dialog.getByRole('button', { name: 'Change 2 documents' }).click();
  const job = region(page, 'Change many documents');
  await expect(job.getByText('2 documents were changed')).toBeVisible();
  expect((await companies(word)).sort()).toEqual(['Kestrel', 'Kestrel', 'Tidewall']);
  await checkAccess(page, 'a bulk update');
  await checkPhone(page);
  await page.setViewportSize({ width: 1280, height: 900 });
  await job.getByRole('button', { name: 'Undo this' }).click();
  const undone = region(page, 'Undo a bulk update');
  await expect(undone.getByText('2 documents were changed back')).toBeVisible();
  expect(await companies(word)).toEqual(['Tidewall', 'Tidewall', 'Tidewall']);
});

test('a value of an auto-tag is set in selected documents, and taken back', async ({ page }) => {
  const word = unique('Tagged').replaceAll(/[^A-Za-z0-9]/g, '');
  await createMany(word, 2);
  const tag = unique('Sector');
  const input = { name: tag, tagType: 'topic', allowedValues: ['Energy', 'Ports'] };
  const { autoTag } = await mutate('createAutoTag', input, 'autoTag { id }');
  const values = async (): Promise<string[]> => {
    const query =
      'query($id: ID!) { autoTag(id: $id) { appliedValues(first: 10) { nodes { extractedValue } } } }';
    const found = await graph(query, { id: autoTag.id });
    return found.autoTag.appliedValues.nodes.map(
      (one: { extractedValue: string }) => one.extractedValue,
    );
  };
  await openList(page, word);
  await page.getByRole('button', { name: 'Select this page' }).click();
  await page.getByRole('button', { name: 'Change', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Change 2 documents' });
  await dialog.getByLabel('Value of an auto-tag').selectOption({ label: tag });
  await dialog.getByLabel(`${tag}: value`).fill('Shipping');
  await dialog.getByRole('button', { name: 'Show what changes' }).click();
  await expect(dialog.getByText('is not an allowed value of the auto-tag')).toHaveCount(1);
  await dialog.getByLabel(`${tag}: value`).fill('energy');
  await dialog.getByRole('button', { name: 'Show what changes' }).click();
  await expect(dialog.getByText(`${tag}: empty → Energy`)).toHaveCount(2);
  await checkAccess(page, 'the preview of values of an auto-tag');
  await dialog.getByRole('button', { name: 'Change 2 documents' }).click();
  const job = region(page, 'Change many documents');
  await expect(job.getByText('2 documents were changed')).toBeVisible();
  expect(await values()).toEqual(['Energy', 'Energy']);
  await job.getByRole('button', { name: 'Undo this' }).click();
  await expect(
    region(page, 'Undo a bulk update').getByText('2 documents were changed back'),
  ).toBeVisible();
  expect(await values()).toEqual([]);
  await checkPhone(page);
});

test('all documents that match are deleted, and are back', async ({ page }) => {
  const word = unique('Many').replaceAll(/[^A-Za-z0-9]/g, '');
  await createMany(word, 22);
  await openList(page, word);
  await page.getByRole('button', { name: 'Select all 22 that match' }).click();
  await expect(page.getByText('22 selected')).toBeVisible();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete 22 documents' });
  await dialog.getByRole('button', { name: 'Show what changes' }).click();
  await expect(dialog.getByText('22 documents are deleted.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Delete 22 documents' }).click();
  // The notice in the corner has a button too, but only if the job has not ended before it is shown.
  await page.getByRole('button', { name: 'Undo this' }).click();
  await expect(
    region(page, 'Undo a bulk update').getByText('22 documents were changed back'),
  ).toBeVisible();
  expect(await companies(word)).toHaveLength(22);
});

test('a reader selects, but changes nothing', async ({ page }) => {
  const word = unique('Read').replaceAll(/[^A-Za-z0-9]/g, '');
  await createMany(word, 1);
  await openList(page, word, { as: readKey });
  await page.getByRole('checkbox', { name: /^Select/ }).press('Space');
  await expect(page.getByRole('button', { name: 'Change', exact: true })).toHaveAttribute(
    'aria-disabled',
    'true',
  );
});
