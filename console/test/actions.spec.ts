// Actions that cannot be undone, refusals and failures: what the console asks, and what it shows
// when something goes wrong.
import { readFile } from 'node:fs/promises';
import { expect, type Log, type Page, test } from './fixtures';
import {
  createDocument,
  createLink,
  createWebhook,
  deadWebhook,
  graph,
  mutate,
  readKey,
  saveDraft,
  unique,
} from './gateway';
import {
  awaitScreen,
  checkAccess,
  expectInvalid,
  follow,
  heading,
  hold,
  loadScreen,
  openScreen,
  phone,
  region,
} from './screen';

const offline = 'The gateway does not answer. Your work is kept; try again in a moment.';

/** Returns whether the workspace has the object. */
const exists = async (id: string) =>
  (await graph('query($id: ID!) { node(id: $id) { id } }', { id })).node !== null;

/** Creates two documents that are related by their executive. */
async function createRelated(name: string) {
  const executive = unique('Pair Example');
  const create = async (title: string) => ({
    id: await createDocument(title, undefined, executive),
    title,
  });
  return [await create(unique(`${name} one`)), await create(unique(`${name} two`))] as const;
}

const related = (page: Page, title: string) =>
  region(page, 'Related documents').getByRole('link', { name: title });

test('a deletion is asked for the shown document, is cancelled by Escape and is withdrawn by navigation', async ({
  page,
}) => {
  const [one, two] = await createRelated('Asked');
  await openScreen(page, `/documents/${two.id}`);
  await related(page, one.title).click();
  await expect(heading(page, one.title)).toBeVisible();
  const remove = page.getByRole('main').getByRole('button', { name: 'Delete' });
  const question = page.getByRole('dialog', { name: `Delete “${one.title}” for good?` });
  await remove.click();
  await expect(question).toBeVisible();
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await expect(question.getByRole('button', { name: 'Delete', disabled: false })).toBeVisible();
  await checkAccess(page, 'a question of deletion');
  await page.keyboard.press('Escape');
  await expect(question).toHaveCount(0);
  await expect(remove).toBeFocused();
  await remove.click();
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(question).toHaveCount(0);
  await remove.click();
  await expect(question).toBeVisible();
  await page.goBack();
  await expect(heading(page, two.title)).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await remove.click();
  const other = page.getByRole('dialog', { name: `Delete “${two.title}” for good?` });
  await other.getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('The document was deleted.')).toBeVisible();
  await expect(heading(page, 'Documents')).toBeVisible();
  expect([await exists(one.id), await exists(two.id)]).toEqual([true, false]);
});

/** Creates an object of a kind, which no other test uses, and returns its id. */
const deletable = {
  documents: () => createDocument('Pressed twice'),
  drafts: () => saveDraft({ title: 'Pressed twice', content: 'Text.' }),
  links: async () => (await createLink({ title: 'Pressed twice' })).id,
  webhooks: () => createWebhook({ ...deadWebhook, label: 'Pressed twice', isActive: false }),
};

const mutations = (log: Log) => log.operations.filter((name) => name.startsWith('mutation'));

test.describe('a double-click asks and deletes nothing', () => {
  for (const [kind, create] of Object.entries(deletable)) {
    for (const width of [1280, phone]) {
      test(`${kind}, ${width} pixels wide`, async ({ page, log }) => {
        const id = await create();
        await openScreen(page, `/${kind}/${id}`, { width });
        await page
          .getByRole('main')
          .getByRole('button', { name: 'Delete', exact: true })
          .dblclick();
        const question = page.getByRole('dialog', { name: /^Delete “Pressed twice” for good\?$/ });
        await question.getByRole('button', { name: 'Cancel' }).click();
        await expect(question).toHaveCount(0);
        expect(await exists(id)).toBe(true);
        expect(mutations(log)).toEqual([]);
      });
    }
  }
});

test('a double-click revokes no key and ends no split test', async ({ page, log }) => {
  const name = unique('Twice');
  await mutate('mintKey', { name, scopes: ['READ'] }, 'key { id }');
  await openScreen(page, '/settings');
  const row = page.locator('[data-key]', { hasText: name });
  await row.getByRole('button', { name: 'Revoke' }).dblclick();
  await page
    .getByRole('dialog', { name: `Revoke the key “${name}” for good?` })
    .getByRole('button', { name: 'Cancel' })
    .click();
  const variants = ['a', 'b'].map((side) => ({ destinationUrl: `https://example.com/${side}` }));
  const link = await createLink({ title: 'Sides', variants });
  await loadScreen(page, `/links/${link.id}`);
  await page
    .getByRole('group', { name: 'https://example.com/b' })
    .getByRole('button', { name: 'Send everyone here' })
    .dblclick();
  await page
    .getByRole('dialog', { name: 'End the test and send everyone to https://example.com/b?' })
    .getByRole('button', { name: 'Cancel' })
    .click();
  expect(mutations(log)).toEqual([]);
});

