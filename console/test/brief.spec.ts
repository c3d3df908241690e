// Drafts that are written from a brief, without a text model.
import { expect, test } from './fixtures';
import { createDocument, graph, unique } from './gateway';
import { checkAccess, checkPhone, openScreen, region } from './screen';

test('a brief and a document become a draft with the points of the brief', async ({ page }) => {
  const title = unique('The harbour plan');
  const id = await createDocument(title, 'The harbour stays open in winter. Fees fall by a tenth.');
  await openScreen(page, `/documents/${id}`);
  await page.getByRole('button', { name: 'Write from this' }).click();
  const form = region(page, 'Write from a brief');
  await expect(form.getByRole('link', { name: title })).toBeVisible();
  await expect(form.getByText(/you get an outline/)).toBeVisible();
  const prompt = unique('A note to skippers');
  await expect(form.getByRole('button', { name: 'Write' })).toBeDisabled();
  await form.getByLabel('What is to be written').fill(prompt);
  await form
    .getByLabel('Points that it must make')
    .fill('Fees fall by a tenth\n\nNobody pays twice');
  await checkAccess(page, 'a brief');
  await checkPhone(page);
  await form.getByRole('button', { name: 'Write' }).click();
  await expect(page).toHaveURL(/\/drafts\/drf_/);
  await expect(page.getByLabel('Title', { exact: true })).toHaveValue(title); // of the outline
  await expect(page.getByRole('textbox', { name: 'Point 2' })).toHaveValue('Nobody pays twice');
  const draftId = /drf_\w+/.exec(page.url())?.[0];
  const { draft } = await graph(
    `{ draft(id: "${draftId}") { content metadata { prompt sourceDocumentId pullThroughPriorities { text } } } }`,
  );
  expect(draft.content).toContain('Fees fall by a tenth');
  expect(draft.metadata.prompt).toBe(prompt);
  expect(draft.metadata.sourceDocumentId).toBe(id);
  expect(draft.metadata.pullThroughPriorities).toHaveLength(2);
});

test('a brief is left without a draft', async ({ page }) => {
  await openScreen(page, '/drafts');
  await page.getByRole('button', { name: 'Write from a brief' }).click();
  const form = region(page, 'Write from a brief');
  await form.getByLabel('What is to be written').fill('Never');
  await form.getByRole('button', { name: 'Cancel' }).click();
  await expect(form).toHaveCount(0);
});
