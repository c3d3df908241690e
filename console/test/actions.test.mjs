// Actions that cannot be undone, refusals and failures: what the console asks, and what it shows when something goes wrong.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { awaitScreen, awaitSuccess, checkAccess, openScreen, screenAddress } from './browser.mjs';
import { createDocument, graph, readKey } from './gateway.mjs';

const offline = 'The gateway does not answer. Your work is kept; try again in a moment.';
const unique = (name) => `${name} ${Date.now()}`;

/** Returns whether the workspace has the object. */
const exists = async (id) => (await graph('query($id: ID!) { node(id: $id) { id } }', { id })).node !== null;

/** Creates two documents that are related by their executive, and returns their ids and titles. */
async function createRelated(name) {
  const executive = unique('Pair Example');
  const titles = [unique(`${name} one`), unique(`${name} two`)];
  const ids = [];
  for (const title of titles) {
    ids.push(await createDocument(title, undefined, executive));
  }
  return { ids, titles };
}

const related = (page, title) => page.getByRole('region', { name: 'Related documents' }).getByRole('link', { name: title });
const heading = (page, name) => page.getByRole('heading', { level: 1, name });
const focusedText = (page) => page.evaluate(() => document.activeElement.textContent);

test('a deletion is asked for the shown document, is cancelled by Escape and is withdrawn by navigation', async (t) => {
  const { ids, titles } = await createRelated('Asked');
  const { page } = await openScreen(t, `/documents/${ids[1]}`);
  await awaitScreen(page);
  await related(page, titles[0]).click();
  await heading(page, titles[0]).waitFor();
  const remove = page.getByRole('main').getByRole('button', { name: 'Delete' });
  const question = page.getByRole('dialog', { name: `Delete “${titles[0]}” for good?` });
  await remove.click();
  await question.waitFor();
  await awaitSuccess(async () => assert.equal(await focusedText(page), 'Cancel'));
  await question.getByRole('button', { name: 'Delete', disabled: false }).waitFor();
  await checkAccess(page, 'a question of deletion');
  await page.keyboard.press('Escape');
  await question.waitFor({ state: 'detached' });
  await awaitSuccess(async () => assert.equal(await focusedText(page), 'Delete'));
  await remove.click();
  await question.getByRole('button', { name: 'Cancel' }).click();
  await question.waitFor({ state: 'detached' });
  await remove.click();
  await question.waitFor();
  await page.goBack();
  await heading(page, titles[1]).waitFor();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await remove.click();
  const other = page.getByRole('dialog', { name: `Delete “${titles[1]}” for good?` });
  await other.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('The document was deleted.').waitFor();
  await heading(page, 'Documents').waitFor();
  assert.deepEqual([await exists(ids[0]), await exists(ids[1])], [true, false]);
});

/** Creates an object of each kind, and returns its screen and the button that deletes it. */
async function deletable() {
  const { saveDraft } = await graph('mutation { saveDraft(input: { title: "Pressed twice", content: "Text." }) { draft { id } } }');
  const { createLink } = await graph('mutation { createLink(input: { title: "Pressed twice", destinationUrl: "https://example.com/" }) { link { id } } }');
  const { createWebhook } = await graph('mutation { createWebhook(input: { url: "https://127.0.0.1:9/hook", label: "Pressed twice" }) { webhook { id } } }');
  const document = await createDocument('Pressed twice');
  return {
    document: { id: document, path: `/documents/${document}` },
    draft: { id: saveDraft.draft.id, path: `/drafts/${saveDraft.draft.id}` },
    link: { id: createLink.link.id, path: `/links/${createLink.link.id}` },
    webhook: { id: createWebhook.webhook.id, path: `/webhooks/${createWebhook.webhook.id}` },
  };
}

