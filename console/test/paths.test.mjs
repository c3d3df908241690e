// What people do on the screens, with the answers of a running gateway.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { awaitScreen, awaitSuccess, checkAccess, closeBrowser, openBrowser, openScreen, patience } from './browser.mjs';
import { createDocument, gateway, graph, key, peer, readKey, servePausedPage, user } from './gateway.mjs';

before(openBrowser);
after(closeBrowser);

test('sign-in by password, and a wrong one', async (t) => {
  const { page } = await openScreen(t, '/documents', { as: null });
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await checkAccess(page, 'the sign-in');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByText('is required').first().waitFor(); // the 422 stands at its field
  await page.getByLabel('Email').fill(user.email);
  await page.getByLabel('Password', { exact: true }).fill('not it');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('alert').getByText('the email or the password is wrong').waitFor();
  await page.getByLabel('Password', { exact: true }).fill(user.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Documents' }).waitFor(); // the deep link
  await awaitScreen(page); // the socket accepts the cookie
  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'Documents' }).waitFor();
  await page.getByRole('banner').getByRole('button').last().click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
});

test('a job of another process moves live on Home', async (t) => {
  const site = await servePausedPage(t, 'Ferries on the northern route');
  const { page, log } = await openScreen(t, '/');
  await awaitScreen(page);
  const { ingestDocument } = await graph('mutation($url: URL!) { ingestDocument(input: { sourceUrl: $url }) { scrapeJobId documentId } }', { url: site.address }, peer);
  const row = page.locator(`[data-job="${ingestDocument.scrapeJobId}"]`);
  await row.getByText('running').waitFor();
  site.open();
  await row.waitFor({ state: 'detached' });
  await page.locator(`[data-document="${ingestDocument.documentId}"]`).getByText('Ferries on the northern route').waitFor();
  assert.deepEqual(log.operations, ['query Home'], 'what changes arrives by the socket');
});

test('a job is cancelled and retried', async (t) => {
  const site = await servePausedPage(t, 'Cancelled once');
  const { page } = await openScreen(t, '/');
  await awaitScreen(page);
  const { ingestDocument } = await graph('mutation($url: URL!) { ingestDocument(input: { sourceUrl: $url }) { scrapeJobId } }', { url: site.address });
  const row = page.locator(`[data-job="${ingestDocument.scrapeJobId}"]`);
  await row.getByRole('button', { name: /Cancel/ }).click();
  await row.waitFor({ state: 'detached' });
  const { job } = await graph('query($id: ID!) { job(id: $id) { status } }', { id: ingestDocument.scrapeJobId });
  assert.equal(job.status, 'CANCELLED');
});

test('a dropped socket resumes after the last event', async (t) => {
  const opened = [];
  const { page, log } = await openScreen(t, '/documents', { as: null });
  await page.routeWebSocket(/graphql/, (socket) => {
    opened.push(socket);
    if (opened.length === 1 || opened.length > 3) {
      socket.connectToServer();
    } else {
      void socket.close({ code: 1012 }); // the gateway is away for two attempts
    }
  });
  await page.goto(`${gateway}/console/#key=${key}`);
  await awaitScreen(page);
  void opened[0].close({ code: 1012 });
  await page.waitForSelector('[data-connected=false]', { state: 'attached' });
  const missed = await createDocument('Created while the socket was down');
  await page.locator(`[data-document="${missed}"]`).waitFor();
  assert.ok(opened.length > 3);
  assert.deepEqual(log.operations.filter((name) => name === 'query Home'), ['query Home']);
});

test('a subscription that ends with an error starts again', async (t) => {
  let refused = 0;
  const { page } = await openScreen(t, '/documents', { as: null });
  await page.routeWebSocket(/graphql/, (socket) => {
    const server = socket.connectToServer();
    socket.onMessage((text) => {
      const message = JSON.parse(text);
      if (message.type === 'subscribe' && message.payload.query.includes('workspaceEvents') && refused++ === 0) {
        socket.send(JSON.stringify({ id: message.id, type: 'error', payload: [{ message: 'refused once' }] }));
      } else {
        server.send(text);
      }
    });
  });
  await page.goto(`${gateway}/console/#key=${key}`);
  await awaitScreen(page);
  const missed = await createDocument('Created after the subscription ended');
  await page.locator(`[data-document="${missed}"]`).waitFor();
  assert.ok(refused > 1);
});

