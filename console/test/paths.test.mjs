// What people do on the screens, with the answers of a running gateway.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { awaitFocus, awaitScreen, awaitSuccess, checkAccess, openScreen, patience } from './browser.mjs';
import { createDocument, gateway, graph, key, readKey, servePausedPage, user } from './gateway.mjs';

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

test('a dropped socket resumes after the last event', async (t) => {
  const opened = [];
  const { page, log } = await openScreen(t, '/documents', { as: null, isNew: true });
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
  const { page } = await openScreen(t, '/documents', { as: null, isNew: true });
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

test('documents are added by address, one of two, from a file and by a drop', async (t) => {
  const title = `Read by address ${Date.now()}`;
  const site = await servePausedPage(t, title);
  site.open();
  const { page } = await openScreen(t, '/documents?add');
  await awaitScreen(page);
  await page.getByLabel('Addresses').fill('not an address');
  await page.getByRole('button', { name: 'Read these sources' }).click();
  await awaitSuccess(async () => assert.equal(await page.getByLabel('Addresses').getAttribute('aria-invalid'), 'true'));
  const refused = 'ftp://example.com/report.pdf';
  await page.getByLabel('Addresses').fill(`${site.address}\n${refused}`);
  await page.getByRole('button', { name: 'Read these sources' }).click();
  await page.getByRole('link', { name: title }).waitFor();
  await awaitSuccess(async () => assert.equal(await page.getByLabel('Addresses').inputValue(), refused, 'the refused address stays in the field'));
  assert.equal(await page.getByLabel('Addresses').getAttribute('aria-invalid'), 'true');
  await page.locator('input[type=file]').setInputFiles({ name: 'minutes.txt', mimeType: 'text/plain', buffer: Buffer.from('The board met in spring and agreed on the second pier.') });
  await page.getByRole('link', { name: 'minutes' }).first().waitFor();
  const dropped = `dropped-${Date.now()}`;
  const dataTransfer = await page.evaluateHandle((name) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File(['The board met in autumn and opened the second pier.'], `${name}.txt`, { type: 'text/plain' }));
    return transfer;
  }, dropped);
  await page.locator('.drop').dispatchEvent('dragover', { dataTransfer });
  await page.locator('.drop').dispatchEvent('drop', { dataTransfer });
  await page.getByRole('link', { name: dropped }).waitFor();
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

test('settings show the models, of which the offline engine is none', async (t) => {
  const { page } = await openScreen(t, '/settings');
  await awaitScreen(page);
  await page.getByText('No requests to a text model yet').waitFor();
  await page.getByText('builtin-extractive-2').waitFor();
});

/** Returns the status of a request with the key. */
async function statusOf(secret) {
  const headers = { 'Content-Type': 'application/json', 'X-API-Key': secret, Accept: 'application/graphql-response+json' };
  return (await fetch(`${gateway}/graphql`, { method: 'POST', headers, body: '{"query":"{ workspace { id } }"}' })).status;
}

test('a key is made, works, is replaced while the old secret works, and is revoked', async (t) => {
  const { page } = await openScreen(t, '/settings');
  await awaitScreen(page);
  await page.getByRole('button', { name: 'Create key' }).click();
  await awaitSuccess(async () => assert.equal(await page.getByLabel('Name of a new key').getAttribute('aria-invalid'), 'true'));
  const name = `Console ${Date.now()}`;
  await page.getByLabel('Name of a new key').fill(name);
  await page.getByRole('button', { name: 'Create key' }).click();
  const secret = await page.locator('[data-secret]').innerText();
  assert.equal(await statusOf(secret), 200);
  const rows = page.locator('[data-key]', { hasText: name });
  await rows.getByRole('button', { name: 'Rotate' }).click();
  await page.locator('[data-secret]', { hasNotText: secret }).waitFor();
  const replacement = await page.locator('[data-secret]').innerText();
  assert.deepEqual([await statusOf(secret), await statusOf(replacement)], [200, 200]);
  await rows.nth(1).waitFor();
  for (const row of [rows.first(), rows.last()]) {
    await row.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('dialog', { name: `Revoke the key “${name}” for good?` }).getByRole('button', { name: 'Revoke' }).click();
    await row.getByText('revoked').waitFor();
  }
  assert.deepEqual([await statusOf(secret), await statusOf(replacement)], [401, 401]);
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
  await filters.getByRole('alert').filter({ hasText: 'would be shown again' }).getByText(title).waitFor();
  await filters.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('status').getByText('Saved.').waitFor();
  const reasons = async () => (await graph('query($id: ID!) { document(id: $id) { hiddenBy { name } } }', { id: hidden })).document.hiddenBy;
  assert.deepEqual(await reasons(), []);
  await filters.getByRole('button', { name: 'Show what would change' }).waitFor({ state: 'detached' }); // the stored filters are loaded again
  await filters.getByLabel(createFilterTag.tag.name).check({ force: true });
  await filters.getByRole('button', { name: 'Show what would change' }).click();
  await filters.getByRole('alert').filter({ hasText: 'would be hidden' }).getByText(title).waitFor();
  assert.deepEqual(await reasons(), [], 'a trial hides nothing');
});

test('a hidden document says why, and its tag leads to the quote', async (t) => {
  const { createFilterTag } = await graph('mutation($name: String!) { createFilterTag(input: { name: $name }) { tag { autoTagId name } } }', { name: `Hiding ${Date.now()}` });
  const { name, autoTagId } = createFilterTag.tag;
  const id = await createTagged('Hidden with a tag', await createAutoTag(0));
  await graph('mutation($tag: ID!, $document: ID!) { excludeDocument(input: { tagId: $tag, documentId: $document }) { alreadyHidden } }', { tag: autoTagId, document: id });
  const { page } = await openScreen(t, `/documents/${id}`);
  await awaitScreen(page);
  await page.getByRole('alert').filter({ hasText: 'Hidden from communications' }).getByText(`${name}: `).waitFor();
  const tag = page.getByRole('region', { name: 'Tags', exact: true }).getByRole('button', { name: /harbour/ });
  await tag.click();
  await page.locator('mark[data-current]').getByText(/harbour/).first().waitFor();
  assert.equal(await tag.getAttribute('aria-pressed'), 'true');
});

/** Creates a document about a harbour, which the auto-tag is applied to, and returns its id. */
async function createTagged(title, tag) {
  const id = await createDocument(title, 'The harbour stays open in winter. Boats leave the harbour at dawn, and the harbour master counts them.');
  await graph('mutation($id: ID!, $tag: ID!) { applyAutoTags(input: { documentId: $id, autoTagIds: [$tag] }) { documentId } }', { id, tag });
  return id;
}

/** Creates an auto-tag, whose values below the confidence await review, and returns its id. */
async function createAutoTag(minConfidence) {
  const input = { name: `Place ${Date.now()}`, tagType: 'topic', allowedValues: ['harbour', 'market'], minConfidence };
  return (await graph('mutation($input: CreateAutoTagInput!) { createAutoTag(input: $input) { autoTag { id } } }', { input })).createAutoTag.autoTag.id;
}

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

/** Rejects the values that other tests have left in the queue. */
async function emptyQueue() {
  const { autoTagReviews } = await graph('{ autoTagReviews(first: 100) { nodes { id } } }');
  for (const { id } of autoTagReviews.nodes) {
    await graph('mutation($id: ID!) { rejectAutoTagValue(input: { reviewId: $id }) { deletedId } }', { id });
  }
}

test('values that await review are accepted, rejected and corrected by key, one after the other', async (t) => {
  await emptyQueue();
  const tag = await createAutoTag(1);
  const titles = ['Reviewed one', 'Reviewed two', 'Reviewed three'];
  for (const title of titles) {
    await createTagged(title, tag);
  }
  const pending = async () => (await graph('query($tag: ID!) { autoTagReviews(autoTagId: $tag) { totalCount } }', { tag })).autoTagReviews.totalCount;
  assert.equal(await pending(), 3);
  const { page } = await openScreen(t, '/filters');
  await awaitScreen(page);
  const card = page.getByRole('group', { name: /A value to review/ });
  await card.focus();
  for (const [letter, left] of [['a', 2], ['r', 1]]) {
    const title = await card.getByRole('link').innerText();
    await page.keyboard.press(letter);
    await card.getByRole('link', { name: title }).waitFor({ state: 'detached' });
    await awaitFocus(card);
    assert.equal(await pending(), left);
    await page.getByRole('heading', { name: left === 1 ? 'Review: one value' : `Review: ${left} values` }).waitFor();
  }
  await page.keyboard.press('c');
  await awaitFocus(card.getByLabel('Right value'));
  await page.keyboard.type('market');
  await page.keyboard.press('Enter');
  await page.getByText('Nothing to review').waitFor();
  assert.equal(await pending(), 0);
  const { autoTag } = await graph('query($tag: ID!) { autoTag(id: $tag) { values(first: 5) { nodes { value documentCount } } } }', { tag });
  assert.deepEqual(autoTag.values.nodes.toSorted((one, other) => one.value.localeCompare(other.value)), [{ value: 'harbour', documentCount: 1 }, { value: 'market', documentCount: 1 }]);
});

/** Answers the questions of a page in its socket: the first with parts of an answer, after which the socket drops; the second with another part, and then by the gateway. */
async function interruptAnswer(page, parts, resumed) {
  const sockets = [];
  await page.routeWebSocket(/graphql/, (socket) => {
    sockets.push(socket);
    const server = socket.connectToServer();
    socket.onMessage((text) => {
      const message = JSON.parse(text);
      if (message.type !== 'subscribe' || !message.payload.query.includes('interactStream')) {
        return server.send(text);
      }
      const send = (delta) => socket.send(JSON.stringify({ id: message.id, type: 'next', payload: { data: { interactStream: { __typename: 'InteractEvent', kind: 'DELTA', delta, interaction: null, failure: null } } } }));
      if (sockets.length === 1) {
        parts.forEach(send);
        return undefined;
      }
      send(resumed.delta);
      return resumed.finish.then(() => server.send(text));
    });
  });
  return sockets;
}

test('an answer whose socket drops begins again', async (t) => {
  const { createPersona } = await graph('mutation($name: String!) { createPersona(input: { name: $name, concerns: "emissions" }) { persona { id } } }', { name: `Interrupted ${Date.now()}` });
  let finish;
  const resumed = { delta: 'A second answer', finish: new Promise((resolve) => (finish = resolve)) };
  let sockets;
  const { page } = await openScreen(t, `/personas/${createPersona.persona.id}`, {
    isNew: true,
    prepare: async (opened) => {
      sockets = await interruptAnswer(opened, ['A first ', 'answer that '], resumed);
    },
  });
  await awaitScreen(page);
  await page.getByLabel(/Question to/).fill('Is it over?');
  await page.getByLabel(/Question to/).press('Enter');
  const answer = page.getByRole('log').locator('.bubble').last();
  await answer.getByText('A first answer that').waitFor();
  void sockets[0].close({ code: 1012 });
  await answer.getByText('A second answer', { exact: true }).waitFor();
  finish();
  await page.getByRole('button', { name: 'Good answer' }).waitFor();
});
