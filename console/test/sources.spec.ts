// Sources: a feed is tried, then read, with the progress of its job; lists and single sources.
import { expect, test } from './fixtures';
import { createDocument, createSource, graph, mutate, readKey, unique } from './gateway';
import { checkAccess, checkPhone, openScreen, region } from './screen';

const preview = { name: 'Preview', exact: true };

const isHere = async (title: string) => {
  const query = 'query($q: String!) { documents(first: 5, filter: { q: $q }) { totalCount } }';
  return (await graph(query, { q: `"${title}"` })).documents.totalCount > 0;
};

test('a feed is tried, which creates nothing, and then read', async ({ page, sites }) => {
  const titles = [unique('Ferry'), unique('Quay')];
  const feed = await sites.feed(titles);
  await openScreen(page, '/sources');
  await page.getByLabel('Address of the feed or sitemap').fill(feed);
  await page.keyboard.press('Enter'); // tries it
  const tried = region(page, `Preview · ${feed}`);
  await expect(tried.getByText('2 texts would be read')).toBeVisible();
  await expect(tried.getByText('new', { exact: true })).toHaveCount(2);
  await checkAccess(page, 'the preview of a feed');
  await checkPhone(page);
  await page.setViewportSize({ width: 1280, height: 900 });
  expect(await isHere(titles[0] ?? '')).toBe(false);
  await tried.getByRole('button', { name: 'Read these 2 texts' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Read these 2 texts' }).click();
  const read = region(page, feed);
  for (const title of titles) {
    await expect(read.getByRole('link', { name: title })).toBeVisible();
  }
  await expect(read.getByText('2 texts read')).toBeVisible();
  await page.getByLabel('Address of the feed or sitemap').fill(feed);
  await page.getByRole('button', preview).click();
  await expect(tried.getByText('0 texts would be read · 2 are here already')).toBeVisible();
  await expect(tried.getByRole('button', { name: /^Read/ })).toHaveCount(0);
});

test('a list says which addresses it leaves out, and a feed that is none says why', async ({
  page,
}) => {
  await openScreen(page, '/sources');
  await page.getByText('List', { exact: true }).click();
  await page.getByLabel('Addresses').fill('http://127.0.0.1:9/a\nno-address\nhttp://127.0.0.1:9/a');
  await page.getByRole('button', preview).click();
  await expect(page.getByRole('alert').getByText('2 addresses are left out')).toBeVisible();
  await checkAccess(page, 'addresses that are left out');
  await page.getByText('Feed or sitemap', { exact: true }).click();
  await page.getByLabel('Address of the feed or sitemap').fill('no-address');
  await page.getByRole('button', preview).click();
  await expect(page.locator('[aria-invalid=true]')).toBeVisible();
});

test('one source is read with its type detected, and is known the second time', async ({
  page,
  sites,
}) => {
  const title = unique('Slipway');
  const { address, open } = await sites.pausedPage(title);
  open();
  await openScreen(page, '/sources');
  await page.getByText('One source', { exact: true }).click();
  const field = page.getByLabel('Address of the source');
  await field.fill(address);
  await page.getByRole('button', { name: 'Read this source' }).click();
  await expect(page.getByRole('status').getByText('It is being read:')).toBeVisible();
  await expect.poll(() => isHere(title)).toBe(true);
  await page.getByRole('button', { name: 'Read this source' }).click();
  await expect(page.getByRole('status').getByText('It is here already:')).toBeVisible();
});

test('a news page becomes a source, and its new texts come in by themselves', async ({
  page,
  sites,
}) => {
  const titles = [unique('Barrage')];
  const name = unique('Tidewall news');
  await openScreen(page, '/sources');
  await page.getByLabel('Address of a site, feed or sitemap').fill(await sites.news(titles));
  await page.keyboard.press('Enter'); // looks at it
  await expect(page.getByRole('status').getByText(titles[0] ?? '')).toBeVisible();
  await page.getByLabel('Name', { exact: true }).fill(name);
  await checkAccess(page, 'a source before it is added');
  await page.getByRole('button', { name: 'Add this source' }).click();
  const row = region(page, 'Sources that go on').getByRole('listitem').filter({ hasText: name });
  await expect(row.getByText('one document')).toBeVisible();
  const later = unique('Second barrage');
  titles.unshift(later);
  await row.getByRole('button', { name: `Check now: ${name}` }).click();
  await expect(row.getByText('2 documents')).toBeVisible();
  await row.getByRole('link', { name }).click();
  await expect(page.getByRole('link', { name: later })).toBeVisible();
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('Labels of its documents').fill('press, harbour');
  await checkAccess(page, 'a source that is edited');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(region(page, 'Settings and state').getByText('harbour')).toBeVisible();
  await page.getByRole('button', { name: 'Pause' }).click();
  await expect(region(page, 'Settings and state').getByText('Paused')).toBeVisible();
  await checkAccess(page, 'a source with documents');
  await checkPhone(page);
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByRole('heading', { name: 'Sources', exact: true })).toBeVisible();
  await expect(page.getByText(name)).toHaveCount(0);
  expect(await isHere(later)).toBe(true);
});

test('a page without a feed becomes a source by its links', async ({ page, sites }) => {
  const titles = [unique('Sluice')];
  const name = unique('Press room');
  await openScreen(page, '/sources');
  await page.getByLabel('Address of a site, feed or sitemap').fill(await sites.list(titles));
  await page.keyboard.press('Enter'); // looks at it
  await expect(page.getByText('Proposal: most links')).toBeVisible();
  await checkAccess(page, 'the links of a page');
  await page.getByRole('radio', { name: /\/about\/$/ }).check();
  await page.getByRole('button', { name: 'Show what would come in' }).click();
  await expect(page.getByRole('status').getByText('Jobs')).toBeVisible();
  await page.getByLabel('Addresses of articles begin with').fill('news');
  await page.keyboard.press('Enter');
  await expect(page.locator('[aria-invalid=true]')).toBeVisible();
  await page.getByRole('radio', { name: /\/news\/$/ }).check();
  await page.getByRole('button', { name: 'Show what would come in' }).click();
  await expect(page.getByRole('status').getByText(titles[0] ?? '')).toBeVisible();
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByLabel('Not with these words in the title').fill('archive');
  await checkAccess(page, 'a page before it is added');
  await checkPhone(page);
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.getByRole('button', { name: 'Add this source' }).click();
  const row = region(page, 'Sources that go on').getByRole('listitem').filter({ hasText: name });
  await expect(row.getByText('one document')).toBeVisible();
  titles.unshift(unique('Second sluice'));
  await row.getByRole('button', { name: `Check now: ${name}` }).click();
  await expect(row.getByText('2 documents')).toBeVisible();
  await row.getByRole('link', { name }).click();
  await expect(page.getByText(/^Links that begin with .*\/news\/$/)).toBeVisible();
  await page.getByRole('button', { name: 'Edit' }).click();
  await expect(page.getByLabel('Addresses of articles begin with')).toHaveValue(/\/news\/$/);
});

test('a mailbox becomes a source, and its mails come in by themselves', async ({ page, sites }) => {
  const subjects = [unique('Lock gate')];
  const name = unique('Press mail');
  const port = await sites.mailbox({ subjects, password: 'right' });
  await openScreen(page, '/sources');
  await page.getByText('Mailbox', { exact: true }).click();
  await page.getByLabel('Mail server (IMAP)').fill('127.0.0.1');
  await page.getByLabel('Encryption').selectOption('NONE');
  await expect(page.getByLabel('Port')).toHaveValue('143');
  await page.getByLabel('Port').fill(port);
  await page.getByLabel('User name').fill('press@example.com');
  await page.getByRole('textbox', { name: 'Password' }).fill('wrong');
  await page.getByRole('button', { name: 'Look into it' }).click();
  await expect(page.getByText('refused the user name or the password')).toBeVisible();
  await checkAccess(page, 'a mailbox that refuses the password');
  await page.getByRole('textbox', { name: 'Password' }).fill('right');
  await page.keyboard.press('Enter'); // looks into it
  await expect(page.getByRole('status').getByText(subjects[0] ?? '')).toBeVisible();
  await page.getByLabel('Name', { exact: true }).fill(name);
  await checkAccess(page, 'a mailbox before it is added');
  await page.getByRole('button', { name: 'Add this source' }).click();
  const row = region(page, 'Sources that go on').getByRole('listitem').filter({ hasText: name });
  await expect(row.getByText('one document')).toBeVisible();
  const later = unique('Second lock gate');
  subjects.push(later);
  await row.getByRole('button', { name: `Check now: ${name}` }).click();
  await expect(row.getByText('2 documents')).toBeVisible();
  await row.getByRole('link', { name }).click();
  await expect(page.getByRole('link', { name: later })).toBeVisible();
  await page.getByRole('button', { name: 'Edit' }).click();
  await expect(page.getByRole('textbox', { name: 'Password' })).toHaveValue('');
  await page.getByLabel('Folder').fill('Press');
  await checkAccess(page, 'a mailbox that is edited');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText(/\/Press$/)).toBeVisible();
  await checkPhone(page);
  await page.setViewportSize({ width: 1280, height: 900 });
});