test.describe('the name of an executive may have percent signs and slashes', () => {
  for (const name of ['100% Jane', 'Jane %2F Doe', 'Ann A/S Other']) {
    test(name, async ({ page }) => {
      await createDocument(unique('Named'), 'The harbour stays open in winter.', name);
      await loadScreen(page, `/executives/${encodeURIComponent(name)}`);
      await expect(heading(page, name)).toBeVisible();
    });
  }
});

test('an error of a screen leaves the navigation, and ends with a new try or another screen', async ({
  page,
  log,
}) => {
  await createLink({ title: 'Broken' });
  await openScreen(page, '/');
  await page.route('**/graphql', async (route) => {
    if (!route.request().postData()?.includes('query Links')) {
      return route.continue();
    }
    const response = await route.fetch();
    const text = await response.text();
    const body = text.replaceAll(/"shortUrl":"[^"]*"/g, '"shortUrl":"no address"');
    await route.fulfill({ response, body });
  });
  await follow(page, 'Links');
  await expect(page.getByRole('alert').getByText('This screen could not be shown.')).toBeVisible();
  await checkAccess(page, 'a screen with an error');
  await follow(page, 'Drafts');
  await expect(heading(page, 'Drafts')).toBeVisible();
  await follow(page, 'Links');
  await page.unroute('**/graphql');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('link', { name: 'Broken' }).first()).toBeVisible();
  expect(log.failures.splice(0), 'the errors are logged').not.toEqual([]);
});

test.describe('forms without a connection say so, in the language of the page', () => {
  const forms = [
    { path: '/filters', button: 'Add filter' },
    { path: '/filters', button: 'Add auto-tag' },
    { path: '/personas?add', button: 'Save' },
    { path: '/settings', button: 'Create key' },
    { path: '/links', button: 'New link' },
    { path: '/webhooks', button: 'New webhook' },
    {
      path: '/personas?add',
      button: 'Speichern',
      locale: 'de-DE',
      text: 'Das Gateway antwortet nicht.',
    },
  ];
  for (const { path, button, locale = 'en-US', text = offline } of forms) {
    test.describe(() => {
      test.use({ locale });
      test(`${path} ${button}`, async ({ page, context }) => {
        await openScreen(page, path);
        await context.setOffline(true);
        await page.getByRole('button', { name: button, exact: true }).click();
        await expect(page.getByRole('alert').getByText(text)).toBeVisible();
      });
    });
  }
  test('an action', async ({ page, context }) => {
    const id = await createDocument('Without a connection');
    await openScreen(page, `/documents/${id}`);
    await context.setOffline(true);
    await page.getByRole('button', { name: 'Find signals' }).click();
    await expect(page.getByRole('status').getByText(offline)).toBeVisible();
  });
});

test('coverage is checked again when the connection is back', async ({ page, context }) => {
  const point = { text: 'The depot closes', level: 'must' };
  const draft = await saveDraft({
    title: 'Away',
    content: 'Brackwell raises wages.',
    pullThroughPriorities: [point],
  });
  await openScreen(page, `/drafts/${draft}`);
  const coverage = region(page, 'Coverage');
  await context.setOffline(true);
  await page.getByLabel('Text', { exact: true }).fill('The depot closes.');
  await expect(coverage.getByRole('alert').getByText(offline)).toBeVisible();
  await context.setOffline(false);
  await expect(coverage.locator('[data-verdict=COVERED]')).toBeVisible();
  await expect(coverage.getByRole('alert')).toHaveCount(0);
});

test('each file that is refused is named with its reason; another keeps its original', async ({
  page,
}) => {
  await openScreen(page, '/documents?add');
  const good = unique('good');
  await page.locator('input[type=file]').setInputFiles([
    { name: 'empty.pdf', mimeType: 'application/pdf', buffer: Buffer.alloc(0) },
    {
      name: `${good}.txt`,
      mimeType: 'text/plain',
      buffer: Buffer.from('The board met in spring.'),
    },
    {
      name: 'unknown.bin',
      mimeType: 'application/octet-stream',
      buffer: Buffer.from([0, 1, 2, 3, 255, 254]),
    },
  ]);
  const failures = page.getByRole('alert').filter({ hasText: '2 files could not be added' });
  await expect(failures.getByText(/empty\.pdf: \w/)).toBeVisible();
  await expect(failures.getByText(/unknown\.bin: \w/)).toBeVisible();
  await expect(page.getByRole('status').getByText('One file is a document now.')).toBeVisible();
  await checkAccess(page, 'files that were refused');
  await page.getByRole('list', { name: 'Files' }).getByRole('link', { name: good }).click();
  await expect(heading(page, 'The board met in spring.')).toBeVisible();
  const original = page.getByRole('button', { name: `Original: ${good}.txt (1 KB)` });
  const download = page.waitForEvent('download');
  await original.click();
  const saved = await download;
  expect(saved.suggestedFilename()).toBe(`${good}.txt`);
  expect(await readFile(await saved.path(), 'utf8')).toBe('The board met in spring.');
});

