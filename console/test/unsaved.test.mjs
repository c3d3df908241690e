// Text that is not saved yet: it is not overwritten by a cache or by another editor, and is not lost without a question.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { awaitFocus, awaitScreen, awaitSuccess, checkAccess, checkWidth, escapeDialog, openScreen, screenAddress } from './browser.mjs';
import { graph, key, user } from './gateway.mjs';

/** Saves a draft and returns its id. */
async function saveDraft(input) {
  const data = await graph('mutation($input: SaveDraftInput!) { saveDraft(input: $input) { draft { id } } }', { input });
  return data.saveDraft.draft.id;
}

const draftText = async (id) => (await graph('query($id: ID!) { draft(id: $id) { title content } }', { id })).draft;

async function createLink(input) {
  const data = await graph('mutation($input: CreateLinkInput!) { createLink(input: $input) { link { id } } }', { input });
  return data.createLink.link.id;
}

const updateLink = (input) => graph('mutation($input: UpdateLinkInput!) { updateLink(input: $input) { link { id } } }', { input });

const readLink = async (id) => (await graph('query($id: ID!) { link(id: $id) { title body form { fields { label } } variants { destinationUrl weight } } }', { id })).link;

const textOf = (page) => page.getByLabel('Text', { exact: true });
const save = (page) => page.getByRole('button', { name: 'Save', exact: true }).click();
const awaitSaved = (page) => page.getByRole('status').getByText('Saved.').waitFor();
const awaitValue = (field, value) => awaitSuccess(async () => assert.equal(await field.inputValue(), value));
const follow = (page, name) => page.getByRole('navigation').getByRole('link', { name, exact: true }).click();

/** Adds words at the end of a field as a user does. */
async function type(field, words) {
  await field.press('Control+End');
  await field.pressSequentially(words);
}

/** Goes from an editor to a list, has another editor save, and returns to the editor by its link. */
async function reopen(page, list, title, saveElsewhere) {
  await follow(page, list);
  const link = page.getByRole('main').getByRole('link', { name: title });
  await link.waitFor();
  await saveElsewhere();
  await link.click();
}

test('a draft that was saved elsewhere is shown when it is opened again, and not overwritten', async (t) => {
  const title = `Opened twice ${Date.now()}`;
  const id = await saveDraft({ title, content: 'The first text.' });
  const { page } = await openScreen(t, `/drafts/${id}`);
  await awaitValue(textOf(page), 'The first text.');
  await reopen(page, 'Drafts', title, () => saveDraft({ draftId: id, content: 'The text of a colleague.' }));
  await awaitValue(textOf(page), 'The text of a colleague.');
  await type(textOf(page), ' And mine.');
  await save(page);
  await awaitSaved(page);
  assert.equal((await draftText(id)).content, 'The text of a colleague. And mine.');
});

test('words that are typed before the stored text arrives are a conflict and overwrite nothing', async (t) => {
  const title = `Typed early ${Date.now()}`;
  const id = await saveDraft({ title, content: 'The first text.' });
  const { page } = await openScreen(t, `/drafts/${id}`);
  await awaitValue(textOf(page), 'The first text.');
  let answer;
  const isTyped = new Promise((resolve) => (answer = resolve));
  await page.route('**/graphql', async (route) => {
    if (route.request().postData()?.includes('query DraftScreen')) {
      await isTyped;
    }
    await route.continue();
  });
  await reopen(page, 'Drafts', title, () => saveDraft({ draftId: id, content: 'The text of a colleague.' }));
  await awaitValue(textOf(page), 'The first text.'); // of the cache
  await type(textOf(page), ' And mine.');
  answer();
  await page.waitForSelector('main [aria-busy=false]', { state: 'attached' });
  assert.equal(await textOf(page).inputValue(), 'The first text. And mine.');
  await save(page);
  await page.getByRole('alert').getByText('was changed elsewhere').waitFor();
  assert.equal((await draftText(id)).content, 'The text of a colleague.');
});

