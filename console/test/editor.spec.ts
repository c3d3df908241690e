// The editors of drafts and of hosted pages, which check what is written while it is written.
import { readFile } from 'node:fs/promises';
import { expect, type Page, test } from './fixtures';
import {
  createLink,
  createPersona,
  gateway,
  graph,
  readKey,
  saveDraft,
  viewerAgent,
} from './gateway';
import {
  checkAccess,
  checkPhone,
  expectInvalid,
  expectSaved,
  expectSelected,
  expectWords,
  heading,
  openScreen,
  region,
  save,
  selectWords,
  textOf,
} from './screen';

const points = [
  { text: 'Brackwell raises wages', level: 'must' },
  { text: 'The second depot closes', level: 'should' },
  { text: 'The plan opens the northern quay in spring', level: 'nice' },
];

/** Creates a draft with the points and returns its id. */
const createDraft = (title: string, content: string, more = {}) =>
  saveDraft({ title, content, contentType: 'markdown', pullThroughPriorities: points, ...more });

/** Exports the draft and returns the file. */
async function exportFile(page: Page) {
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export' }).click();
  const file = await download;
  return { name: file.suggestedFilename(), content: await readFile(await file.path(), 'latin1') };
}

test('coverage and style are checked while a draft is written, one request at a time', async ({
  page,
  log,
}) => {
  const id = await createDraft('Live', 'Brackwell raises wages. 日本: moreover, it grows.');
  await openScreen(page, `/drafts/${id}`);
  const coverage = region(page, 'Coverage');
  await expect(
    coverage.locator('[data-verdict=COVERED]').getByText('Brackwell raises wages.'),
  ).toBeVisible();
  await expect(region(page, 'Machine style').getByText('moreover,')).toBeVisible();
  expect(log.operations.toSorted()).toEqual([
    'query AnalyzeText',
    'query CheckHouseRules',
    'query DraftScreen',
  ]);
  let open = 0;
  let most = 0;
  await page.route('**/graphql', async (route) => {
    if (!route.request().postData()?.includes('AnalyzeText')) {
      return route.continue();
    }
    most = Math.max(most, ++open);
    const response = await route.fetch();
    open--;
    await route.fulfill({ response });
  });
  await textOf(page).press('Control+End');
  await textOf(page).pressSequentially(
    ' The second depot does not close. The plan opens the northern quay soon. We leverage buses.',
    { delay: 40 },
  );
  await coverage
    .locator('[data-verdict=CONTRADICTED]')
    .getByRole('button', { name: 'The second depot does not close.' })
    .click();
  await expectSelected(page, 'The second depot does not close.');
  const unknown = coverage.locator('[data-verdict=UNKNOWN]');
  await expect(unknown.getByText('cannot tell without a model')).toBeVisible();
  await expect(unknown.getByText('Not in this sentence: spring')).toBeVisible();
  await unknown.getByRole('button').press('Enter');
  await expectSelected(page, 'The plan opens the northern quay soon.');
  await region(page, 'Machine style').getByRole('button', { name: 'leverage' }).click();
  await expectSelected(page, 'leverage');
  await expect(textOf(page).locator('mark', { hasText: 'leverage' })).toBeAttached();
  expect(most, 'one request at a time').toBe(1);
  expect([...new Set(log.operations)].sort()).toEqual([
    'query AnalyzeText',
    'query CheckHouseRules',
    'query DraftScreen',
  ]);
  await checkAccess(page, 'a draft with verdicts');
  await checkPhone(page);
});

test('a point is added, checked at once and saved with its importance; a point that is too long is refused at its field', async ({
  page,
}) => {
  const id = await createDraft('Points', 'The harbour stays open.', { pullThroughPriorities: [] });
  await openScreen(page, `/drafts/${id}`);
  const state = page.locator('[data-draft-state]');
  await expect(state).toHaveText(/^Saved/);
  await page.getByRole('button', { name: 'Add a point' }).click();
  await page.keyboard.type('The harbour stays open'); // the new field has the focus
  await expect(state).toHaveText('Not saved yet');
  await page.getByLabel('Importance of point 1').selectOption('should');
  await expect(page.locator('[data-verdict=COVERED]')).toBeVisible();
  await save(page);
  await expectSaved(page);
  await expect(state).toHaveText(/^Saved/);
  const query =
    'query($id: ID!) { draft(id: $id) { metadata { pullThroughPriorities { text level } } } }';
  const { draft } = await graph(query, { id });
  expect(draft.metadata.pullThroughPriorities).toEqual([
    { text: 'The harbour stays open', level: 'should' },
  ]);
  await page.getByLabel('Point 1', { exact: true }).fill('long '.repeat(500));
  await save(page);
  await expectInvalid(page.getByLabel('Point 1', { exact: true }));
});