test('while a document loads, the one before is not shown for it; a list stays while its filter changes', async ({
  page,
}) => {
  const [one, two] = await createRelated('Slow');
  await openScreen(page, `/documents/${one.id}`);
  const release = await hold(page, 'query DocumentScreen', two.id);
  await related(page, two.title).click();
  await expect(page.getByRole('status', { name: 'Loading' })).toBeVisible();
  expect(page.url()).toContain(two.id);
  await expect(page.getByText(one.title)).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Delete' })).toHaveCount(0);
  release();
  await expect(heading(page, two.title)).toBeVisible();
  await follow(page, 'Documents');
  await expect(page.getByRole('link', { name: one.title })).toBeVisible();
  const releaseList = await hold(page, 'query Documents', '"q":"nothing has these words"');
  await page.getByLabel('Search titles and texts').fill('nothing has these words');
  await page.getByLabel('Search titles and texts').press('Enter');
  await expect(page.locator('main [aria-busy=true]')).toBeVisible();
  await expect(page.getByRole('link', { name: one.title }), 'the list before').toHaveCount(1);
  releaseList();
  await expect(page.getByText('No document matches')).toBeVisible();
});

test('the list of documents offers new ones and leaves out deleted ones', async ({ page }) => {
  await openScreen(page, '/documents');
  const title = unique('Created elsewhere');
  const id = await createDocument(title);
  await page
    .getByRole('status')
    .getByRole('button', { name: /^\d+ new documents?: show$/ })
    .click();
  await expect(page.getByRole('link', { name: title })).toBeVisible();
  await expect(page.getByRole('button', { name: /new document/ })).toHaveCount(0);
  await mutate('deleteDocument', { documentId: id }, 'deletedId');
  await expect(page.getByRole('link', { name: title })).toHaveCount(0);
});

test('a short name that is taken is refused at its field', async ({ page }) => {
  const slug = `taken-${Date.now()}`;
  await createLink({ slug });
  await openScreen(page, '/links');
  await page.getByLabel('Destination').fill('https://example.com/');
  await page.getByLabel('Short name').fill(slug);
  await page.getByRole('button', { name: 'New link' }).click();
  await expectInvalid(page.getByLabel('Short name'));
  await expect(page.getByText('is taken', { exact: true })).toBeVisible();
  await expect(page.getByText(/\bslug\b/)).toHaveCount(0);
});

test('why executives cannot be compared is shown on the button', async ({ page, context }) => {
  for (const name of ['Ada Example', 'Bo Example']) {
    await createDocument(`Speech of ${name}`, undefined, name);
  }
  const compare = (page: Page) => page.getByRole('button', { name: 'Compare', exact: true });
  const reader = await context.newPage();
  await openScreen(reader, '/executives', { as: readKey });
  await expect(reader.getByText('Choose two or more executives below.')).toHaveCount(0);
  await compare(reader).focus();
  await expect(compare(reader)).toBeFocused();
  await reader.keyboard.press('Enter');
  await expect(reader.getByRole('status').getByText('Your role may read only')).toBeVisible();
  await openScreen(page, '/executives');
  await compare(page).press('Enter');
  await expect(
    page.getByRole('status').getByText('Choose two or more executives below.'),
  ).toBeVisible();
});

test.describe('a read-only key', () => {
  test.use({ expectedErrors: /$^/ });
  test('opens the settings without an error in the browser', async ({ page }) => {
    await loadScreen(page, '/settings', readKey);
    await expect(page.getByRole('alert').getByText('needs the scope admin')).toBeVisible();
    await expect(region(page, 'Run budget')).toBeVisible();
  });
});

test('near-duplicates of a document are found, and a document without any says so', async ({
  page,
}) => {
  const text =
    'The ferry to the islands leaves an hour earlier from May. Islanders had asked for it in a letter with six hundred names. The shipyard paints the boat until then.';
  const [one, two] = [unique('First edition'), unique('Second edition')];
  const first = await createDocument(one, text);
  await createDocument(two, `${text} The paper asked for a comment.`);
  const other = await createDocument(
    'Another matter',
    'Nine schools teach the history of the lighthouse, and its keeper answers the letters of their pupils every Friday.',
  );
  await loadScreen(page, `/documents/${first}`);
  const find = async () => {
    await awaitScreen(page);
    await page.getByRole('button', { name: 'Find near-duplicates' }).click();
    return region(page, 'Near-duplicates');
  };
  const second = (await find()).getByRole('link', { name: two });
  await expect(second).toBeVisible();
  await checkAccess(page, 'near-duplicates');
  await second.click();
  await expect(heading(page, two)).toBeVisible();
  await expect((await find()).getByRole('link', { name: one })).toBeVisible();
  await loadScreen(page, `/documents/${other}`);
  await expect((await find()).getByText('No text is nearly the same')).toBeVisible();
});
