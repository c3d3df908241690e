// Text that is not saved yet: it is not overwritten by a cache or by another editor, and is not
// lost without a question.
import type { Locator } from '@playwright/test';
import { expect, type Page, test } from './fixtures';
import {
  createDocument,
  createLink,
  gateway,
  graph,
  key,
  mutate,
  saveDraft,
  unique,
} from './gateway';
import {
  awaitContent,
  awaitScreen,
  checkAccess,
  checkPhone,
  chooseInAccount,
  escapeDialog,
  expectSaved,
  expectWords,
  follow,
  heading,
  hold,
  loadScreen,
  openAsUser,
  openScreen,
  save,
  screenAddress,
  signIn,
  signInWithKey,
  textOf,
} from './screen';

const draftText = async (id: string) =>
  (await graph('query($id: ID!) { draft(id: $id) { content } }', { id })).draft.content;

const updateLink = (input: object) => mutate('updateLink', input, 'link { id }');

const readLink = async (id: string) => {
  const fields = 'title body form { fields { label } } variants { destinationUrl weight }';
  return (await graph(`query($id: ID!) { link(id: $id) { ${fields} } }`, { id })).link;
};

/** Returns the alert that another editor has saved meanwhile. */
const conflictOf = (page: Page) =>
  page.getByRole('alert').filter({ hasText: 'was changed elsewhere' });

/** Adds words at the end of a field as a user does. */
async function type(field: Locator, words: string) {
  await field.press('Control+End');
  await field.pressSequentially(words);
}

/**
 * Goes from an editor to a list, has another editor save, and returns to the editor by its link.
 */
async function reopen(
  page: Page,
  list: string,
  title: string,
  saveElsewhere: () => Promise<unknown>,
) {
  await follow(page, list);
  const link = page.getByRole('main').getByRole('link', { name: title });
  await expect(link).toBeVisible();
  await saveElsewhere();
  await link.click();
}

test('a draft that was saved elsewhere is shown when it is opened again, and not overwritten', async ({
  page,
}) => {
  const title = unique('Opened twice');
  const id = await saveDraft({ title, content: 'The first text.' });
  await loadScreen(page, `/drafts/${id}`);
  await expect(textOf(page)).toHaveValue('The first text.');
  await reopen(page, 'Drafts', title, () =>
    saveDraft({ draftId: id, content: 'The text of a colleague.' }),
  );
  await expect(textOf(page)).toHaveValue('The text of a colleague.');
  await type(textOf(page), ' And mine.');
  await save(page);
  await expectSaved(page);
  expect(await draftText(id)).toBe('The text of a colleague. And mine.');
});

test('words that are typed before the stored text arrives are a conflict and overwrite nothing', async ({
  page,
}) => {
  const title = unique('Typed early');
  const id = await saveDraft({ title, content: 'The first text.' });
  await loadScreen(page, `/drafts/${id}`);
  await expect(textOf(page)).toHaveValue('The first text.');
  const answer = await hold(page, 'query DraftScreen');
  await reopen(page, 'Drafts', title, () =>
    saveDraft({ draftId: id, content: 'The text of a colleague.' }),
  );
  await expect(textOf(page)).toHaveValue('The first text.'); // of the cache
  await type(textOf(page), ' And mine.');
  answer();
  await awaitContent(page);
  await expect(textOf(page)).toHaveValue('The first text. And mine.');
  await save(page);
  await expect(conflictOf(page)).toBeVisible();
  expect(await draftText(id)).toBe('The text of a colleague.');
});

test('a conflict of a draft is decided by the person: the stored text, or the own text over it', async ({
  page,
}) => {
  const id = await saveDraft({ title: 'Two editors', content: 'The first text.' });
  await openScreen(page, `/drafts/${id}`);
  await type(textOf(page), ' Mine.');
  await saveDraft({ draftId: id, content: 'The text of a colleague.' });
  await save(page);
  const conflict = conflictOf(page);
  const theirs = conflict.getByRole('group', { name: 'Text, changed by both (1): From a program' });
  await expect(theirs.locator('ins')).toContainText('colleague');
  await expect(textOf(page)).toHaveValue('The first text. Mine.');
  expect(await draftText(id)).toBe('The text of a colleague.');
  await checkAccess(page, 'a conflict');
  await checkPhone(page);
  await saveDraft({ draftId: id, content: 'A later text of a colleague.' });
  const overwrite = conflict.getByRole('button', { name: 'Save mine over it' });
  await overwrite.press('Enter'); // over the text that was shown only
  await expect(theirs.locator('ins').getByText('later')).toBeVisible();
  await overwrite.press('Enter');
  await expectSaved(page);
  await expect(conflict).toHaveCount(0);
  expect(await draftText(id)).toBe('The first text. Mine.');
  await type(textOf(page), ' More.');
  await saveDraft({ draftId: id, content: 'The last text of a colleague.' });
  await save(page);
  await conflict.getByRole('button', { name: 'Discard mine' }).press('Enter');
  await expect(textOf(page)).toHaveValue('The last text of a colleague.');
  await expect(conflict).toHaveCount(0);
  await type(textOf(page), ' Agreed.');
  await save(page);
  await expect.poll(() => draftText(id)).toBe('The last text of a colleague. Agreed.');
});