test('what a key may not do is disabled, with the reason', async (t) => {
  const { page } = await openScreen(t, '/documents', { as: readKey });
  await awaitScreen(page);
  const add = page.getByRole('button', { name: 'Add documents' });
  assert.equal(await add.getAttribute('aria-disabled'), 'true');
  await add.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('status').getByText('Your role may read only').waitFor();
  assert.ok(!page.url().includes('add'));
  await checkAccess(page, 'a disabled action');
  const settings = await openScreen(t, '/settings', { as: readKey });
  await settings.page.getByRole('alert').getByText('needs the scope admin').waitFor();
  await settings.page.getByRole('region', { name: 'Run budget' }).waitFor();
});

test('documents are added by address and from a file', async (t) => {
  const title = `Read by address ${Date.now()}`;
  const site = await servePausedPage(t, title);
  site.open();
  const { page } = await openScreen(t, '/documents?add');
  await awaitScreen(page);
  await page.getByLabel('Addresses').fill('not an address');
  await page.getByRole('button', { name: 'Read these sources' }).click();
  await awaitSuccess(async () => assert.equal(await page.getByLabel('Addresses').getAttribute('aria-invalid'), 'true'));
  await page.getByLabel('Addresses').fill(site.address);
  await page.getByRole('button', { name: 'Read these sources' }).click();
  await page.getByRole('link', { name: title }).waitFor();
  await page.locator('input[type=file]').setInputFiles({ name: 'minutes.txt', mimeType: 'text/plain', buffer: Buffer.from('The board met in spring and agreed on the second pier.') });
  await page.getByRole('link', { name: 'minutes' }).first().waitFor();
});

test('a response that is older than an event does not undo it', async (t) => {
  const title = `Slow response ${Date.now()}`;
  const site = await servePausedPage(t, title);
  const { page, log } = await openScreen(t, '/documents?add');
  await awaitScreen(page);
  const lastEvent = log.sockets[0].waitForEvent('framereceived', {
    timeout: patience,
    predicate: ({ payload }) => ['"JobChanged"', '"COMPLETED"', title].every((part) => payload.includes(part)),
  });
  await page.route('**/graphql', async (route) => {
    if (!route.request().postData()?.includes('query Documents')) {
      return route.continue();
    }
    const response = await route.fetch();
    site.open();
    await lastEvent;
    await route.fulfill({ response });
  });
  await page.getByLabel('Addresses').fill(site.address);
  await page.getByRole('button', { name: 'Read these sources' }).click();
  await page.getByRole('link', { name: title }).waitFor();
});

test('a signal of a document leads to its passage', async (t) => {
  const id = await createDocument('Statements', '“We will cut emissions by a third before the decade ends,” said Ada Example, chief executive of Tidewall.\n\nThe harbour stays open.');
  await graph('mutation($id: ID!) { extractSignals(input: { documentId: $id }) { totalSignals } }', { id });
  const { page } = await openScreen(t, `/documents/${id}`);
  await awaitScreen(page);
  await page.getByRole('region', { name: 'Signals' }).getByRole('button').first().click();
  await page.locator('mark[data-current]').first().waitFor();
  assert.match(page.url(), /at=/);
});

test('an unknown screen and an unknown document', async (t) => {
  const { page } = await openScreen(t, '/documents/doc_none');
  await page.getByText('There is nothing at this address').waitFor();
  const other = await openScreen(t, '/nowhere');
  await other.page.getByText('There is no such screen').waitFor();
});