test('a conflict of a draft is decided by the person: the stored text, or the own text over it', async (t) => {
  const id = await saveDraft({ title: 'Two editors', content: 'The first text.' });
  const { page } = await openScreen(t, `/drafts/${id}`);
  await awaitScreen(page);
  await type(textOf(page), ' Mine.');
  await saveDraft({ draftId: id, content: 'The text of a colleague.' });
  await save(page);
  const conflict = page.getByRole('alert').filter({ hasText: 'was changed elsewhere' });
  await awaitValue(conflict.getByLabel('Text, as saved elsewhere'), 'The text of a colleague.');
  assert.equal(await textOf(page).inputValue(), 'The first text. Mine.');
  assert.equal((await draftText(id)).content, 'The text of a colleague.');
  await checkAccess(page, 'a conflict');
  await page.setViewportSize({ width: 390, height: 844 });
  await checkWidth(page);
  await saveDraft({ draftId: id, content: 'A later text of a colleague.' });
  await conflict.getByRole('button', { name: 'Save mine over it' }).press('Enter'); // over the text that was shown only
  await awaitValue(conflict.getByLabel('Text, as saved elsewhere'), 'A later text of a colleague.');
  await conflict.getByRole('button', { name: 'Save mine over it' }).press('Enter');
  await awaitSaved(page);
  await conflict.waitFor({ state: 'detached' });
  assert.equal((await draftText(id)).content, 'The first text. Mine.');
  await type(textOf(page), ' More.');
  await saveDraft({ draftId: id, content: 'The last text of a colleague.' });
  await save(page);
  await conflict.getByRole('button', { name: 'Discard mine' }).press('Enter');
  await awaitValue(textOf(page), 'The last text of a colleague.');
  await conflict.waitFor({ state: 'detached' });
  await type(textOf(page), ' Agreed.');
  await save(page);
  await awaitSuccess(async () => assert.equal((await draftText(id)).content, 'The last text of a colleague. Agreed.'));
});

test('two people change different fields of a page, and a cached page restores nothing', async (t) => {
  const title = `Page of two ${Date.now()}`;
  const id = await createLink({ kind: 'PAGE', title, body: '<p>First</p>', form: { fields: [{ name: 'wish', label: 'Wish' }] } });
  const { page } = await openScreen(t, `/links/${id}`);
  const content = page.getByLabel('Content', { exact: true });
  await awaitValue(content, '<p>First</p>');
  await type(page.getByLabel('Title', { exact: true }), ' now');
  await updateLink({ linkId: id, body: '<p>Second</p>', form: { fields: [{ name: 'wish', label: 'Your wish' }] } });
  await save(page);
  await awaitSaved(page);
  assert.deepEqual(await readLink(id), { title: `${title} now`, body: '<p>Second</p>', form: { fields: [{ label: 'Your wish' }] }, variants: [] });
  await awaitValue(content, '<p>Second</p>');
  await awaitValue(page.getByLabel('Label', { exact: true }), 'Your wish');
  await reopen(page, 'Links', `${title} now`, () => updateLink({ linkId: id, body: '<p>Third</p>' }));
  await awaitValue(content, '<p>Third</p>');
  await type(page.getByLabel('Label', { exact: true }), '?');
  await save(page);
  await awaitSuccess(async () => assert.deepEqual((await readLink(id)).form, { fields: [{ label: 'Your wish?' }] }));
  assert.equal((await readLink(id)).body, '<p>Third</p>');
});

test('a conflict of one field of a page is decided by the person', async (t) => {
  const id = await createLink({ kind: 'PAGE', title: 'One body', body: '<p>First</p>' });
  const { page } = await openScreen(t, `/links/${id}`);
  const content = page.getByLabel('Content', { exact: true });
  await awaitValue(content, '<p>First</p>');
  await content.fill('<p>Mine</p>');
  await updateLink({ linkId: id, body: '<p>Of a colleague</p>' });
  await save(page);
  const conflict = page.getByRole('alert').filter({ hasText: 'was changed elsewhere' });
  await awaitValue(conflict.getByLabel('Content, as saved elsewhere'), '<p>Of a colleague</p>');
  assert.equal(await content.inputValue(), '<p>Mine</p>');
  assert.equal((await readLink(id)).body, '<p>Of a colleague</p>');
  await conflict.getByRole('button', { name: 'Save mine over it' }).click();
  await awaitSaved(page);
  assert.equal((await readLink(id)).body, '<p>Mine</p>');
});