test('two people change different fields of a page, and a cached page restores nothing', async ({
  page,
}) => {
  const title = unique('Page of two');
  const form = (label: string) => ({ fields: [{ name: 'wish', label }] });
  const stored = { kind: 'PAGE', title, body: '<p>First</p>', form: form('Wish') };
  const { id } = await createLink(stored);
  await loadScreen(page, `/links/${id}`);
  const content = page.getByLabel('Content', { exact: true });
  await expect(content).toHaveValue('<p>First</p>');
  await type(page.getByLabel('Title', { exact: true }), ' now');
  await updateLink({ linkId: id, body: '<p>Second</p>', form: form('Your wish') });
  await save(page);
  await expectSaved(page);
  expect(await readLink(id)).toEqual({
    title: `${title} now`,
    body: '<p>Second</p>',
    form: { fields: [{ label: 'Your wish' }] },
    variants: [],
  });
  await expect(content).toHaveValue('<p>Second</p>');
  await expect(page.getByLabel('Label', { exact: true })).toHaveValue('Your wish');
  await reopen(page, 'Links', `${title} now`, () =>
    updateLink({ linkId: id, body: '<p>Third</p>' }),
  );
  await expect(content).toHaveValue('<p>Third</p>');
  await type(page.getByLabel('Label', { exact: true }), '?');
  await save(page);
  await expect
    .poll(async () => (await readLink(id)).form)
    .toEqual({ fields: [{ label: 'Your wish?' }] });
  expect((await readLink(id)).body).toBe('<p>Third</p>');
});

test('a conflict of one field of a page is decided by the person', async ({ page }) => {
  const { id } = await createLink({ kind: 'PAGE', title: 'One body', body: '<p>First</p>' });
  await loadScreen(page, `/links/${id}`);
  const content = page.getByLabel('Content', { exact: true });
  await expect(content).toHaveValue('<p>First</p>');
  await content.fill('<p>Mine</p>');
  await updateLink({ linkId: id, body: '<p>Of a colleague</p>' });
  await save(page);
  const conflict = conflictOf(page);
  await expect(conflict.getByLabel('Content, as saved elsewhere')).toHaveValue(
    '<p>Of a colleague</p>',
  );
  await expect(content).toHaveValue('<p>Mine</p>');
  expect((await readLink(id)).body).toBe('<p>Of a colleague</p>');
  await conflict.getByRole('button', { name: 'Save mine over it' }).click();
  await expectSaved(page);
  expect((await readLink(id)).body).toBe('<p>Mine</p>');
});

test('variants that were saved elsewhere are not replaced by those of the cache', async ({
  page,
}) => {
  const title = unique('Split');
  const sides = (weight: number) => [
    { destinationUrl: 'https://one.example/', weight },
    { destinationUrl: 'https://two.example/', weight: 1 },
  ];
  const { id } = await createLink({
    title,
    destinationUrl: 'https://one.example/',
    variants: sides(1),
  });
  await loadScreen(page, `/links/${id}`);
  await page.getByRole('button', { name: 'Change', exact: true }).click();
  const weight = page.getByRole('group', { name: 'Variant 1' }).getByLabel('Weight');
  await expect(weight).toHaveValue('1');
  await reopen(page, 'Links', title, () => updateLink({ linkId: id, variants: sides(5) }));
  await page.getByRole('button', { name: 'Change', exact: true }).click();
  await expect(weight).toHaveValue('5');
  await page.getByRole('group', { name: 'Variant 2' }).getByLabel('Weight').fill('2');
  await updateLink({ linkId: id, variants: sides(7) });
  await save(page);
  const conflict = conflictOf(page);
  await conflict.getByRole('button', { name: 'Discard mine' }).click();
  await expect(weight).toHaveValue('7');
  expect((await readLink(id)).variants).toEqual(sides(7));
});

