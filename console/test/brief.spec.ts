// Drafts that are written from a brief, without a text model.
import { expect, test } from './fixtures';
import { createDocument, createPersona, graph, unique } from './gateway';
import { checkAccess, checkPhone, openScreen, region } from './screen';

test('a brief and a document become a draft with the points of the brief', async ({ page }) => {
  const title = unique('The harbour plan');
  const id = await createDocument(title, 'The harbour stays open in winter. Fees fall by a tenth.');
  const second = unique('The ferry timetable');
  const secondId = await createDocument(second, 'The ferry sails every 40 minutes.');
  const voice = unique('Skipper');
  const voiceProfileId = await createPersona({ name: voice, includeInVoiceList: true });
  await openScreen(page, `/documents/${id}`);
  await page.getByRole('button', { name: 'Write from this' }).click();
  const form = region(page, 'Write from a brief');
  await expect(form.getByText(title)).toBeVisible();
  await form.getByLabel('Documents to write from').fill(second.slice(0, -1));
  await page.getByRole('option', { name: second }).click();
  await page.keyboard.press('Escape');
  await form.getByLabel('About how long').fill('300');
  await expect(form.getByText(/you get an outline/)).toBeVisible();
  const prompt = unique('A note to skippers');
  await expect(form.getByRole('button', { name: 'Write' })).toBeDisabled();
  await form.getByLabel('What is to be written').fill(prompt);
  await form
    .getByLabel('Points that it must make')
    .fill('Fees fall by a tenth\n\nNobody pays twice');
  await form.getByLabel('For whom').fill('skippers, their guests');
  await form.getByText('Voice, tone and form').click();
  await form.getByLabel('How it is to sound').fill('calm');
  await form.getByLabel('Themes').fill('fares');
  await form.getByLabel('In the voice of').selectOption({ label: voice });
  await checkAccess(page, 'a brief');
  await checkPhone(page);
  await form.getByRole('button', { name: 'Write' }).click();
  await expect(page).toHaveURL(/\/drafts\/drf_/);
  await expect(page.getByLabel('Title', { exact: true })).toHaveValue(title); // of the outline
  await expect(page.getByRole('textbox', { name: 'Point 2' })).toHaveValue('Nobody pays twice');
  await expect(
    page.getByRole('status').getByText(/Without a text model this has no effect:.*to sound/),
  ).toBeVisible();
  const draftId = /drf_\w+/.exec(page.url())?.[0];
  const { draft } = await graph(
    `{ draft(id: "${draftId}") { content metadata { prompt sourceDocumentId moreSourceDocumentIds themes voiceProfileId pullThroughPriorities { text } } } }`,
  );
  expect(draft.content).toContain('Fees fall by a tenth');
  expect(draft.content).toContain('For: skippers, their guests');
  expect(draft.metadata).toMatchObject({ prompt, themes: ['fares'], voiceProfileId });
  expect(draft.content).toContain('every 40 minutes');
  expect(draft.metadata.sourceDocumentId).toBe(id);
  expect(draft.metadata.moreSourceDocumentIds).toEqual([secondId]);
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
