// Filters hide documents, and auto-tags find values in them, which people review.
import { expect, test } from './fixtures';
import { createDocument, graph, mutate, unique } from './gateway';
import { hideDocument } from './rows';
import { expectSaved, openScreen, region } from './screen';

test('a filter is tried before it is saved', async ({ page }) => {
  const title = unique('Hidden');
  const id = await createDocument(title);
  const { name: filter } = await hideDocument(id);
  await openScreen(page, '/filters');
  const filters = region(page, 'Comms filters');
  const change = filters.getByRole('button', { name: 'Show what would change' });
  const result = (text: string) => filters.getByRole('alert').filter({ hasText: text });
  await filters.getByLabel(filter).uncheck({ force: true });
  await change.click();
  await expect(result('would be shown again').getByText(title)).toBeVisible();
  await filters.getByRole('button', { name: 'Save' }).click();
  await expectSaved(page);
  const query = 'query($id: ID!) { document(id: $id) { hiddenBy { name } } }';
  const reasons = async () => (await graph(query, { id })).document.hiddenBy;
  expect(await reasons()).toEqual([]);
  await expect(change).toHaveCount(0); // the stored filters are loaded again
  await filters.getByLabel(filter).check({ force: true });
  await change.click();
  await expect(result('would be hidden').getByText(title)).toBeVisible();
  expect(await reasons(), 'a trial hides nothing').toEqual([]);
});

test('a hidden document says why, and its tag leads to the quote', async ({ page }) => {
  const id = await createTagged('Hidden with a tag', await createAutoTag(0));
  const { name: filter } = await hideDocument(id);
  await openScreen(page, `/documents/${id}`);
  const alert = page.getByRole('alert').filter({ hasText: 'Hidden from communications' });
  await expect(alert.getByText(`${filter}: `)).toBeVisible();
  const tag = region(page, 'Tags').getByRole('button', { name: /harbour/ });
  await tag.click();
  await expect(
    page
      .locator('mark[data-current]')
      .getByText(/harbour/)
      .first(),
  ).toBeVisible();
  await expect(tag).toHaveAttribute('aria-pressed', 'true');
});

/** Creates a document about a harbour, which the auto-tag is applied to, and returns its id. */
async function createTagged(title: string, tag: string) {
  const text =
    'The harbour stays open in winter. Boats leave the harbour at dawn, and the harbour master counts them.';
  const documentId = await createDocument(title, text);
  await mutate('applyAutoTags', { documentId, autoTagIds: [tag] }, 'documentId');
  return documentId;
}

/** Creates an auto-tag, whose values below the confidence await review, and returns its id. */
async function createAutoTag(minConfidence: number): Promise<string> {
  const tag = { tagType: 'topic', allowedValues: ['harbour', 'market'], minConfidence };
  const input = { name: unique('Place'), ...tag };
  return (await mutate('createAutoTag', input, 'autoTag { id }')).autoTag.id;
}

/** Rejects the values that other tests have left in the queue. */
async function emptyQueue() {
  const { autoTagReviews } = await graph('{ autoTagReviews(first: 100) { nodes { id } } }');
  for (const { id } of autoTagReviews.nodes) {
    await mutate('rejectAutoTagValue', { reviewId: id }, 'deletedId');
  }
}

test('values that await review are accepted, rejected and corrected by key, one after the other', async ({
  page,
}) => {
  await emptyQueue();
  const tag = await createAutoTag(1);
  for (const title of ['Reviewed one', 'Reviewed two', 'Reviewed three']) {
    await createTagged(title, tag);
  }
  const query = 'query($tag: ID!) { autoTagReviews(autoTagId: $tag) { totalCount } }';
  const pending = async () => (await graph(query, { tag })).autoTagReviews.totalCount;
  expect(await pending()).toBe(3);
  await openScreen(page, '/filters');
  const card = page.getByRole('group', { name: /A value to review/ });
  await card.focus();
  for (const [letter, left, title] of [
    ['a', 2, 'Review: 2 values'],
    ['r', 1, 'Review: one value'],
  ] as const) {
    const document = await card.getByRole('link').innerText();
    await page.keyboard.press(letter);
    await expect(card.getByRole('link', { name: document })).toHaveCount(0);
    await expect(card).toBeFocused();
    expect(await pending()).toBe(left);
    await expect(page.getByRole('heading', { name: title })).toBeVisible();
  }
  await page.keyboard.press('c');
  await expect(card.getByLabel('Right value')).toBeFocused();
  await page.keyboard.type('market');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Nothing to review')).toBeVisible();
  expect(await pending()).toBe(0);
  const values =
    'query($tag: ID!) { autoTag(id: $tag) { values(first: 5) { nodes { value documentCount } } } }';
  const { nodes } = (await graph(values, { tag })).autoTag.values;
  expect(nodes).toHaveLength(2);
  expect(nodes).toContainEqual({ value: 'harbour', documentCount: 1 });
  expect(nodes).toContainEqual({ value: 'market', documentCount: 1 });
});