test('unsaved text is left only after a question, by a link, by Back and by closing', async ({
  page,
}) => {
  const id = await saveDraft({ title: 'Left', content: 'Stored.' });
  await loadScreen(page, '/drafts');
  await page.getByRole('main').getByRole('link', { name: 'Left' }).first().click();
  await awaitScreen(page);
  await page.waitForURL(`**/drafts/${id}`);
  await type(textOf(page), ' Typed.');
  const question = page.getByRole('dialog', { name: 'Leave without saving?' });
  await follow(page, 'Documents');
  const stay = question.getByRole('button', { name: 'Stay on this page' });
  await expect(stay).toBeVisible();
  await checkAccess(page, 'the question before leaving');
  await expect(stay).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(question).toHaveCount(0);
  await page.goBack();
  await expect(question).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`/drafts/${id}$`));
  await escapeDialog(question);
  await expect(textOf(page)).toHaveValue('Stored. Typed.');
  await chooseInAccount(page, 'Forget the key');
  await stay.click();
  await expect(question).toHaveCount(0);
  const asked = page.waitForEvent('dialog');
  await page.close({ runBeforeUnload: true });
  const dialog = await asked;
  expect(dialog.type()).toBe('beforeunload');
  await dialog.dismiss();
  await page.goBack();
  await question.getByRole('button', { name: 'Leave without saving' }).click();
  await expect(heading(page, 'Drafts')).toBeVisible();
  await expect(page).toHaveURL(/\/drafts$/);
  expect(await draftText(id)).toBe('Stored.');
});

test('saved text and a deleted draft are left without a question', async ({ page }) => {
  const id = await saveDraft({ title: 'Saved and left', content: 'Stored.' });
  await openScreen(page, `/drafts/${id}`);
  await type(textOf(page), ' Typed.');
  await save(page);
  await expectSaved(page);
  await follow(page, 'Documents');
  await expect(heading(page, 'Documents')).toBeVisible();
  await page.goBack();
  await expect(textOf(page)).toHaveValue('Stored. Typed.');
  await type(textOf(page), ' More.');
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  const question = page.getByRole('dialog', { name: /Delete/ });
  await question.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(heading(page, 'Drafts')).toBeVisible();
});

/** Ends the session of the cookie, as signing out in another tab does. */
async function endSession(page: Page) {
  const address = `${gateway}/api/public/auth/session`;
  expect(
    await page.evaluate(async (url) => (await fetch(url, { method: 'DELETE' })).ok, address),
  ).toBe(true);
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
}

test('unsaved text of a draft that was deleted elsewhere stays, and is saved as a new draft', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const title = unique('Deleted elsewhere');
  const id = await saveDraft({ title, content: 'The first text.' });
  await loadScreen(page, `/drafts/${id}`);
  await type(textOf(page), ' And mine.');
  await mutate('deleteDraft', { draftId: id }, 'deletedId');
  const alert = page.getByRole('alert').filter({ hasText: 'was deleted elsewhere' });
  await expect(alert).toBeVisible();
  await expect(textOf(page)).toHaveValue('The first text. And mine.');
  await type(textOf(page), ' More.');
  await checkAccess(page, 'a draft that was deleted elsewhere');
  await checkPhone(page);
  await page.getByRole('button', { name: 'Copy the text' }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    'The first text. And mine. More.',
  );
  await page.getByRole('button', { name: 'Save as a new draft' }).click();
  await expect(page).not.toHaveURL(new RegExp(id));
  await expect(page).toHaveURL(/\/drafts\/\w+$/);
  await expect(alert).toHaveCount(0);
  await expect(textOf(page)).toHaveValue('The first text. And mine. More.');
  await expect(page.getByLabel('Title', { exact: true })).toHaveValue(title);
});

test('an unsaved text of a document that was deleted elsewhere stays', async ({ page }) => {
  const id = await createDocument(unique('Deleted document'));
  await loadScreen(page, `/documents/${id}`);
  const panel = page.getByRole('region', { name: 'Text', exact: true });
  await panel.getByRole('button', { name: 'Edit' }).click();
  const field = panel.getByRole('textbox', { name: 'Text' });
  await type(field, ' Mine.');
  await mutate('deleteDocument', { documentId: id }, 'deletedId');
  await expect(page.getByRole('alert').filter({ hasText: 'was deleted elsewhere' })).toBeVisible();
  await expect(field).toHaveValue(/ Mine\.$/);
});

