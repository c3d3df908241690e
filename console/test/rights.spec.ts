// What a screen shows to a viewer who may not write or is no administrator, and which request it
// makes and offers to copy.
import { expect, type Page, test } from './fixtures';
import { createDocument, createLink, gateway, graph, readKey, unique } from './gateway';
import {
  awaitScreen,
  checkAccess,
  chooseInAccount,
  escapeDialog,
  expectSaved,
  follow,
  heading,
  loadScreen,
  openAsUser,
  openRequest,
  openScreen,
  region,
  save,
} from './screen';

const notice = 'You may only read here.';

test.describe('a screen says once that its viewer may only read', () => {
  const paths = ['/', '/documents', '/documents/ID', '/drafts', '/links', '/webhooks', '/settings'];
  for (const path of paths) {
    test(path, async ({ page }) => {
      const id = path.includes('ID') ? await createDocument('Read only') : '';
      await openScreen(page, path.replace('ID', id), { as: readKey });
      await expect(page.getByRole('note').getByText(notice)).toBeVisible();
      await expect(page.getByText(notice)).toHaveCount(1);
      await checkAccess(page, `${path} of a viewer who may only read`);
    });
  }
  test('not to one who may write', async ({ page }) => {
    await openScreen(page, '/drafts');
    await expect(page.getByRole('button', { name: 'New draft' })).toBeVisible();
    await expect(page.getByText(notice)).toHaveCount(0);
  });
  test.describe(() => {
    test.use({ locale: 'de-DE' });
    test('in German', async ({ page }) => {
      await loadScreen(page, '/links', readKey);
      await expect(page.getByRole('note').getByText('Hier darf nur gelesen werden.')).toBeVisible();
    });
  });
});

test.describe('what a viewer may not see says so, with the reason', () => {
  test('the parts of the settings for administrators', async ({ page }) => {
    await openScreen(page, '/settings', { as: readKey });
    const alert = page.getByRole('alert');
    await expect(alert.getByText('You may not see this')).toBeVisible();
    await expect(alert.getByText('needs the scope admin')).toBeVisible();
    await expect(region(page, 'Audit log')).toHaveCount(0);
    await checkAccess(page, 'the settings of a reader');
  });
  test('a screen that the gateway refuses', async ({ page }) => {
    const message = 'documents needs the scope read';
    const json = { errors: [{ message, extensions: { code: 'insufficient_scope' } }], data: null };
    const contentType = 'application/graphql-response+json';
    await page.route('**/graphql', (route) => route.fulfill({ status: 403, contentType, json }));
    await loadScreen(page, '/documents');
    const alert = page.getByRole('alert');
    await expect(alert.getByText('You may not see this')).toBeVisible();
    await expect(alert.getByText(message)).toBeVisible();
    await expect(page.getByRole('button', { name: 'Try again' })).toHaveCount(0);
    await checkAccess(page, 'a screen that is refused');
  });
});

test('the settings of a member are one request, also as the first screen', async ({
  page,
  log,
}) => {
  await openAsUser(page, '/');
  await chooseInAccount(page, 'Second'); // of which the user is a member
  await expect(page.getByRole('banner').getByRole('button', { name: 'Second' })).toBeVisible();
  await awaitScreen(page);
  log.operations.length = 0;
  await page.goto(`${gateway}/console/settings`);
  await expect(page.getByRole('alert').getByText('You may not see this')).toBeVisible();
  await expect(region(page, 'Run budget')).toBeVisible();
  await awaitScreen(page);
  expect(log.operations).toEqual(['query SettingsOfMember']);
});

test('scopes that were changed since they were stored are corrected by the response', async ({
  page,
  log,
}) => {
  await openAsUser(page, '/');
  await page.evaluate(() =>
    Object.keys(localStorage)
      .filter((name) => name.startsWith('rostrum.scopes'))
      .forEach((name) => localStorage.setItem(name, 'READ,WRITE')),
  );
  log.operations.length = 0;
  await page.goto(`${gateway}/console/settings`);
  await expect(region(page, 'Audit log')).toBeVisible();
  await awaitScreen(page);
  expect(log.operations).toEqual(['query SettingsOfMember', 'query Settings']);
  log.operations.length = 0;
  await page.reload();
  await expect(region(page, 'Audit log')).toBeVisible();
  await awaitScreen(page);
  expect(log.operations).toEqual(['query Settings']);
});

/** Returns the request that the screen offers to copy. */
async function copied(page: Page, operation: string) {
  const dialog = await openRequest(page, operation);
  const text = await dialog.locator('pre').innerText();
  await escapeDialog(dialog);
  return text;
}

test('the request to copy is that of the screen after another one was made', async ({
  page,
  log,
}) => {
  const title = unique('Copied');
  const link = await createLink({ kind: 'PAGE', title, body: '<p>First</p>' });
  await openScreen(page, `/links/${link.id}`);
  const before = await copied(page, 'LinkScreen');
  await page.getByLabel('Title', { exact: true }).fill(`${title} again`);
  await save(page);
  await expectSaved(page);
  expect(log.operations, 'another query was made').toContain('query StoredPage');
  expect(await copied(page, 'LinkScreen')).toBe(before);
  expect(before).toContain(link.id);
  expect(before).not.toContain('__typename');
  await follow(page, 'Links');
  await expect(heading(page, 'Links')).toBeVisible();
  await copied(page, 'Links');
});

test('the copied request is answered by the gateway as the screen shows it', async ({ page }) => {
  const title = unique('Asked');
  await createDocument(title);
  await openScreen(page, `/documents?q=${encodeURIComponent(title)}`);
  const [query = '', variables = ''] = (await copied(page, 'Documents')).split('# variables');
  const { documents } = await graph(query, JSON.parse(variables.replaceAll(/^# /gm, '')));
  expect(documents.nodes).toMatchObject([{ title }]);
});
