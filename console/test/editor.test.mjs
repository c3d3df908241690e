// The editors of drafts and of hosted pages, which check what is written while it is written.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { awaitScreen, awaitSuccess, checkAccess, checkWidth, openScreen } from './browser.mjs';
import { graph, readKey, viewerAgent } from './gateway.mjs';

const points = [
  { text: 'Brackwell raises wages', level: 'must' },
  { text: 'The second depot closes', level: 'should' },
  { text: 'The plan opens the northern quay in spring', level: 'nice' },
];

/** Creates a draft and returns its id. */
async function createDraft(title, content, more = {}) {
  const { saveDraft } = await graph('mutation($input: SaveDraftInput!) { saveDraft(input: $input) { draft { id } } }', {
    input: { title, content, contentType: 'markdown', pullThroughPriorities: points, ...more },
  });
  return saveDraft.draft.id;
}

/** Selects a part of the text as a user does, so that the page learns of it. */
async function selectText(page, part) {
  const area = page.getByLabel('Text', { exact: true });
  await area.focus();
  await area.evaluate((element, words) => {
    const start = element.value.indexOf(words);
    element.setSelectionRange(start, start + words.length);
  }, part);
}

/** Returns the selected words of the text. */
const selectedText = (page) => page.getByLabel('Text', { exact: true }).evaluate(({ value, selectionStart, selectionEnd }) => value.slice(selectionStart, selectionEnd));

test('coverage and style are checked while a draft is written, one request at a time', async (t) => {
  const id = await createDraft('Live', 'Brackwell raises wages. 日本: moreover, it grows.');
  const { page, log } = await openScreen(t, `/drafts/${id}`);
  await awaitScreen(page);
  const coverage = page.getByRole('region', { name: 'Coverage' });
  await coverage.locator('[data-verdict=COVERED]').getByText('Brackwell raises wages.').waitFor(); // of the screen's one request
  await page.getByRole('region', { name: 'Machine style' }).getByText('moreover,').waitFor();
  assert.deepEqual(log.operations, ['query DraftScreen']);
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
  await page.getByLabel('Text', { exact: true }).press('Control+End');
  await page.getByLabel('Text', { exact: true }).pressSequentially(' The second depot does not close. The plan opens the northern quay soon. We leverage buses.', { delay: 40 });
  await coverage.locator('[data-verdict=CONTRADICTED]').getByRole('button', { name: 'The second depot does not close.' }).click();
  assert.equal(await selectedText(page), 'The second depot does not close.');
  const partly = coverage.locator('[data-verdict=PARTLY]');
  await partly.getByText('Not in this sentence: spring').waitFor();
  await partly.getByRole('button').press('Enter');
  assert.equal(await selectedText(page), 'The plan opens the northern quay soon.');
  await page.getByRole('region', { name: 'Machine style' }).getByRole('button', { name: 'leverage' }).click();
  assert.equal(await selectedText(page), 'leverage');
  await page.locator('.marked-editor mark', { hasText: 'leverage' }).waitFor({ state: 'attached' });
  assert.equal(most, 1, 'one request at a time');
  assert.ok(log.operations.filter((name) => name !== 'query DraftScreen').every((name) => name === 'query AnalyzeText'), log.operations.join());
  await checkAccess(page, 'a draft with verdicts');
  await page.setViewportSize({ width: 390, height: 844 });
  await checkWidth(page);
});

test('a point is added, checked at once and saved with its importance; a point that is too long is refused at its field', async (t) => {
  const id = await createDraft('Points', 'The harbour stays open.', { pullThroughPriorities: [] });
  const { page } = await openScreen(t, `/drafts/${id}`);
  await awaitScreen(page);
  await page.getByRole('button', { name: 'Add a point' }).click();
  await page.keyboard.type('The harbour stays open'); // the new field has the focus
  await page.getByLabel('Importance of point 1').selectOption('should');
  await page.locator('[data-verdict=COVERED]').waitFor();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('status').getByText('Saved.').waitFor();
  const { draft } = await graph('query($id: ID!) { draft(id: $id) { metadata { pullThroughPriorities { text level } } } }', { id });
  assert.deepEqual(draft.metadata.pullThroughPriorities, [{ text: 'The harbour stays open', level: 'should' }]);
  await page.getByLabel('Point 1', { exact: true }).fill('long '.repeat(500));
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await awaitSuccess(async () => assert.equal(await page.getByLabel('Point 1', { exact: true }).getAttribute('aria-invalid'), 'true'));
});