test('a selection is rewritten as a proposal, which is rejected, accepted and undone', async ({
  page,
}) => {
  const content = 'We leverage buses. The plan is good. We leverage buses.';
  const id = await createDraft('Rewritten', content);
  await openScreen(page, `/drafts/${id}`);
  await selectWords(page, 'leverage buses');
  await page.getByRole('button', { name: 'Rewrite selection' }).click();
  const proposal = region(page, 'Proposal').first();
  await expect(proposal.locator('del').getByText('leverage')).toBeVisible();
  await expect(proposal.locator('ins').getByText('use')).toBeVisible();
  await checkAccess(page, 'a proposal');
  await proposal.getByRole('button', { name: 'Reject' }).click();
  await expectWords(page, content);
  // The second of two equal sentences.
  await selectWords(page, 'We leverage buses.', { isLast: true });
  await page.getByRole('button', { name: 'Rewrite selection' }).click();
  await proposal.getByRole('button', { name: 'Accept' }).click();
  await expectWords(page, 'We leverage buses. The plan is good. We use buses.');
  await expectSelected(page, 'We use buses.');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expectWords(page, content);
});

test('the reason is shown when no other wording is found', async ({ page }) => {
  const id = await createDraft('Unchanged', 'The plan is good.');
  await openScreen(page, `/drafts/${id}`);
  const rewrite = page.getByRole('button', { name: 'Rewrite selection' });
  await expect(rewrite, 'nothing is selected').toBeDisabled();
  await selectWords(page, 'The plan is good.');
  await page.getByLabel('Instruction').selectOption('own');
  await page.getByLabel('What to change').fill('As a sailor would say it');
  await page.getByRole('button', { name: 'Rewrite selection' }).click();
  await expect(page.getByText('is unchanged: no better wording was found')).toBeVisible();
  // The offline engine names what it did not follow.
  await expect(page.getByText('“As a sailor would say it”')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Accept' })).toHaveCount(0);
});

test('a draft is exported as a file, with the warning of what the file lacks', async ({ page }) => {
  const id = await createDraft(
    'Spring letter',
    'The harbour stays open. ![A quay](https://pictures.example/quay.png)',
  );
  await openScreen(page, `/drafts/${id}`);
  await page.getByRole('combobox', { name: 'Format' }).click();
  await page.getByRole('option', { name: 'PDF' }).click();
  const pdf = await exportFile(page);
  expect(pdf.name).toBe('Spring letter.pdf');
  expect(pdf.content).toMatch(/^%PDF-/);
  const warning = page.getByRole('status').filter({ hasText: 'The file was saved with a warning' });
  await expect(
    warning.getByText('the file does not have these images: https://pictures.example/quay.png'),
  ).toBeVisible();
  await checkAccess(page, 'a warning of an export');
  await page.getByRole('combobox', { name: 'Format' }).click();
  await page.getByRole('option', { name: 'Text' }).click();
  await textOf(page).fill('Not saved yet.');
  expect((await exportFile(page)).content).toContain('Not saved yet.');
  await expect(page.getByText('The file was saved', { exact: true })).toBeVisible();
});

test('a draft is tested on chosen personas, with its progress and its result over the socket', async ({
  page,
  log,
}) => {
  const name = `Tester ${Date.now()}`;
  await createPersona({ name, category: 'testers', concerns: 'wages' });
  const id = await createDraft('Tested', 'Brackwell raises wages at its depots.');
  await openScreen(page, `/drafts/${id}`);
  const tests = region(page, 'Test on personas');
  await tests.getByRole('combobox', { name: 'Personas' }).fill(name);
  await page.getByRole('option', { name }).click();
  await page.keyboard.press('Escape');
  await tests.getByRole('button', { name: 'Save and test' }).click();
  await expect(tests.locator('[data-result]').getByText('read by one persona')).toBeVisible();
  await expect(tests.locator('[data-result]').getByText(name)).toBeVisible();
  // What the persona said.
  await expect(tests.getByRole('list').last().getByText(name)).toBeVisible();
  await expect(page).toHaveURL(/test=job_/);
  const checks = /AnalyzeText|CheckHouseRules/;
  expect([...new Set(log.operations)].filter((name) => !checks.test(name))).toEqual([
    'query DraftScreen',
    'mutation SaveDraft',
    'mutation TestDraft',
  ]);
  await save(page); // the test made a new version of the draft
  await expect
    .poll(() => log.operations.filter((one) => one === 'mutation SaveDraft').length)
    .toBe(2);
  await expectSaved(page);
  await expect(page.locator('main').getByRole('alert')).toHaveCount(0);
});

test('a reader sees a draft with its verdicts, and no way to change it', async ({ page }) => {
  const id = await createDraft('Read only', 'Brackwell raises wages.');
  await openScreen(page, `/drafts/${id}`, { as: readKey });
  await expect(page.locator('[data-verdict=COVERED]')).toBeVisible();
  for (const button of [
    'Save',
    'Export',
    'Rewrite selection',
    'Add a point',
    'Save and test',
    'Ask the text model',
  ]) {
    await expect(page.getByRole('button', { name: button, exact: true }), button).toHaveCount(0);
  }
});

test('a page is written with its form, and previewed as the gateway renders it', async ({
  page,
  log,
}) => {
  await openScreen(page, '/links');
  await page.getByRole('radiogroup', { name: 'Kind' }).getByText('page').click();
  await page.getByRole('button', { name: 'New link' }).click();
  await expectInvalid(page.getByLabel('Title'));
  const slug = `ask-us-${Date.now()}`;
  await page.getByLabel('Title').fill('Ask us');
  await page.getByLabel('Short name').fill(slug);
  await page.getByRole('button', { name: 'New link' }).click();
  await expect(heading(page, 'Ask us')).toBeVisible();
  await expect(page.getByText('This link is paused')).toBeVisible();
  const preview = page.frameLocator('iframe[title=Preview]');
  await expect(preview.getByRole('heading', { name: 'Ask us' })).toBeVisible();
  expect(log.operations, 'the first preview is of the screen’s one request').not.toContain(
    'query PreviewPage',
  );
  await page.getByLabel('Content').fill('<p>Harbour plans</p><script>alert(1)</script>');
  await page.getByRole('button', { name: 'Add a field' }).click();
  const field = page.getByRole('group', { name: 'Field 1' });
  await field.getByLabel('Label').fill('Your email');
  await field.getByLabel('Type').selectOption('EMAIL');
  await field.getByLabel('Required').check();
  await expect(preview.getByText('Harbour plans')).toBeVisible();
  await expect(preview.getByLabel('Your email (required)')).toBeVisible();
  await expect(preview.locator('script')).toHaveCount(0);
  const style = preview.locator('link[rel=stylesheet]');
  await expect(style, 'of hosted pages').toHaveAttribute('href', /\/l\/static\/page-/);
  await field.getByLabel('Name in the data').fill('session_id');
  // The 422 is shown at its field while it is written.
  await expect(page.getByText('is reserved')).toBeVisible();
  await expectInvalid(field.getByLabel('Name in the data'));
  await expect(page.getByText('The preview is older than the fields')).toBeVisible();
  await field.getByLabel('Name in the data').fill('email');
  await expect(page.locator('iframe[data-current=true]')).toBeVisible();
  await checkAccess(page, 'the editor of a page');
  await save(page);
  await expectSaved(page);
  await page.getByRole('switch', { name: 'Active' }).press('Space');
  await expect(page.getByText('This link is paused')).toHaveCount(0);
  const headers = { 'User-Agent': viewerAgent };
  const hosted = await (await fetch(`${gateway}/l/${slug}`, { headers })).text();
  expect(hosted).toContain('Harbour plans');
  expect(hosted).toContain('name="email"');
  await checkPhone(page);
});

test('submissions have a column for each question, and the next page is loaded on demand', async ({
  page,
  log,
}) => {
  const slug = `many-${Date.now()}`;
  const form = { fields: [{ name: 'wish', label: 'Your wish' }] };
  const link = await createLink({ kind: 'PAGE', title: 'Many', slug, body: '', form });
  for (let i = 0; i < 22; i++) {
    const response = await fetch(`${gateway}/api/public/links/${slug}/submissions`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'User-Agent': viewerAgent },
      body: JSON.stringify({ wish: `wish ${i}` }),
    });
    expect(response.ok, String(response.status)).toBe(true);
  }
  await openScreen(page, `/links/${link.id}`);
  await expect(page.getByRole('columnheader', { name: 'Your wish' })).toBeVisible();
  await expect(page.locator('[data-submission]')).toHaveCount(20);
  await page.getByRole('button', { name: 'Show more' }).click();
  await expect(page.getByRole('cell', { name: 'wish 0', exact: true })).toBeVisible();
  await expect(page.locator('[data-submission]')).toHaveCount(22);
  expect(log.operations).toEqual(['query LinkScreen', 'query MoreSubmissions']);
});

