// The filters of the list of documents: several values of a facet, values of auto-tags, days, the visibility and the order, all in the address.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { awaitScreen, awaitSuccess, checkAccess, checkWidth, openScreen } from './browser.mjs';
import { graph } from './gateway.mjs';

const word = `facetted${Date.now()}`;
const companies = ['Northwall', 'Eastwall', 'Southwall'].map((name) => `${name} ${word}`);

async function createDocument(input) {
  const data = await graph('mutation($input: CreateDocumentInput!) { createDocument(input: $input) { document { id } } }', { input });
  return data.createDocument.document.id;
}

/** Creates three documents that have one word in common, an internal one among them, and a value of an auto-tag for one of them. */
async function createDocuments() {
  const ids = [];
  for (const [i, company] of companies.entries()) {
    ids.push(await createDocument({
      title: `${'CAB'[i]} ${word}`, content: `The harbour stays open. ${i === 0 ? 'Boats leave the harbour at dawn, and the harbour master counts them.' : ''}`,
      company, executive: 'Ada Example', extractedDate: `2024-03-0${i + 1}T00:00:00Z`, visibility: i === 2 ? 'INTERNAL' : 'PUBLIC',
    }));
  }
  const { createAutoTag } = await graph('mutation($input: CreateAutoTagInput!) { createAutoTag(input: $input) { autoTag { id name } } }', {
    input: { name: `Place ${word}`, tagType: 'topic', allowedValues: ['harbour', 'market'], minConfidence: 0 },
  });
  await graph('mutation($id: ID!, $tag: ID!) { applyAutoTags(input: { documentId: $id, autoTagIds: [$tag] }) { documentId } }', { id: ids[0], tag: createAutoTag.autoTag.id });
  return createAutoTag.autoTag;
}

let created;

/** Opens the list of documents with the parameters; the first call creates the documents. */
async function openList(t, parameters, options) {
  const tag = await (created ??= createDocuments());
  return { tag, ...(await openScreen(t, `/documents?${parameters}`, options)) };
}

const filters = (page) => page.getByRole('complementary', { name: 'Filters' });
const facet = (page, name) => filters(page).getByRole('group', { name });
const titles = (page) => page.getByRole('region', { name: 'Documents' }).locator('[data-document] a').allInnerTexts();
const awaitTitles = (page, ...letters) => awaitSuccess(async () => assert.deepEqual(await titles(page), letters.map((letter) => `${letter} ${word}`)));

test('a facet has several values, in the address and with Back', async (t) => {
  const { page, log } = await openList(t, `q=${word}&sort=title`);
  await awaitScreen(page);
  await awaitTitles(page, 'A', 'B', 'C');
  await facet(page, 'Company').getByRole('button', { name: companies[0] }).click();
  await awaitTitles(page, 'C');
  await facet(page, 'Company').getByRole('button', { name: companies[2] }).click(); // the first value does not hide it
  await awaitTitles(page, 'B', 'C');
  assert.deepEqual(new URL(page.url()).searchParams.getAll('company'), [companies[0], companies[2]]);
  await checkAccess(page, 'chosen filters');
  await page.goBack();
  await awaitTitles(page, 'C');
  await page.getByRole('button', { name: `Remove the filter Company: ${companies[0]}` }).click();
  await awaitTitles(page, 'A', 'B', 'C');
  await awaitScreen(page);
  assert.deepEqual(log.operations, Array(5).fill('query Documents'));

  const deep = await openList(t, `${new URLSearchParams([['q', word], ['sort', 'title'], ['company', companies[1]], ['company', companies[2]]])}`, { width: 390 });
  await awaitTitles(deep.page, 'A', 'B');
  await deep.page.getByText('Filters', { exact: true }).click();
  await facet(deep.page, 'Created').waitFor();
  await checkWidth(deep.page);
});

test('documents are filtered by a value of an auto-tag', async (t) => {
  const { page, tag } = await openList(t, `q=${word}`);
  await awaitScreen(page);
  await facet(page, tag.name).getByRole('button', { name: 'harbour' }).click();
  await awaitTitles(page, 'C');
  assert.equal(new URL(page.url()).searchParams.get('tag'), `${tag.id}:harbour`);
  await page.getByRole('button', { name: `Remove the filter ${tag.name}: harbour` }).waitFor();
});

test('documents are filtered by days and by visibility, and ordered', async (t) => {
  const { page } = await openList(t, `q=${word}&sort=title`);
  await awaitScreen(page);
  await facet(page, 'Published').getByLabel('from').fill('2024-03-02');
  await awaitTitles(page, 'A', 'B');
  await facet(page, 'Published').getByLabel('to').fill('2024-03-02'); // the last day is included
  await awaitTitles(page, 'A');
  await page.goBack();
  await awaitTitles(page, 'A', 'B');
  await facet(page, 'Visibility').getByRole('button', { name: 'internal' }).click();
  await awaitTitles(page, 'B');
  await page.getByRole('button', { name: 'Clear the filters' }).click();
  await page.waitForURL((url) => ![...url.searchParams.keys()].some((name) => name !== 'sort'));
  await page.goto(page.url().replace(/\?.*/, `?q=${word}#key=${process.env.CONSOLE_KEY}`));
  await page.getByRole('combobox', { name: 'Order' }).selectOption('Last published first');
  await awaitTitles(page, 'B', 'A', 'C');
  await page.getByRole('combobox', { name: 'Order' }).selectOption('By title');
  await awaitTitles(page, 'A', 'B', 'C');
  assert.equal(new URL(page.url()).searchParams.get('sort'), 'title');
  await page.goBack();
  await awaitTitles(page, 'B', 'A', 'C');
});

test('days in the wrong order are exchanged, and a day that is none is no filter', async (t) => {
  const { page } = await openList(t, `q=${word}&sort=title&publishedFrom=2024-03-02&publishedTo=2024-03-01&createdFrom=soon`);
  await awaitTitles(page, 'A', 'C');
});

test('a list that is empty under a filter says so and clears the filter', async (t) => {
  const { page } = await openList(t, `q=${word}&createdTo=2001-01-01&sort=title`);
  await awaitScreen(page);
  const list = page.getByRole('region', { name: 'Documents' });
  await list.getByText('No document matches').waitFor();
  assert.equal(await page.getByText('No documents yet').count(), 0);
  await checkAccess(page, 'an empty list under a filter');
  await list.getByRole('button', { name: 'Clear the filters' }).click();
  await list.locator('[data-document]').first().waitFor();
  assert.equal(new URL(page.url()).search, '?sort=title');
});