test('a source that two people edit keeps what both changed, and asks about the same field', async ({
  page,
}) => {
  const sourceId = await createSource({ name: unique('Paper'), isPaused: true });
  const mine = unique('Mine');
  const theirs = unique('Theirs');
  await openScreen(page, `/sources/${sourceId}`);
  const settings = region(page, 'Settings and state');
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('Labels of its documents').fill('harbour');
  await mutate('updateSource', { sourceId, titleIncludes: ['ferry'] }, 'source { id }');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(settings.getByText('harbour')).toBeVisible();
  await expect(settings.getByText('Only titles with one of: ferry')).toBeVisible();
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('Name', { exact: true }).fill(mine);
  await mutate('updateSource', { sourceId, name: theirs }, 'source { id }');
  await expect(settings.getByLabel('Name, as saved elsewhere')).toHaveValue(theirs);
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue(mine);
  await checkAccess(page, 'a source that two people edit');
  await page.getByRole('button', { name: 'Save mine over it' }).click();
  await expect(page.getByRole('heading', { name: mine })).toBeVisible();
});

test('a reader sees the readings and starts none', async ({ page }) => {
  await createDocument('Read');
  await openScreen(page, '/sources', { as: readKey });
  await expect(page.getByRole('button', preview)).toBeDisabled();
  await expect(page.getByRole('button', { name: 'Read now' })).toBeDisabled();
  await checkAccess(page, 'the sources of a reader');
});