test('what two people write into different paragraphs is merged by itself', async ({ page }) => {
  const id = await createDraft('Merged', 'First.\n\nSecond.\n\nThird.');
  await openScreen(page, `/drafts/${id}`);
  await textOf(page).press('Control+End');
  await textOf(page).pressSequentially(' Mine.');
  await saveDraft({ draftId: id, content: 'First of a colleague.\n\nSecond.\n\nThird.' });
  await save(page);
  await expect(page.getByRole('status').getByText('Saved together with the changes')).toBeVisible();
  await expectWords(page, 'First of a colleague. Second. Third. Mine.');
  const { draft } = await graph(
    `{ draft(id: "${id}") { content versions(first: 9) { nodes { content } } } }`,
  );
  expect(draft.content).toBe('First of a colleague.\n\nSecond.\n\nThird. Mine.');
  expect(draft.versions.nodes.map(({ content }: { content: string }) => content)).toContain(
    'First of a colleague.\n\nSecond.\n\nThird.',
  );
});

test('of a paragraph that two people changed, one side is taken', async ({ page }) => {
  const id = await createDraft('Decided', 'First.\n\nSecond.');
  await openScreen(page, `/drafts/${id}`);
  await textOf(page).press('Control+End');
  await textOf(page).pressSequentially(' Mine.');
  await saveDraft({ draftId: id, content: 'First too.\n\nSecond of a colleague.' });
  await save(page);
  const conflict = page.getByRole('alert').filter({ hasText: 'was changed elsewhere' });
  const merged = conflict.getByRole('button', { name: 'Save the merged text' });
  await expect(merged).toBeDisabled();
  await conflict.getByRole('radio', { name: 'From a program' }).check();
  await checkAccess(page, 'a choice of a conflict');
  await checkPhone(page);
  await merged.click();
  await expectSaved(page);
  await expectWords(page, 'First too. Second of a colleague.');
  await expect(conflict).toHaveCount(0);
});