test('a selection is rewritten as a proposal, which is rejected, accepted and undone', async (t) => {
  const content = 'We leverage buses. The plan is good. We leverage buses.';
  const id = await createDraft('Rewritten', content);
  const { page } = await openScreen(t, `/drafts/${id}`);
  await awaitScreen(page);
  const text = page.getByLabel('Text', { exact: true });
  await selectText(page, 'leverage buses');
  await page.getByRole('button', { name: 'Rewrite selection' }).click();
  const proposal = page.getByRole('region', { name: 'Proposal' }).first();
  await proposal.locator('del').getByText('leverage').waitFor();
  await proposal.locator('ins').getByText('use').waitFor();
  await checkAccess(page, 'a proposal');
  await proposal.getByRole('button', { name: 'Reject' }).click();
  assert.equal(await text.inputValue(), content);
  await text.evaluate((element) => element.setSelectionRange(37, element.value.length)); // the second of two equal sentences
  await page.getByRole('button', { name: 'Rewrite selection' }).click();
  await proposal.getByRole('button', { name: 'Accept' }).click();
  assert.equal(await text.inputValue(), 'We leverage buses. The plan is good. We use buses.');
  assert.equal(await selectedText(page), 'We use buses.');
  await page.getByRole('button', { name: 'Undo' }).click();
  assert.equal(await text.inputValue(), content);
});

test('the reason is shown when no other wording is found', async (t) => {
  const id = await createDraft('Unchanged', 'The plan is good.');
  const { page } = await openScreen(t, `/drafts/${id}`);
  await awaitScreen(page);
  assert.ok(await page.getByRole('button', { name: 'Rewrite selection' }).isDisabled(), 'nothing is selected');
  await selectText(page, 'The plan is good.');
  await page.getByLabel('Instruction').selectOption('own');
  await page.getByLabel('What to change').fill('As a sailor would say it');
  await page.getByRole('button', { name: 'Rewrite selection' }).click();
  await page.getByText('is unchanged: no better wording was found').waitFor();
  await page.getByText('“As a sailor would say it”').waitFor(); // the offline engine names what it did not follow
  assert.equal(await page.getByRole('button', { name: 'Accept' }).count(), 0);
});

test('a draft is exported as a file, with the warning of what the file lacks', async (t) => {
  const id = await createDraft('Spring letter', 'The harbour stays open. ![A quay](https://pictures.example/quay.png)');
  const { page } = await openScreen(t, `/drafts/${id}`);
  await awaitScreen(page);
  await page.getByRole('combobox', { name: 'Format' }).click();
  await page.getByRole('option', { name: 'PDF' }).click();
  const [pdf] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Export' }).click()]);
  assert.equal(pdf.suggestedFilename(), 'Spring letter.pdf');
  assert.equal((await readFile(await pdf.path())).subarray(0, 5).toString(), '%PDF-');
  const warning = page.getByRole('status').filter({ hasText: 'The file was saved with a warning' });
  await warning.getByText('the file does not have these images: https://pictures.example/quay.png').waitFor();
  await checkAccess(page, 'a warning of an export');
  await page.getByRole('combobox', { name: 'Format' }).click();
  await page.getByRole('option', { name: 'Text' }).click();
  await page.getByLabel('Text', { exact: true }).fill('Not saved yet.');
  const [plain] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Export' }).click()]);
  assert.match(await readFile(await plain.path(), 'utf8'), /Not saved yet\./);
  await page.getByText('The file was saved', { exact: true }).waitFor();
});

test('a draft is tested on chosen personas, with its progress and its result over the socket', async (t) => {
  const name = `Tester ${Date.now()}`;
  await graph('mutation($name: String!) { createPersona(input: { name: $name, category: "testers", concerns: "wages" }) { persona { id } } }', { name });
  const id = await createDraft('Tested', 'Brackwell raises wages at its depots.');
  const { page, log } = await openScreen(t, `/drafts/${id}`);
  await awaitScreen(page);
  const tests = page.getByRole('region', { name: 'Test on personas' });
  await tests.getByRole('combobox', { name: 'Personas' }).fill(name);
  await page.getByRole('option', { name }).click();
  await page.keyboard.press('Escape');
  await tests.getByRole('button', { name: 'Save and test' }).click();
  await tests.locator('[data-result]').getByText('read by one persona').waitFor();
  await tests.locator('[data-result]').getByText(name).waitFor();
  await tests.getByRole('list').last().getByText(name).waitFor(); // what the persona said
  assert.match(page.url(), /test=job_/);
  assert.deepEqual(log.operations, ['query DraftScreen', 'mutation SaveDraft', 'mutation TestDraft']);
  await page.getByRole('button', { name: 'Save', exact: true }).click(); // the test made a new version of the draft
  await awaitSuccess(async () => assert.equal(log.operations.filter((one) => one === 'mutation SaveDraft').length, 2));
  await page.getByRole('status').getByText('Saved.').waitFor();
  assert.equal(await page.locator('main').getByRole('alert').count(), 0);
});