test('a double-click asks and deletes nothing', { concurrency: 1 }, async (t) => {
  const objects = await deletable();
  t.after(() => graph('mutation($id: ID!) { deleteWebhook(input: { webhookId: $id }) { deletedId } }', { id: objects.webhook.id })); // it would fail
  for (const [name, { id, path }] of Object.entries(objects)) {
    for (const width of [1280, 390]) {
      await t.test(`${name}, ${width} pixels wide`, async (t) => {
        const { page, log } = await openScreen(t, path, { width });
        await awaitScreen(page);
        await page.getByRole('main').getByRole('button', { name: 'Delete', exact: true }).dblclick();
        const question = page.getByRole('dialog', { name: /^Delete “Pressed twice” for good\?$/ });
        await question.getByRole('button', { name: 'Cancel' }).click();
        await question.waitFor({ state: 'detached' });
        assert.ok(await exists(id));
        assert.deepEqual(log.operations.filter((operation) => operation.startsWith('mutation')), []);
      });
    }
  }
});

test('a double-click revokes no key and ends no split test', async (t) => {
  const name = unique('Twice');
  await graph('mutation($name: String!) { mintKey(input: { name: $name, scopes: [READ] }) { key { id } } }', { name });
  const { page, log } = await openScreen(t, '/settings');
  await awaitScreen(page);
  const row = page.locator('[data-key]', { hasText: name });
  await row.getByRole('button', { name: 'Revoke' }).dblclick();
  await page.getByRole('dialog', { name: `Revoke the key “${name}” for good?` }).getByRole('button', { name: 'Cancel' }).click();
  const { createLink } = await graph('mutation { createLink(input: { title: "Sides", variants: [{ destinationUrl: "https://example.com/a" }, { destinationUrl: "https://example.com/b" }] }) { link { id } } }');
  await page.goto(page.url().replace('/settings', `/links/${createLink.link.id}#key=${process.env.CONSOLE_KEY}`));
  await page.getByRole('group', { name: 'https://example.com/b' }).getByRole('button', { name: 'Send everyone here' }).dblclick();
  await page.getByRole('dialog', { name: 'End the test and send everyone to https://example.com/b?' }).getByRole('button', { name: 'Cancel' }).click();
  assert.deepEqual(log.operations.filter((operation) => operation.startsWith('mutation')), []);
});

test('the name of an executive may have percent signs and slashes', { concurrency: 1 }, async (t) => {
  for (const name of ['100% Jane', 'Jane %2F Doe', 'Ann A/S Other']) {
    await t.test(name, async (t) => {
      await createDocument(unique('Named'), 'The harbour stays open in winter.', name);
      const { page } = await openScreen(t, `/executives/${encodeURIComponent(name)}`);
      await heading(page, name).waitFor();
    });
  }
});