test('a persona answers in parts, with its sources', async (t) => {
  await createDocument('Winter report', 'Emissions of the harbour fall by a third in winter, said Ada Example.');
  const { createPersona } = await graph('mutation($name: String!) { createPersona(input: { name: $name, concerns: "emissions" }) { persona { id } } }', { name: `Asked ${Date.now()}` });
  const { page, log } = await openScreen(t, `/personas/${createPersona.persona.id}`);
  await awaitScreen(page);
  await page.getByLabel(/Question to/).fill('What about emissions in winter?');
  await page.getByLabel(/Question to/).press('Enter');
  await page.getByRole('log').getByText('Read for this answer').waitFor();
  await page.getByRole('log').getByRole('link').first().waitFor();
  assert.equal(log.operations.length, 1, 'the answer arrives by the socket');
  await page.getByRole('button', { name: 'Not like this' }).click();
  await page.getByLabel('What should it do instead?').fill('Answer in one sentence.');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Thanks: the persona learns from it.').waitFor();
});

test('a draft is saved, checked and guarded against another editor', async (t) => {
  const { saveDraft } = await graph('mutation { saveDraft(input: { title: "Letter", content: "Old." }) { draft { id } } }');
  const { page } = await openScreen(t, `/drafts/${saveDraft.draft.id}`);
  await awaitScreen(page);
  await page.getByLabel('Text', { exact: true }).fill('Emissions fall by a third. The harbour stays open.');
  await page.getByRole('button', { name: 'Add a point' }).click();
  await page.getByLabel('Point 1', { exact: true }).fill('Emissions fall by a third');
  await page.getByRole('button', { name: 'Ask the text model' }).click();
  await page.getByText('Verdicts of builtin-extractive-2').waitFor();
  await page.locator('[data-verdict=COVERED]').waitFor();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('status').getByText('Saved.').waitFor();
  await graph('mutation($id: ID!) { saveDraft(input: { draftId: $id, content: "By another editor." }) { draft { id } } }', { id: saveDraft.draft.id });
  await page.getByLabel('Text', { exact: true }).fill('Mine.');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('alert').first().waitFor();
  const { draft } = await graph('query($id: ID!) { draft(id: $id) { content } }', { id: saveDraft.draft.id });
  assert.equal(draft.content, 'By another editor.');
});