test('a reader sees a draft with its verdicts, and no way to change it', async (t) => {
  const id = await createDraft('Read only', 'Brackwell raises wages.');
  const { page } = await openScreen(t, `/drafts/${id}`, { as: readKey });
  await awaitScreen(page);
  await page.locator('[data-verdict=COVERED]').waitFor();
  for (const button of ['Save', 'Export', 'Rewrite selection', 'Add a point', 'Save and test', 'Ask the text model']) {
    assert.equal(await page.getByRole('button', { name: button, exact: true }).count(), 0, button);
  }
});

test('a page is written with its form, and previewed as the gateway renders it', async (t) => {
  const { page, log } = await openScreen(t, '/links');
  await awaitScreen(page);
  await page.getByRole('radiogroup', { name: 'Kind' }).getByText('page').click();
  await page.getByRole('button', { name: 'New link' }).click();
  await awaitSuccess(async () => assert.equal(await page.getByLabel('Title').getAttribute('aria-invalid'), 'true'));
  const slug = `ask-us-${Date.now()}`;
  await page.getByLabel('Title').fill('Ask us');
  await page.getByLabel('Short name').fill(slug);
  await page.getByRole('button', { name: 'New link' }).click();
  await page.getByRole('heading', { level: 1, name: 'Ask us' }).waitFor();
  await page.getByText('This link is paused').waitFor();
  const preview = page.frameLocator('iframe[title=Preview]');
  await preview.getByRole('heading', { name: 'Ask us' }).waitFor();
  assert.equal(log.operations.filter((name) => name === 'query PreviewPage').length, 0, 'the first preview is of the screen’s one request');
  await page.getByLabel('Content').fill('<p>Harbour plans</p><script>alert(1)</script>');
  await page.getByRole('button', { name: 'Add a field' }).click();
  const field = page.getByRole('group', { name: 'Field 1' });
  await field.getByLabel('Label').fill('Your email');
  await field.getByLabel('Type').selectOption('EMAIL');
  await field.getByLabel('Required').check();
  await preview.getByText('Harbour plans').waitFor();
  await preview.getByLabel('Your email (required)').waitFor();
  assert.equal(await preview.locator('script').count(), 0);
  const family = await preview.locator('h1').evaluate((element) => [...element.ownerDocument.styleSheets].map(({ href }) => new URL(href).pathname).join());
  assert.match(family, /^\/l\/static\/page-/, 'the stylesheet of hosted pages');
  await field.getByLabel('Name in the data').fill('session_id');
  await page.getByText('is reserved').waitFor(); // the 422 is shown at its field while it is written
  assert.equal(await field.getByLabel('Name in the data').getAttribute('aria-invalid'), 'true');
  await page.getByText('The preview is older than the fields').waitFor();
  await field.getByLabel('Name in the data').fill('email');
  await page.locator('iframe[data-current=true]').waitFor();
  await checkAccess(page, 'the editor of a page');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('status').getByText('Saved.').waitFor();
  await page.getByRole('switch', { name: 'Active' }).press('Space');
  await page.getByText('This link is paused').waitFor({ state: 'detached' });
  const hosted = await (await fetch(`${new URL(page.url()).origin}/l/${slug}`, { headers: { 'User-Agent': viewerAgent } })).text();
  assert.match(hosted, /Harbour plans/);
  assert.match(hosted, /name="email"/);
  await page.setViewportSize({ width: 390, height: 844 });
  await checkWidth(page);
});

test('submissions have a column for each question, and the next page is loaded on demand', async (t) => {
  const slug = `many-${Date.now()}`;
  const { createLink } = await graph('mutation($slug: Slug!) { createLink(input: { kind: PAGE, title: "Many", slug: $slug, body: "", form: { fields: [{ name: "wish", label: "Your wish" }] } }) { link { id shortUrl } } }', { slug });
  const origin = new URL(createLink.link.shortUrl).origin;
  for (let i = 0; i < 22; i++) {
    const response = await fetch(`${origin}/api/public/links/${slug}/submissions`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'User-Agent': viewerAgent },
      body: JSON.stringify({ wish: `wish ${i}` }),
    });
    assert.ok(response.ok, String(response.status));
  }
  const { page, log } = await openScreen(t, `/links/${createLink.link.id}`);
  await awaitScreen(page);
  await page.getByRole('columnheader', { name: 'Your wish' }).waitFor();
  assert.equal(await page.locator('[data-submission]').count(), 20);
  await page.getByRole('button', { name: 'Show more' }).click();
  await page.getByRole('cell', { name: 'wish 0', exact: true }).waitFor();
  assert.equal(await page.locator('[data-submission]').count(), 22);
  assert.deepEqual(log.operations, ['query LinkScreen', 'query MoreSubmissions']);
});