test('unsaved text survives a revoked key', async ({ page }) => {
  const input = { name: 'to revoke', scopes: ['READ', 'WRITE'] };
  const { secret, key: minted } = await mutate('mintKey', input, 'secret key { id }');
  const id = await saveDraft({ title: 'Kept', content: 'Stored.' });
  await openScreen(page, `/drafts/${id}`, { as: secret });
  await type(textOf(page), ' Typed.');
  await mutate('revokeKey', { keyId: minted.id }, 'key { id }');
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await expect(page.getByText('Your unsaved text is kept.')).toBeVisible();
  await expect(textOf(page)).toBeHidden();
  await checkAccess(page, 'the sign-in over unsaved text');
  await signInWithKey(page, 'rsk_wrong');
  // The form starts again.
  await expect(page.getByLabel('Workspace key', { exact: true })).toHaveValue('');
  await signInWithKey(page, key);
  await expect(heading(page, 'Kept')).toBeVisible();
  await awaitScreen(page);
  await expect(textOf(page)).toHaveValue('Stored. Typed.');
  await expect(page).toHaveTitle(/^Kept/);
  await save(page);
  await expectSaved(page);
  expect(await draftText(id)).toBe('Stored. Typed.');
});

test('unsaved text survives the end of a session, and is not shown to others', async ({ page }) => {
  const id = await saveDraft({ title: 'Of one user', content: 'Stored.' });
  await openAsUser(page, `/drafts/${id}`);
  await type(textOf(page), ' Typed.');
  await endSession(page);
  await signIn(page);
  await expect(heading(page, 'Of one user')).toBeVisible();
  await awaitScreen(page);
  await expect(textOf(page)).toHaveValue('Stored. Typed.');
  await endSession(page);
  await signInWithKey(page, key);
  await expect(heading(page, 'Of one user')).toBeVisible();
  await awaitScreen(page);
  await expect(textOf(page)).toHaveValue('Stored.');
});

test('unsaved text survives a sign-in by the identity provider until it is saved, and is not shown to others', async ({
  page,
}) => {
  const id = await saveDraft({ title: 'Over two pages', content: 'Stored.' });
  await openAsUser(page, `/drafts/${id}`);
  await type(textOf(page), ' Typed.');
  await endSession(page);
  await expect(page.getByText('Your unsaved text is kept.')).toBeVisible();
  // Without a question.
  await page.getByRole('link', { name: 'Sign in with your organisation' }).click();
  await expect(textOf(page)).toHaveValue('Stored. Typed.');
  await awaitScreen(page);
  // A key of the workspace.
  await page.goto(`${screenAddress(`/drafts/${id}`, null)}?again#key=${key}`);
  await page.getByRole('button', { name: 'Stay signed in' }).click();
  await expect(textOf(page)).toHaveValue('Stored. Typed.');
  await awaitScreen(page);
  await saveDraft({ draftId: id, content: 'The text of a colleague.' });
  await save(page);
  await expect(conflictOf(page)).toBeVisible(); // the changes began with the version before
  await page.getByRole('button', { name: 'Save mine over it' }).click();
  await expectSaved(page);
  expect(await draftText(id)).toBe('Stored. Typed.');
  await saveDraft({ draftId: id, content: 'A later text.' });
  await page.goto(screenAddress('/', null));
  await awaitScreen(page);
  await page.goto(screenAddress(`/drafts/${id}`, null));
  await expect(textOf(page)).toHaveValue('A later text.');
  const stored = await page.evaluate(() => Object.keys(sessionStorage).join());
  expect(stored).not.toContain('rostrum.unsaved');
});

test('unsaved text of a second workspace returns in that workspace only', async ({ page }) => {
  await openAsUser(page, '/');
  await chooseInAccount(page, 'Second');
  await expect(page.getByRole('main').getByText('Second', { exact: true })).toBeVisible();
  await follow(page, 'Drafts');
  await page.getByLabel('Title').fill('Of the second workspace');
  await page.getByRole('button', { name: 'New draft' }).click();
  await expect(textOf(page)).toBeVisible();
  await awaitScreen(page);
  await type(textOf(page), 'Typed.');
  await endSession(page);
  await signIn(page); // whose first workspace is another
  await expect(heading(page, 'Of the second workspace')).toBeVisible();
  await awaitScreen(page);
  await expectWords(page, 'Typed.');
  await endSession(page);
  await signInWithKey(page, key);
  await expect(page.getByText('There is nothing at this address')).toBeVisible();
  await expect(page.getByText('Typed.')).toHaveCount(0);
});