test('opens of a link move live, and a wrong destination is shown at its field', async (t) => {
  const { createLink } = await graph('mutation { createLink(input: { title: "Counted", destinationUrl: "https://example.com/" }) { link { id shortUrl } } }');
  const { page } = await openScreen(t, '/links');
  await awaitScreen(page);
  const count = page.locator(`[data-link="${createLink.link.id}"] .count`);
  assert.equal(await count.innerText(), '0');
  const opened = await fetch(createLink.link.shortUrl, { redirect: 'manual', headers: { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' } });
  assert.equal(opened.status, 302);
  await count.getByText('1').waitFor();
  await page.getByLabel('Destination').fill('nowhere');
  await page.getByRole('button', { name: 'New link' }).click();
  await awaitSuccess(async () => assert.equal(await page.getByLabel('Destination').getAttribute('aria-invalid'), 'true'));
});

test('a split test is started, a wrong destination is shown at its field, and the test is ended for one side', async (t) => {
  const { createLink } = await graph('mutation { createLink(input: { title: "Split", destinationUrl: "https://example.com/a" }) { link { id } } }');
  const stored = async () => (await graph('query($id: ID!) { link(id: $id) { destinationUrl variants { destinationUrl weight } } }', { id: createLink.link.id })).link;
  const { page } = await openScreen(t, `/links/${createLink.link.id}`);
  await awaitScreen(page);
  const panel = page.getByRole('region', { name: 'Variants' });
  await panel.getByRole('button', { name: 'Start a split test' }).click();
  const second = panel.getByRole('group', { name: 'Variant 2' });
  await second.getByLabel('Destination').fill('nowhere');
  await panel.getByRole('button', { name: 'Save' }).click();
  await awaitSuccess(async () => assert.equal(await second.getByLabel('Destination').getAttribute('aria-invalid'), 'true'));
  await second.getByLabel('Destination').fill('https://example.com/b');
  await second.getByLabel('Weight').fill('3');
  await checkAccess(page, 'the form of a split test');
  await panel.getByRole('button', { name: 'Save' }).click();
  await panel.locator('[data-side]').nth(1).getByText('75%').waitFor();
  assert.deepEqual((await stored()).variants, [{ destinationUrl: 'https://example.com/a', weight: 1 }, { destinationUrl: 'https://example.com/b', weight: 3 }]);
  const side = panel.getByRole('group', { name: 'https://example.com/b' });
  await side.getByRole('button', { name: 'Send everyone here' }).click();
  await page.getByRole('dialog', { name: /^End the test/ }).getByRole('button', { name: 'Send everyone here' }).click();
  await panel.getByText('All viewers are sent to one destination.').waitFor();
  assert.deepEqual(await stored(), { destinationUrl: 'https://example.com/b', variants: [] });
});

test('a webhook is made, events appear as they happen, and a delivery is sent again', async (t) => {
  const { page } = await openScreen(t, '/webhooks');
  await awaitScreen(page);
  await page.getByLabel('Address (https)').fill('https://127.0.0.1:9/hook');
  await page.getByRole('button', { name: 'New webhook' }).click();
  await page.getByText('The signing secret is shown only now').waitFor();
  await createDocument('Seen in the feed');
  await page.locator('[data-event="DOCUMENT_CREATED"]').getByText('Seen in the feed').waitFor();
  await page.getByRole('region', { name: 'Webhooks', exact: true }).getByRole('link').first().click();
  await page.getByRole('button', { name: 'Send a sample' }).click();
  await page.locator('[data-delivery]').first().getByText('sample').waitFor();
});

test('settings show the models, of which the offline engine is none', async (t) => {
  const { page } = await openScreen(t, '/settings');
  await awaitScreen(page);
  await page.getByText('No requests to a text model yet').waitFor();
  await page.getByText('builtin-extractive-2').waitFor();
});

test('a key is made, works, and is revoked', async (t) => {
  const { page } = await openScreen(t, '/settings');
  await awaitScreen(page);
  await page.getByRole('button', { name: 'Create key' }).click();
  await awaitSuccess(async () => assert.equal(await page.getByLabel('Name of a new key').getAttribute('aria-invalid'), 'true'));
  const name = `Console ${Date.now()}`;
  await page.getByLabel('Name of a new key').fill(name);
  await page.getByRole('button', { name: 'Create key' }).click();
  const secret = await page.locator('[data-secret]').innerText();
  const use = () => fetch(`${gateway}/graphql`, { method: 'POST', headers: { 'Content-Type': 'application/json', 'X-API-Key': secret, Accept: 'application/graphql-response+json' }, body: '{"query":"{ workspace { id } }"}' });
  assert.equal((await use()).status, 200);
  const row = page.locator('[data-key]', { hasText: name });
  await row.getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('dialog', { name: `Revoke the key “${name}” for good?` }).getByRole('button', { name: 'Revoke' }).click();
  await row.getByText('revoked').waitFor();
  assert.equal((await use()).status, 401);
});

test('a filter is tried before it is saved', async (t) => {
  const { createFilterTag } = await graph('mutation($name: String!) { createFilterTag(input: { name: $name }) { tag { autoTagId name } } }', { name: `Harbour ${Date.now()}` });
  const title = `Hidden ${Date.now()}`;
  const hidden = await createDocument(title);
  await graph('mutation($tag: ID!, $document: ID!) { excludeDocument(input: { tagId: $tag, documentId: $document }) { alreadyHidden } }', { tag: createFilterTag.tag.autoTagId, document: hidden });
  const { page } = await openScreen(t, '/filters');
  await awaitScreen(page);
  const filters = page.getByRole('region', { name: 'Comms filters' });
  await filters.getByLabel(createFilterTag.tag.name).uncheck({ force: true });
  await filters.getByRole('button', { name: 'Show what would change' }).click();
  await filters.getByRole('alert').getByText(title).waitFor();
  await filters.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('status').getByText('Saved.').waitFor();
  const { document } = await graph('query($id: ID!) { document(id: $id) { hiddenBy { name } } }', { id: hidden });
  assert.deepEqual(document.hiddenBy, []);
});

test('an audience is summarised from its reactions', async (t) => {
  const category = `readers ${Date.now()}`;
  const { createPersona } = await graph('mutation($input: CreatePersonaInput!) { createPersona(input: $input) { persona { id } } }', { input: { name: `Reader ${Date.now()}`, category, concerns: 'emissions' } });
  const id = await createDocument('Read by an audience');
  const { startReactions } = await graph('mutation($id: ID!, $persona: ID!) { startReactions(input: { documentId: $id, personaIds: [$persona] }) { job { id } } }', { id, persona: createPersona.persona.id });
  await awaitSuccess(async () => assert.equal((await graph('query($id: ID!) { job(id: $id) { status } }', { id: startReactions.job.id })).job.status, 'COMPLETED'));
  const { page } = await openScreen(t, '/audience');
  await awaitScreen(page);
  await page.getByRole('button', { name: `Summarise: ${category}` }).click();
  await page.getByRole('region', { name: category }).getByText('1 reaction').waitFor();
});

test('statements of executives are compared, each with its passage', async (t) => {
  for (const [executive, content] of [['Ada Example', '“Emissions of the harbour fall by a third,” said Ada Example.'], ['Bo Example', '“Emissions of the harbour fall by a tenth,” said Bo Example.']]) {
    const id = await createDocument(`Speech of ${executive}`, content, executive);
    await graph('mutation($id: ID!) { extractSignals(input: { documentId: $id }) { totalSignals } }', { id });
  }
  const { page } = await openScreen(t, '/executives');
  await awaitScreen(page);
  await page.getByRole('checkbox', { name: 'Compare Ada Example' }).check();
  await page.getByRole('checkbox', { name: 'Compare Bo Example' }).check();
  await page.getByRole('button', { name: 'Compare' }).click();
  await awaitSuccess(async () => assert.equal(await page.getByLabel('Theme').getAttribute('aria-invalid'), 'true')); // the 422 stands at its field
  await page.getByLabel('Theme').fill('emissions');
  await page.getByRole('button', { name: 'Compare' }).click();
  await page.getByRole('region', { name: 'Comparisons' }).getByRole('link', { name: 'emissions' }).first().click();
  await page.getByRole('region', { name: 'In common' }).getByRole('link').first().click();
  await page.locator('mark[data-current]').first().waitFor();
});

test('the request of a screen is copied as GraphQL and curl', async (t) => {
  const { page } = await openScreen(t, '/links');
  await awaitScreen(page);
  await page.getByRole('button', { name: 'Copy as GraphQL or curl' }).click();
  await page.getByRole('dialog').getByText('query Links').waitFor();
  await page.getByRole('dialog').getByText('curl', { exact: true }).click();
  await page.getByRole('dialog').getByText('X-API-Key: $KEY').waitFor();
});

test('a value that awaits review is accepted by key', async (t) => {
  const { createAutoTag } = await graph('mutation($input: CreateAutoTagInput!) { createAutoTag(input: $input) { autoTag { id } } }', {
    input: { name: `Place ${Date.now()}`, tagType: 'topic', allowedValues: ['harbour', 'market'], minConfidence: 1 },
  });
  const id = await createDocument('Reviewed', 'The harbour stays open in winter. Boats leave the harbour at dawn, and the harbour master counts them.');
  await graph('mutation($id: ID!, $tag: ID!) { applyAutoTags(input: { documentId: $id, autoTagIds: [$tag] }) { documentId } }', { id, tag: createAutoTag.autoTag.id });
  const pending = async () => (await graph('query($tag: ID!) { autoTagReviews(autoTagId: $tag) { totalCount } }', { tag: createAutoTag.autoTag.id })).autoTagReviews.totalCount;
  assert.equal(await pending(), 1);
  const { page } = await openScreen(t, '/filters');
  await awaitScreen(page);
  await page.getByRole('group', { name: /A value to review/ }).press('a');
  await awaitSuccess(async () => assert.equal(await pending(), 0));
});