test('an error of a screen leaves the navigation, and ends with a new try or another screen', async (t) => {
  await graph('mutation { createLink(input: { title: "Broken", destinationUrl: "https://example.com/" }) { link { id } } }');
  const { page, log } = await openScreen(t, '/');
  await awaitScreen(page);
  await page.route('**/graphql', async (route) => {
    if (!route.request().postData()?.includes('query Links')) {
      return route.continue();
    }
    const response = await route.fetch();
    await route.fulfill({ response, body: (await response.text()).replaceAll(/"shortUrl":"[^"]*"/g, '"shortUrl":"no address"') });
  });
  const navigation = page.getByRole('navigation', { name: 'Screens' });
  await navigation.getByRole('link', { name: 'Links' }).click();
  await page.getByRole('alert').getByText('This screen could not be shown.').waitFor();
  await checkAccess(page, 'a screen with an error');
  await navigation.getByRole('link', { name: 'Drafts' }).click();
  await heading(page, 'Drafts').waitFor();
  await navigation.getByRole('link', { name: 'Links' }).click();
  await page.unroute('**/graphql');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('link', { name: 'Broken' }).first().waitFor();
  assert.ok(log.failures.splice(0).length > 0, 'the errors are logged');
});

test('forms without a connection say so, in the language of the page', { concurrency: 1 }, async (t) => {
  const forms = [
    { path: '/filters', button: 'Add filter', locale: 'en-US', text: offline },
    { path: '/filters', button: 'Add auto-tag', locale: 'en-US', text: offline },
    { path: '/personas?add', button: 'Save', locale: 'en-US', text: offline },
    { path: '/settings', button: 'Create key', locale: 'en-US', text: offline },
    { path: '/links', button: 'New link', locale: 'en-US', text: offline },
    { path: '/webhooks', button: 'New webhook', locale: 'en-US', text: offline },
    { path: '/personas?add', button: 'Speichern', locale: 'de-DE', text: 'Das Gateway antwortet nicht.' },
  ];
  for (const { path, button, locale, text } of forms) {
    await t.test(`${path} ${button}`, async (t) => {
      const { page, context } = await openScreen(t, path, { locale });
      await awaitScreen(page);
      await context.setOffline(true);
      await page.getByRole('button', { name: button, exact: true }).click();
      await page.getByRole('alert').getByText(text).waitFor();
    });
  }
  await t.test('an action', async (t) => {
    const id = await createDocument('Without a connection');
    const { page, context } = await openScreen(t, `/documents/${id}`);
    await awaitScreen(page);
    await context.setOffline(true);
    await page.getByRole('button', { name: 'Find signals' }).click();
    await page.getByRole('status').getByText(offline).waitFor();
  });
});

test('coverage is checked again when the connection is back', async (t) => {
  const { saveDraft } = await graph('mutation { saveDraft(input: { title: "Away", content: "Brackwell raises wages.", pullThroughPriorities: [{ text: "The depot closes", level: "must" }] }) { draft { id } } }');
  const { page, context } = await openScreen(t, `/drafts/${saveDraft.draft.id}`);
  await awaitScreen(page);
  const coverage = page.getByRole('region', { name: 'Coverage' });
  await context.setOffline(true);
  await page.getByLabel('Text', { exact: true }).fill('The depot closes.');
  await coverage.getByRole('alert').getByText(offline).waitFor();
  await context.setOffline(false);
  await coverage.locator('[data-verdict=COVERED]').waitFor();
  await coverage.getByRole('alert').waitFor({ state: 'detached' });
});

test('each file that cannot be read is named with its reason', async (t) => {
  const { page } = await openScreen(t, '/documents?add');
  await awaitScreen(page);
  const good = unique('good');
  await page.locator('input[type=file]').setInputFiles([
    { name: 'damaged.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7 broken') },
    { name: `${good}.txt`, mimeType: 'text/plain', buffer: Buffer.from('The board met in spring and agreed on the second pier.') },
    { name: 'unknown.bin', mimeType: 'application/octet-stream', buffer: Buffer.from([0, 1, 2, 3, 255, 254]) },
  ]);
  const failures = page.getByRole('alert').filter({ hasText: '2 files could not be added' });
  await failures.getByText(/damaged\.pdf: \w/).waitFor();
  await failures.getByText(/unknown\.bin: \w/).waitFor();
  await page.getByRole('status').getByText('One file is a document now.').waitFor();
  await page.getByRole('link', { name: good }).first().waitFor();
  await checkAccess(page, 'files that were not read');
});

/** Holds the responses of an operation whose variables include a text until the returned function is called. */
async function holdResponses(page, operation, part) {
  let release;
  const released = new Promise((resolve) => (release = resolve));
  await page.route('**/graphql', async (route) => {
    const body = route.request().postData() ?? '';
    if (body.includes(`query ${operation}`) && body.includes(part)) {
      const response = await route.fetch();
      await released;
      return route.fulfill({ response });
    }
    return route.continue();
  });
  return release;
}

test('while a document loads, the one before is not shown for it; a list stays while its filter changes', async (t) => {
  const { ids, titles } = await createRelated('Slow');
  const { page } = await openScreen(t, `/documents/${ids[0]}`);
  await awaitScreen(page);
  const release = await holdResponses(page, 'DocumentScreen', ids[1]);
  await related(page, titles[1]).click();
  await page.getByRole('status', { name: 'Loading' }).waitFor();
  assert.ok(page.url().endsWith(ids[1]));
  assert.equal(await page.getByText(titles[0]).count(), 0);
  assert.equal(await page.getByRole('button', { name: 'Delete' }).count(), 0);
  release();
  await heading(page, titles[1]).waitFor();
  await page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: 'Documents' }).click();
  await page.getByRole('link', { name: titles[0] }).waitFor();
  const releaseList = await holdResponses(page, 'Documents', '"q":"nothing has these words"');
  await page.getByLabel('Search titles and texts').fill('nothing has these words');
  await page.getByLabel('Search titles and texts').press('Enter');
  await page.locator('main [aria-busy=true]').waitFor();
  assert.equal(await page.getByRole('link', { name: titles[0] }).count(), 1, 'the list before');
  releaseList();
  await page.getByText('No document matches').waitFor();
});

