// The filters of the list of documents: several values of a facet, values of auto-tags, days, the
// visibility and the order, all in the address.
import { expect, type Page, test } from './fixtures';
import { createDocument, mutate } from './gateway';
import {
  awaitScreen,
  checkAccess,
  checkWidth,
  loadScreen,
  openScreen,
  phone,
  region,
} from './screen';

const word = `facetted${Date.now()}`;
const companies = ['Northwall', 'Eastwall', 'Southwall'].map((name) => `${name} ${word}`);

/**
 * The documents have one word in common; the third is internal, and the first has a value of an
 * auto-tag.
 */
async function createDocuments() {
  const text = 'Boats leave the harbour at dawn, and the harbour master counts them.';
  const ids = [];
  for (const [i, company] of companies.entries()) {
    const title = `${'CAB'.charAt(i)} ${word}`;
    ids.push(
      await createDocument(title, i === 0 ? text : 'The quay stays open.', 'Ada Example', {
        company,
        extractedDate: `2024-03-0${i + 1}T00:00:00Z`,
        visibility: i === 2 ? 'INTERNAL' : 'PUBLIC',
      }),
    );
  }
  const tag = { tagType: 'topic', allowedValues: ['harbour', 'market'], minConfidence: 0 };
  const { autoTag } = await mutate('createAutoTag', { name: tagName, ...tag }, 'autoTag { id }');
  await mutate('applyAutoTags', { documentId: ids[0], autoTagIds: [autoTag.id] }, 'documentId');
  tagId = autoTag.id;
}

const tagName = `Place ${word}`;
let tagId: string;

test.beforeAll(createDocuments);

const filters = (page: Page) => page.getByRole('complementary', { name: 'Filters' });
const facet = (page: Page, name: string) => filters(page).getByRole('group', { name });
const expectTitles = (page: Page, ...letters: string[]) =>
  expect(region(page, 'Documents').locator('[data-document] a')).toHaveText(
    letters.map((letter) => `${letter} ${word}`),
  );

test('a facet has several values, in the address and with Back', async ({ page, log }) => {
  await openScreen(page, `/documents?q=${word}&sort=title`);
  await expectTitles(page, 'A', 'B', 'C');
  await facet(page, 'Company').getByRole('button', { name: companies[0] }).click();
  await expectTitles(page, 'C');
  // The first value does not hide it.
  await facet(page, 'Company').getByRole('button', { name: companies[2] }).click();
  await expectTitles(page, 'B', 'C');
  expect(new URL(page.url()).searchParams.getAll('company')).toEqual([companies[0], companies[2]]);
  await checkAccess(page, 'chosen filters');
  await page.goBack();
  await expectTitles(page, 'C');
  await page.getByRole('button', { name: `Remove the filter Company: ${companies[0]}` }).click();
  await expectTitles(page, 'A', 'B', 'C');
  await awaitScreen(page);
  expect(log.operations).toEqual(Array(5).fill('query Documents'));

  const [, second, third] = companies.map((company) => `company=${encodeURIComponent(company)}`);
  await openScreen(page, `/documents?q=${word}&sort=title&${second}&${third}`, { width: phone });
  await expectTitles(page, 'A', 'B');
  await page.getByText('Filters', { exact: true }).click();
  await expect(facet(page, 'Created')).toBeVisible();
  await checkWidth(page);
});

test('documents are filtered by a value of an auto-tag', async ({ page }) => {
  await openScreen(page, `/documents?q=${word}`);
  await facet(page, tagName).getByRole('button', { name: 'harbour' }).click();
  await expectTitles(page, 'C');
  expect(new URL(page.url()).searchParams.get('tag')).toBe(`${tagId}:harbour`);
  await expect(
    page.getByRole('button', { name: `Remove the filter ${tagName}: harbour` }),
  ).toBeVisible();
});

test('documents are filtered by days and by visibility, and ordered', async ({ page }) => {
  await openScreen(page, `/documents?q=${word}&sort=title`);
  await facet(page, 'Published').getByLabel('from').fill('2024-03-02');
  await expectTitles(page, 'A', 'B');
  await facet(page, 'Published').getByLabel('to').fill('2024-03-02'); // the last day is included
  await expectTitles(page, 'A');
  await page.goBack();
  await expectTitles(page, 'A', 'B');
  await facet(page, 'Visibility').getByRole('button', { name: 'internal' }).click();
  await expectTitles(page, 'B');
  await page.getByRole('button', { name: 'Clear the filters' }).click();
  await page.waitForURL((url) => ![...url.searchParams.keys()].some((name) => name !== 'sort'));
  await loadScreen(page, `/documents?q=${word}`);
  await page.getByRole('combobox', { name: 'Order' }).selectOption('Last published first');
  await expectTitles(page, 'B', 'A', 'C');
  await page.getByRole('combobox', { name: 'Order' }).selectOption('By title');
  await expectTitles(page, 'A', 'B', 'C');
  expect(new URL(page.url()).searchParams.get('sort')).toBe('title');
  await page.goBack();
  await expectTitles(page, 'B', 'A', 'C');
});

test('days in the wrong order are exchanged, and a day that is none is no filter', async ({
  page,
}) => {
  await openScreen(
    page,
    `/documents?q=${word}&sort=title&publishedFrom=2024-03-02&publishedTo=2024-03-01&createdFrom=soon`,
  );
  await expectTitles(page, 'A', 'C');
});

test('a list that is empty under a filter says so and clears the filter', async ({ page }) => {
  await openScreen(page, `/documents?q=${word}&createdTo=2001-01-01&sort=title`);
  const list = region(page, 'Documents');
  await expect(list.getByText('No document matches')).toBeVisible();
  await expect(page.getByText('No documents yet')).toHaveCount(0);
  await checkAccess(page, 'an empty list under a filter');
  await list.getByRole('button', { name: 'Clear the filters' }).click();
  await expect(list.locator('[data-document]').first()).toBeVisible();
  expect(new URL(page.url()).search).toBe('?sort=title');
});