test('variants that were saved elsewhere are not replaced by those of the cache', async (t) => {
  const title = `Split ${Date.now()}`;
  const sides = (weight) => [{ destinationUrl: 'https://one.example/', weight }, { destinationUrl: 'https://two.example/', weight: 1 }];
  const id = await createLink({ title, destinationUrl: 'https://one.example/', variants: sides(1) });
  const { page } = await openScreen(t, `/links/${id}`);
  await page.getByRole('button', { name: 'Change', exact: true }).click();
  const weight = page.getByRole('group', { name: 'Variant 1' }).getByLabel('Weight');
  await awaitValue(weight, '1');
  await reopen(page, 'Links', title, () => updateLink({ linkId: id, variants: sides(5) }));
  await page.getByRole('button', { name: 'Change', exact: true }).click();
  await awaitValue(weight, '5');
  await page.getByRole('group', { name: 'Variant 2' }).getByLabel('Weight').fill('2');
  await updateLink({ linkId: id, variants: sides(7) });
  await save(page);
  const conflict = page.getByRole('alert').filter({ hasText: 'was changed elsewhere' });
  await conflict.getByRole('button', { name: 'Discard mine' }).click();
  await awaitValue(weight, '7');
  assert.deepEqual((await readLink(id)).variants.map((side) => side.weight), [7, 1]);
});

test('unsaved text is left only after a question, by a link, by Back and by closing', async (t) => {
  const id = await saveDraft({ title: 'Left', content: 'Stored.' });
  const { page } = await openScreen(t, '/drafts');
  await page.getByRole('main').getByRole('link', { name: 'Left' }).first().click();
  await awaitScreen(page);
  await page.waitForURL(`**/drafts/${id}`);
  await type(textOf(page), ' Typed.');
  const question = page.getByRole('dialog', { name: 'Leave without saving?' });
  await follow(page, 'Documents');
  await question.getByRole('button', { name: 'Stay on this page' }).waitFor();
  await checkAccess(page, 'the question before leaving');
  await awaitFocus(question.getByRole('button', { name: 'Stay on this page' }));
  await page.keyboard.press('Enter');
  await question.waitFor({ state: 'detached' });
  await page.goBack();
  await question.waitFor();
  assert.match(page.url(), new RegExp(`/drafts/${id}$`));
  await escapeDialog(question);
  assert.equal(await textOf(page).inputValue(), 'Stored. Typed.');
  await page.getByRole('banner').getByRole('button').last().click();
  await page.getByRole('menuitem', { name: 'Forget the key' }).click();
  await question.getByRole('button', { name: 'Stay on this page' }).click();
  await question.waitFor({ state: 'detached' });
  const asked = page.waitForEvent('dialog');
  await page.close({ runBeforeUnload: true });
  const dialog = await asked;
  assert.equal(dialog.type(), 'beforeunload');
  await dialog.dismiss();
  await page.goBack();
  await question.getByRole('button', { name: 'Leave without saving' }).click();
  await page.getByRole('heading', { level: 1, name: 'Drafts', exact: true }).waitFor();
  assert.match(page.url(), /\/drafts$/);
  assert.equal((await draftText(id)).content, 'Stored.');
});

test('saved text and a deleted draft are left without a question', async (t) => {
  const id = await saveDraft({ title: 'Saved and left', content: 'Stored.' });
  const { page } = await openScreen(t, `/drafts/${id}`);
  await awaitScreen(page);
  await type(textOf(page), ' Typed.');
  await save(page);
  await awaitSaved(page);
  await follow(page, 'Documents');
  await page.getByRole('heading', { level: 1, name: 'Documents' }).waitFor();
  await page.goBack();
  await awaitValue(textOf(page), 'Stored. Typed.');
  await type(textOf(page), ' More.');
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('dialog', { name: /Delete/ }).getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Drafts', exact: true }).waitFor();
});

const signInWithKey = async (page, secret) => {
  await page.getByLabel('Workspace key', { exact: true }).fill(secret);
  await page.getByRole('button', { name: 'Use this key' }).click();
};

