// The screens of an auto-tag and of a comms filter.
import { expect, test } from './fixtures';
import { createDocument, graph, mutate, readKey, unique } from './gateway';
import { hideDocument } from './rows';
import { checkAccess, checkPhone, expectSaved, heading, openScreen, region } from './screen';

/** Creates an auto-tag and returns its id. */
async function createTag(input: object): Promise<string> {
  const complete = { name: unique('Tag'), tagType: 'topic', ...input };
  return (await mutate('createAutoTag', complete, 'autoTag { id }')).autoTag.id;
}

const harbour = 'The harbour stays open, the harbour is free.';

const valueOf = async (tag: string) => {
  const query =
    'query($tag: ID!) { autoTag(id: $tag) { appliedValues(first: 1) { nodes { id extractedValue } } } }';
  return (await graph(query, { tag })).autoTag.appliedValues.nodes[0];
};

test('an auto-tag is defined with a type of the list, changed, and deleted with its values', async ({
  page,
}) => {
  const name = unique('Subject');
  const document = await createDocument(unique('Classified'), harbour);
  await openScreen(page, '/filters');
  const tags = region(page, 'Auto-tags');
  await tags.getByLabel('Name', { exact: true }).fill(name);
  await tags.getByLabel('Type').selectOption({ label: 'Topic' });
  await tags.getByLabel('Values', { exact: true }).fill('harbour\nmarket');
  await tags.getByLabel('Applied without review from').selectOption('0');
  await tags.getByRole('button', { name: 'Add auto-tag' }).click();
  await tags.getByRole('link', { name }).click();
  await expect(heading(page, name)).toBeVisible();
  const id = page.url().split('/').at(-1) ?? '';
  await mutate('applyAutoTags', { documentId: document, autoTagIds: [id] }, 'documentId');
  await expect(page.getByText('Found in one document')).toBeVisible();
  const definition = region(page, 'Definition');
  await definition.getByLabel('Description').fill('Where it happens');
  await definition.getByLabel('Applied without review from').selectOption({ label: '90%' });
  await definition.getByRole('button', { name: 'Save' }).click();
  await expectSaved(page);
  const query = 'query($id: ID!) { autoTag(id: $id) { description allowedValues minConfidence } }';
  expect((await graph(query, { id })).autoTag).toEqual({
    description: 'Where it happens',
    allowedValues: ['harbour', 'market'],
    minConfidence: 0.9,
  });
  await page.getByRole('button', { name: 'Delete' }).click();
  const question = page.getByRole('dialog', { name: /One document loses its value/ });
  await checkAccess(page, 'the question before an auto-tag is deleted');
  await question.getByRole('button', { name: 'Delete' }).click();
  await expect(heading(page, 'Filters and tags')).toBeVisible();
  expect((await graph(query, { id })).autoTag).toBe(null);
});

test('an auto-tag is applied to chosen documents, each by a job with its value', async ({
  page,
}) => {
  const title = unique('Chosen');
  const document = await createDocument(title, harbour);
  const id = await createTag({ allowedValues: ['harbour', 'market'], minConfidence: 0 });
  await openScreen(page, `/filters/tags/${id}`);
  await expect(page.getByRole('button', { name: 'Apply to 0 documents' })).toHaveAttribute(
    'aria-disabled',
    'true',
  );
  await page.getByLabel(title, { exact: true }).focus();
  await page.keyboard.press('Space');
  await page.getByRole('button', { name: 'Apply to one document' }).press('Enter');
  await expect(page.getByRole('heading', { name: 'Looked through: 1 of 1' })).toBeVisible();
  await expect(page.getByText('Found: harbour')).toBeVisible();
  await expect(page.locator(`[data-document="${document}"]`).getByText('harbour')).toBeVisible();
  await checkAccess(page, 'an applied auto-tag');
  await checkPhone(page);
});

test('a correction is checked against the values and the type of its auto-tag', async ({
  page,
}) => {
  const document = await createDocument(unique('Corrected'), harbour);
  const id = await createTag({ allowedValues: ['harbour'], minConfidence: 0 });
  await mutate('applyAutoTags', { documentId: document, autoTagIds: [id] }, 'documentId');
  const number = { autoTagId: id, tagType: 'number', allowedValues: [] };
  await mutate('updateAutoTag', number, 'autoTag { id }');
  await openScreen(page, `/filters/tags/${id}`);
  const row = page.locator('[data-value]');
  await row.getByRole('button', { name: /^Correct the value/ }).press('Enter');
  const field = row.getByLabel('Right value');
  await expect(row.getByText('A number, such as 12.5')).toBeVisible();
  await field.fill('many');
  await field.press('Enter');
  await expect(row.getByText(/must have one number/)).toBeVisible();
  await checkAccess(page, 'a refused correction');
  await field.fill('14');
  await field.press('Enter');
  await expect(row.getByText('14', { exact: true })).toBeVisible();
  await expect(field).toHaveCount(0);
  expect((await valueOf(id)).extractedValue).toBe('14');
});