test('versions of a draft are compared and restored', async ({ page }) => {
  const id = await createDraft('Versions', 'The depot opens in March.');
  await saveDraft({ draftId: id, content: 'The depot opens in April.' });
  await saveDraft({ draftId: id, content: 'The depot opens in May.' });
  await openScreen(page, `/drafts/${id}`);
  await page.getByRole('button', { name: 'Show the versions' }).click();
  const versions = region(page, 'Versions');
  await expect(versions.getByRole('listitem')).toHaveCount(3);
  await versions.getByText(/^Version 3/).click();
  const changes = versions.getByRole('group', { name: 'What version 3 changes in version 2' });
  await expect(changes.locator('del')).toHaveText('April');
  await expect(changes.locator('ins')).toHaveText('May');
  await versions.getByLabel('Compare with').selectOption('Version 1');
  await expect(
    versions.getByRole('group', { name: 'What version 3 changes in version 1' }).locator('del'),
  ).toHaveText('March');
  await checkAccess(page, 'the versions of a draft');
  await checkPhone(page);
  await versions.locator('summary').last().click();
  await versions.getByRole('button', { name: 'Restore this version' }).last().click();
  await page.getByRole('dialog').getByRole('button', { name: 'Restore this version' }).click();
  await expectWords(page, 'The depot opens in March.');
  await expect(versions.getByText(/^Version 4 .* version 1 restored$/)).toBeVisible();
});

test('a draft is sent to review, returned with a reason, and approved', async ({ page }) => {
  const id = await createDraft('Reviewed', 'The depot opens in March.');
  await openScreen(page, `/drafts/${id}`);
  const review = region(page, 'Review');
  await review.getByRole('button', { name: 'Ask for a review' }).click();
  await review.getByLabel('Due').fill('2020-01-01T10:00');
  await review.getByRole('button', { name: 'Ask for a review' }).click();
  await expectInvalid(review.getByLabel('Due'));
  await review.getByLabel('Due').fill('2126-01-01T10:00');
  await checkAccess(page, 'a request for a review');
  await checkPhone(page);
  await review.getByRole('button', { name: 'Ask for a review' }).click();
  await expect(review.getByText('in review')).toBeVisible();
  await expect(review.getByText(/^due /)).toBeVisible();
  await review.getByRole('button', { name: 'Return' }).click();
  await review.getByLabel('What is to be changed').fill('Say where.');
  await review.getByRole('button', { name: 'Return' }).click();
  await expect(review.getByText('draft', { exact: true })).toBeVisible();
  await graph(`mutation { requestDraftReview(input: {draftId: "${id}"}) { draft { id } } }`); // live
  await review.getByRole('button', { name: 'Approve' }).click();
  await expect(review.getByText('approved', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Show the versions' }).click();
  await region(page, 'Versions')
    .getByText(/^Version 1/)
    .click();
  await expect(region(page, 'Versions').getByText('Say where.')).toBeVisible();
  await saveDraft({ draftId: id, content: 'The depot opens in June.' });
  await expect(review.getByText('draft', { exact: true })).toBeVisible();
  await openScreen(page, '/drafts?show=review');
  await expect(page.getByRole('link', { name: 'Reviewed' })).toHaveCount(0);
});