async function signInWithPassword(page) {
  await page.getByLabel('Email').fill(user.email);
  await page.getByLabel('Password', { exact: true }).fill(user.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** Ends the session of the cookie, as signing out in another tab does. */
const endSession = (page) => page.evaluate(() => fetch('/api/public/auth/session', { method: 'DELETE' }).then(({ ok }) => ok));

test('unsaved text survives a revoked key', async (t) => {
  const { mintKey } = await graph('mutation { mintKey(input: { name: "to revoke", scopes: [READ, WRITE] }) { secret key { id } } }');
  const id = await saveDraft({ title: 'Kept', content: 'Stored.' });
  const { page } = await openScreen(t, `/drafts/${id}`, { as: mintKey.secret });
  await awaitScreen(page);
  await type(textOf(page), ' Typed.');
  await graph('mutation($id: ID!) { revokeKey(input: { keyId: $id }) { key { id } } }', { id: mintKey.key.id });
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await page.getByText('Your unsaved text is kept.').waitFor();
  assert.equal(await textOf(page).isVisible(), false);
  await checkAccess(page, 'the sign-in over unsaved text');
  await signInWithKey(page, 'rsk_wrong');
  await awaitSuccess(async () => assert.equal(await page.getByLabel('Workspace key', { exact: true }).inputValue(), '')); // the form starts again
  await signInWithKey(page, key);
  await page.getByRole('heading', { level: 1, name: 'Kept' }).waitFor();
  await awaitScreen(page);
  assert.equal(await textOf(page).inputValue(), 'Stored. Typed.');
  assert.match(await page.title(), /^Kept/);
  await save(page);
  await awaitSaved(page);
  assert.equal((await draftText(id)).content, 'Stored. Typed.');
});

test('unsaved text survives the end of a session, and is not shown to others', async (t) => {
  const id = await saveDraft({ title: 'Of one user', content: 'Stored.' });
  const { page } = await openScreen(t, `/drafts/${id}`, { as: null });
  await signInWithPassword(page);
  await awaitScreen(page);
  await type(textOf(page), ' Typed.');
  assert.ok(await endSession(page));
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await signInWithPassword(page);
  await page.getByRole('heading', { level: 1, name: 'Of one user' }).waitFor();
  await awaitScreen(page);
  assert.equal(await textOf(page).inputValue(), 'Stored. Typed.');
  assert.ok(await endSession(page));
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await signInWithKey(page, key);
  await page.getByRole('heading', { level: 1, name: 'Of one user' }).waitFor();
  await awaitScreen(page);
  assert.equal(await textOf(page).inputValue(), 'Stored.');
});

test('unsaved text survives a sign-in by the identity provider until it is saved, and is not shown to others', async (t) => {
  const id = await saveDraft({ title: 'Over two pages', content: 'Stored.' });
  const { page } = await openScreen(t, `/drafts/${id}`, { as: null });
  await signInWithPassword(page);
  await awaitScreen(page);
  await type(textOf(page), ' Typed.');
  assert.ok(await endSession(page));
  await page.getByText('Your unsaved text is kept.').waitFor();
  await page.getByRole('link', { name: 'Sign in with your organisation' }).click(); // without a question
  await awaitValue(textOf(page), 'Stored. Typed.');
  await awaitScreen(page);
  await page.goto(`${screenAddress(`/drafts/${id}`, null)}?again#key=${key}`); // a key of the workspace
  await awaitValue(textOf(page), 'Stored.');
  await page.goto(screenAddress(`/drafts/${id}`, null));
  await awaitValue(textOf(page), 'Stored. Typed.');
  await awaitScreen(page);
  await saveDraft({ draftId: id, content: 'The text of a colleague.' });
  await save(page);
  await page.getByRole('alert').getByText('was changed elsewhere').waitFor(); // the changes began with the version before
  await page.getByRole('button', { name: 'Save mine over it' }).click();
  await awaitSaved(page);
  assert.equal((await draftText(id)).content, 'Stored. Typed.');
  await saveDraft({ draftId: id, content: 'A later text.' });
  await page.goto(screenAddress('/', null));
  await awaitScreen(page);
  await page.goto(screenAddress(`/drafts/${id}`, null));
  await awaitValue(textOf(page), 'A later text.');
  assert.deepEqual(await page.evaluate(() => Object.keys(sessionStorage).filter((name) => name.startsWith('rostrum.unsaved'))), []);
});

test('unsaved text of a second workspace returns in that workspace only', async (t) => {
  const { page } = await openScreen(t, '/', { as: null });
  await signInWithPassword(page);
  await awaitScreen(page);
  await page.getByRole('banner').getByRole('button').last().click();
  await page.getByRole('menuitem', { name: 'Second' }).click();
  await page.getByRole('main').getByText('Second', { exact: true }).waitFor();
  await follow(page, 'Drafts');
  await page.getByLabel('Title').fill('Of the second workspace');
  await page.getByRole('button', { name: 'New draft' }).click();
  await textOf(page).waitFor();
  await awaitScreen(page);
  await type(textOf(page), 'Typed.');
  assert.ok(await endSession(page));
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await signInWithPassword(page); // whose first workspace is another
  await page.getByRole('heading', { level: 1, name: 'Of the second workspace' }).waitFor();
  await awaitScreen(page);
  assert.equal(await textOf(page).inputValue(), 'Typed.');
  assert.ok(await endSession(page));
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await signInWithKey(page, key);
  await page.getByText('There is nothing at this address').waitFor();
  assert.equal(await page.getByText('Typed.').count(), 0);
});