test('the list of documents offers new ones and leaves out deleted ones', async (t) => {
  const { page } = await openScreen(t, '/documents');
  await awaitScreen(page);
  const title = unique('Created elsewhere');
  const id = await createDocument(title);
  await page.getByRole('status').getByRole('button', { name: /^\d+ new documents?: show$/ }).click();
  await page.getByRole('link', { name: title }).waitFor();
  assert.equal(await page.getByRole('button', { name: /new document/ }).count(), 0);
  await graph('mutation($id: ID!) { deleteDocument(input: { documentId: $id }) { deletedId } }', { id });
  await page.getByRole('link', { name: title }).waitFor({ state: 'detached' });
});

test('a short name that is taken is refused at its field', async (t) => {
  const slug = `taken-${Date.now()}`;
  await graph('mutation($slug: Slug!) { createLink(input: { destinationUrl: "https://example.com/", slug: $slug }) { link { id } } }', { slug });
  const { page } = await openScreen(t, '/links');
  await awaitScreen(page);
  await page.getByLabel('Destination').fill('https://example.com/');
  await page.getByLabel('Short name').fill(slug);
  await page.getByRole('button', { name: 'New link' }).click();
  await awaitSuccess(async () => assert.equal(await page.getByLabel('Short name').getAttribute('aria-invalid'), 'true'));
  await page.getByText('is taken', { exact: true }).waitFor();
  assert.equal(await page.getByText(/\bslug\b/).count(), 0);
});

test('why executives cannot be compared is shown on the button', async (t) => {
  for (const name of ['Ada Example', 'Bo Example']) {
    await createDocument(`Speech of ${name}`, undefined, name);
  }
  const compare = (page) => page.getByRole('button', { name: 'Compare', exact: true });
  const reader = await openScreen(t, '/executives', { as: readKey });
  await awaitScreen(reader.page);
  assert.equal(await reader.page.getByText('Choose two or more executives below.').count(), 0);
  await compare(reader.page).focus();
  assert.equal(await focusedText(reader.page), 'Compare');
  await reader.page.keyboard.press('Enter');
  await reader.page.getByRole('status').getByText('Your role may read only').waitFor();
  const writer = await openScreen(t, '/executives');
  await awaitScreen(writer.page);
  await compare(writer.page).focus();
  await writer.page.keyboard.press('Enter');
  await writer.page.getByRole('status').getByText('Choose two or more executives below.').waitFor();
});

test('a read-only key opens the settings without an error in the browser', async (t) => {
  const errors = [];
  const { page } = await openScreen(t, '/settings', {
    as: readKey,
    isNew: true,
    prepare: (opened) => void opened.on('console', (message) => message.type() === 'error' && errors.push(message.text())),
  });
  await page.getByRole('alert').getByText('needs the scope admin').waitFor();
  await page.getByRole('region', { name: 'Run budget' }).waitFor();
  assert.deepEqual(errors, []);
});

test('near-duplicates of a document are found, and a document without any says so', async (t) => {
  const text = 'The ferry to the islands leaves an hour earlier from May. Islanders had asked for it in a letter with six hundred names. The shipyard paints the boat until then.';
  const [one, two] = [unique('First edition'), unique('Second edition')];
  const first = await createDocument(one, text);
  await createDocument(two, `${text} The paper asked for a comment.`);
  const other = await createDocument('Another matter', 'Nine schools teach the history of the lighthouse, and its keeper answers the letters of their pupils every Friday.');
  const { page } = await openScreen(t, `/documents/${first}`);
  const find = async () => {
    await awaitScreen(page);
    await page.getByRole('button', { name: 'Find near-duplicates' }).click();
    return page.getByRole('region', { name: 'Near-duplicates' });
  };
  const second = (await find()).getByRole('link', { name: two });
  await second.waitFor();
  await checkAccess(page, 'near-duplicates');
  await second.click();
  await page.getByRole('heading', { level: 1, name: two }).waitFor();
  await (await find()).getByRole('link', { name: one }).waitFor();
  await page.goto(screenAddress(`/documents/${other}`));
  await (await find()).getByText('No text is nearly the same').waitFor();
});