test('an auto-tag becomes a filter by one of its values, and is unlinked', async ({ page }) => {
  const name = unique('Linked');
  const document = await createDocument(unique('Of the harbour'), harbour);
  const id = await createTag({ name, allowedValues: ['harbour', 'market'], minConfidence: 0 });
  await mutate('applyAutoTags', { documentId: document, autoTagIds: [id] }, 'documentId');
  await openScreen(page, '/filters');
  const registry = region(page, 'Comms filters');
  await registry.getByLabel('Hide by an auto-tag').selectOption(id);
  await registry.getByRole('button', { name: 'Link' }).click();
  await expect(heading(page, name)).toBeVisible();
  await expect(page.getByText('It hides nothing')).toBeVisible();
  const settings = region(page, 'Settings');
  await settings.getByRole('checkbox', { name: 'harbour' }).check();
  await settings.getByRole('switch', { name: 'Hide documents' }).check({ force: true });
  await settings.getByRole('button', { name: 'Save' }).click();
  await expectSaved(page);
  await expect(page.locator(`[data-document="${document}"]`)).toBeVisible();
  await checkAccess(page, 'a linked auto-tag');
  await openScreen(page, `/filters/tags/${id}`);
  await page.getByRole('button', { name: 'Delete' }).press('Enter');
  await expect(page.getByRole('status').getByText(/unlink it there first/)).toBeVisible();
  await page.getByRole('link', { name: 'hides documents as a comms filter' }).click();
  await page.getByRole('button', { name: 'Unlink' }).click();
  const question = page.getByRole('dialog', { name: /One document becomes visible again/ });
  await question.getByRole('button', { name: 'Unlink' }).click();
  await expect(heading(page, 'Filters and tags')).toBeVisible();
  const query = 'query($id: ID!) { document(id: $id) { hiddenBy { name } } }';
  expect((await graph(query, { id: document })).document.hiddenBy).toEqual([]);
});

test('a manual filter is renamed, hides a document and shows it again, and is deleted', async ({
  page,
}) => {
  const [first, second] = [unique('Example'), unique('Further')];
  const filter = await hideDocument(await createDocument(first));
  const further = await createDocument(second);
  await openScreen(page, `/filters/${filter.id}`);
  await expect(page.getByRole('link', { name: first })).toBeVisible();
  const settings = region(page, 'Settings');
  await settings.getByLabel('Name').fill(`${filter.name} too`);
  await settings.getByRole('button', { name: 'Save' }).click();
  await expect(heading(page, `${filter.name} too`)).toBeVisible();
  const exclude = region(page, 'Hide a document');
  await exclude.getByRole('searchbox').fill(second);
  await page.keyboard.press('Enter');
  await exclude.getByRole('button', { name: `Hide: ${second}` }).press('Enter');
  const row = page.locator(`[data-document="${further}"]`);
  await expect(row).toBeVisible();
  await checkAccess(page, 'a manual filter');
  await row.getByRole('button', { name: `Show again: ${second}` }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Show again' }).click();
  await expect(row).toHaveCount(0);
  const query = 'query($id: ID!) { document(id: $id) { hiddenBy { name } } }';
  expect((await graph(query, { id: further })).document.hiddenBy).toEqual([]);
  await checkPhone(page);
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(heading(page, 'Filters and tags')).toBeVisible();
});

test('earlier documents are tried with a filter, which hides nothing, and then hidden', async ({
  page,
}) => {
  const text = 'The canteen menu of the week: soup, fish, and a pudding with cherries on Friday.';
  const earlier = await createDocument(unique('Menu'), text);
  const filter = await hideDocument(await createDocument(unique('Menu'), text));
  await openScreen(page, `/filters/${filter.id}`);
  const backfill = region(page, 'Earlier documents');
  await backfill.getByLabel('At most').selectOption('2000');
  await backfill.getByRole('button', { name: 'Try it' }).click();
  await expect(backfill.getByText(/^Trial: .* would be hidden$/)).toBeVisible();
  const query = 'query($id: ID!) { document(id: $id) { hiddenBy { name } } }';
  const reasons = async () => (await graph(query, { id: earlier })).document.hiddenBy;
  expect(await reasons()).toEqual([]);
  await checkAccess(page, 'a tried filter');
  await backfill.getByRole('button', { name: 'Hide what it finds' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Hide what it finds' }).click();
  await expect.poll(async () => (await reasons()).length).toBe(1);
  await expect(page.locator(`[data-document="${earlier}"]`)).toBeVisible();
});

test('a reader sees a filter and an auto-tag, and changes none', async ({ page }) => {
  const filter = await hideDocument(await createDocument(unique('Read only')));
  await openScreen(page, `/filters/${filter.id}`, { as: readKey });
  await expect(page.getByRole('switch')).toBeDisabled();
  await expect(page.getByRole('button', { name: 'Try it' })).toBeDisabled();
  await openScreen(page, `/filters/tags/${await createTag({})}`, { as: readKey });
  await expect(page.getByRole('button', { name: 'Delete' })).toHaveCount(0);
  await expect(page.getByLabel('Type')).toBeDisabled();
});
