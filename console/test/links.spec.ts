// Links: their opens and conversions over time, and the variants of a split test.
import { readFile } from 'node:fs/promises';
import { expect, test } from './fixtures';
import { createLink, type Data, graph, openLink } from './gateway';
import { createOpenedLink } from './rows';
import { checkAccess, checkPhone, expectInvalid, openScreen, region } from './screen';

test('opens of a link move live, and a wrong destination is shown at its field', async ({
  page,
}) => {
  const link = await createLink({ title: 'Counted' });
  await openScreen(page, '/links');
  const count = page.locator(`[data-link="${link.id}"] .count`);
  await expect(count).toHaveText('0');
  await openLink(link.shortUrl);
  await expect(count.getByText('1')).toBeVisible();
  await page.getByLabel('Destination').fill('nowhere');
  await page.getByRole('button', { name: 'New link' }).click();
  await expectInvalid(page.getByLabel('Destination'));
});

test('a split test is started, a wrong destination is shown at its field, and the test is ended for one side', async ({
  page,
}) => {
  const link = await createLink({ title: 'Split', destinationUrl: 'https://example.com/a' });
  const query =
    'query($id: ID!) { link(id: $id) { destinationUrl variants { id destinationUrl weight } } }';
  const stored = async () => (await graph(query, { id: link.id })).link;
  await openScreen(page, `/links/${link.id}`);
  const panel = region(page, 'Variants');
  await panel.getByRole('button', { name: 'Start a split test' }).click();
  const second = panel.getByRole('group', { name: 'Variant 2' });
  await second.getByLabel('Destination').fill('nowhere');
  await panel.getByRole('button', { name: 'Save' }).click();
  await expectInvalid(second.getByLabel('Destination'));
  await second.getByLabel('Destination').fill('https://example.com/b');
  await second.getByLabel('Weight').fill('3');
  await checkAccess(page, 'the form of a split test');
  await panel.getByRole('button', { name: 'Save' }).click();
  await expect(panel.locator('[data-side]').nth(1).getByText('75%')).toBeVisible();
  const ids = (await stored()).variants.map(({ id }: Data) => id);
  await panel.getByRole('button', { name: 'Change', exact: true }).click();
  await second.getByLabel('Destination').fill('https://example.com/c');
  await panel.getByRole('button', { name: 'Save' }).click();
  await expect(panel.getByRole('group', { name: 'https://example.com/c' })).toBeVisible();
  expect((await stored()).variants).toEqual([
    { id: ids[0], destinationUrl: 'https://example.com/a', weight: 1 },
    { id: ids[1], destinationUrl: 'https://example.com/c', weight: 3 },
  ]);
  const side = panel.getByRole('group', { name: 'https://example.com/c' });
  await side.getByRole('button', { name: 'Send everyone here' }).click();
  await page
    .getByRole('dialog', { name: /^End the test/ })
    .getByRole('button', { name: 'Send everyone here' })
    .click();
  await expect(panel.getByText('All viewers are sent to one destination.')).toBeVisible();
  expect(await stored()).toEqual({ destinationUrl: 'https://example.com/c', variants: [] });
});

test('opens and conversions of a link are plotted, with the same figures as a table', async ({
  page,
}) => {
  await openScreen(page, `/links/${await createOpenedLink('Plotted')}`);
  const panel = region(page, 'Over time');
  await expect(
    panel.getByRole('img', { name: 'Over time' }).locator('svg circle').first(),
  ).toBeVisible();
  const rows = panel.getByRole('table', { name: 'Over time' }).locator('tbody tr');
  const sum = async (column: number) =>
    (await rows.locator(`td:nth-of-type(${column})`).allInnerTexts())
      .map(Number)
      .reduce((a, b) => a + b);
  expect([await sum(1), await sum(2)]).toEqual([3, 1]);
  await expect(region(page, 'Conversions').getByText('click')).toBeVisible();
  await checkAccess(page, 'a plot of opens');
  await checkPhone(page);
  await checkAccess(page, 'a plot of opens on a phone');
});

test('the settings of a link are changed: destination, end, number of opens and password', async ({
  page,
}) => {
  const link = await createLink({ title: 'Limited', destinationUrl: 'https://example.com/a' });
  const query = `query($id: ID!) {
    link(id: $id) { destinationUrl expiresAt maxOpens endedReason hasPassword }
  }`;
  const stored = async () => (await graph(query, { id: link.id })).link;
  await openLink(link.shortUrl);
  await openScreen(page, `/links/${link.id}`);
  const panel = region(page, 'Settings');
  const save = panel.getByRole('button', { name: 'Save' });
  await panel.getByLabel('Destination').fill('https://example.com/b');
  await panel.getByLabel('Ends at').fill('2020-01-01T12:00');
  await panel.getByLabel('Opens allowed').fill('1');
  await panel.getByLabel('Password').fill('Tide & tables');
  await save.click();
  await expectInvalid(panel.getByLabel('Ends at'));
  await checkAccess(page, 'the settings of a link');
  expect(await stored()).toMatchObject({ maxOpens: null, hasPassword: false });
  await panel.getByLabel('Ends at').fill('2126-01-01T12:00');
  await save.click();
  await expect(page.getByText('This link has ended because it was opened')).toBeVisible();
  await expect(panel.getByLabel('New password')).toHaveValue('');
  expect(await stored()).toMatchObject({
    ...{ destinationUrl: 'https://example.com/b', maxOpens: 1, hasPassword: true },
    endedReason: 'USED_UP',
  });
  await openScreen(page, '/links');
  const row = page.locator(`[data-link="${link.id}"]`);
  await expect(row.getByText('Ended')).toBeVisible();
  await expect(row.getByText('Password')).toBeVisible();
  await openScreen(page, `/links/${link.id}`);
  await panel.getByLabel('Ends at').fill('');
  await panel.getByLabel('Opens allowed').fill('');
  await panel.getByLabel('Remove the password').check();
  await save.click();
  await expect(panel.getByLabel('Remove the password')).toBeHidden();
  expect(await stored()).toEqual({
    ...{ destinationUrl: 'https://example.com/b', expiresAt: null, maxOpens: null },
    ...{ endedReason: null, hasPassword: false },
  });
});

test('a link is made with an end, a number of opens and a password', async ({ page }) => {
  await openScreen(page, '/links');
  await page.getByLabel('Destination').fill('https://example.com/');
  await page.getByLabel('Ends at').fill('2126-01-01T12:00');
  await page.getByLabel('Opens allowed').fill('0');
  await page.getByLabel('Password').fill('Tide & tables');
  await page.getByRole('button', { name: 'New link' }).click();
  await expectInvalid(page.getByLabel('Opens allowed'));
  await page.getByLabel('Opens allowed').fill('3');
  await page.getByRole('button', { name: 'New link' }).click();
  await expect(region(page, 'Settings').getByLabel('Opens allowed')).toHaveValue('3');
  await expect(region(page, 'Settings').getByLabel('New password')).toBeVisible();
});

test('a QR code is saved, and a campaign becomes the destination', async ({ page }) => {
  const { id, shortUrl, slug } = await createLink({
    destinationUrl: 'https://example.com/?a=1#top',
  });
  await openScreen(page, `/links/${id}`);
  const code = region(page, 'QR code');
  await expect(code.getByRole('img', { name: `QR code of ${shortUrl}` })).toBeVisible();
  const kinds = { SVG: Buffer.from('<svg '), PNG: Buffer.from([0x89, 0x50, 0x4e, 0x47]) };
  for (const [kind, start] of Object.entries(kinds)) {
    const download = page.waitForEvent('download');
    await code.getByRole('button', { name: `Save as ${kind}` }).click();
    const saved = await download;
    expect(saved.suggestedFilename()).toBe(`${slug}.${kind.toLowerCase()}`);
    expect((await readFile(await saved.path())).subarray(0, start.length)).toEqual(start);
  }
  const campaign = region(page, 'Campaign address');
  await campaign.getByLabel('Source').fill('Autumn mail');
  const address = 'https://example.com/?a=1&utm_source=Autumn%20mail#top';
  await expect(campaign.getByText(address)).toBeVisible();
  await checkAccess(page, 'the campaign of a link');
  await campaign.getByRole('button', { name: 'Use as destination' }).click();
  await expect(region(page, 'Settings').getByLabel('Destination')).toHaveValue(address);
});

test('two changes of the same setting are a conflict, and changes of two settings are both kept', async ({
  page,
}) => {
  const link = await createLink({ title: 'Two people', destinationUrl: 'https://example.com/a' });
  const change = (input: Data) =>
    graph('mutation($input: UpdateLinkInput!) { updateLink(input: $input) { link { id } } }', {
      input: { linkId: link.id, ...input },
    });
  const stored = async () =>
    (await graph('query($id: ID!) { link(id: $id) { destinationUrl maxOpens } }', { id: link.id }))
      .link;
  await openScreen(page, `/links/${link.id}`);
  const panel = region(page, 'Settings');
  await panel.getByLabel('Destination').fill('https://example.com/mine');
  await change({ maxOpens: 70 });
  await panel.getByRole('button', { name: 'Save settings' }).click();
  await expect.poll(stored).toEqual({ destinationUrl: 'https://example.com/mine', maxOpens: 70 });
  await expect(panel.getByLabel('Opens allowed')).toHaveValue('70');
  await panel.getByLabel('Opens allowed').fill('90');
  await change({ maxOpens: 80 });
  // Once the change of the other arrives, the button is disabled.
  await panel
    .getByRole('button', { name: 'Save settings' })
    .click({ timeout: 3000 })
    .catch(() => null);
  const conflict = panel.getByRole('alert');
  await expect(conflict.getByRole('textbox')).toHaveValue('80');
  expect(await stored()).toEqual({ destinationUrl: 'https://example.com/mine', maxOpens: 80 });
  await checkAccess(page, 'a conflict of settings');
  await conflict.getByRole('button', { name: 'Save mine over it' }).click();
  await expect(conflict).toBeHidden();
  await expect.poll(stored).toEqual({ destinationUrl: 'https://example.com/mine', maxOpens: 90 });
});

test('opens are shown by campaign, site, browser and country, with how many converted', async ({
  page,
}) => {
  const link = await createLink({ title: 'Origin', tags: ['Autumn', 'Press'] });
  await openLink(`${link.shortUrl}?utm_source=letter&utm_campaign=Q3%20results`);
  await openScreen(page, `/links/${link.id}`);
  const panel = region(page, 'Where opens come from');
  await expect(panel.getByRole('row', { name: 'Not known' }).getByText('100%')).toBeVisible();
  const choice = panel.getByLabel('Opens by');
  await choice.selectOption('Campaign source');
  await expect(panel.getByRole('row', { name: 'letter' }).getByText('100%')).toBeVisible();
  await choice.selectOption('Campaign name');
  await expect(panel.getByRole('row', { name: 'Q3 results' })).toBeVisible();
  await choice.selectOption('Device');
  await expect(panel.getByRole('row', { name: /desktop|phone/ })).toBeVisible();
  await checkAccess(page, 'a breakdown of opens');
  await checkPhone(page);
  await checkAccess(page, 'a breakdown of opens on a phone');
});

test('links are found by their tags and words', async ({ page }) => {
  const tag = `Tag ${crypto.randomUUID().slice(0, 8)}`;
  const link = await createLink({ title: 'Tagged letter', tags: [tag] });
  await createLink({ title: 'Untagged letter' });
  await openScreen(page, '/links');
  await page.getByLabel('Tag', { exact: true }).selectOption(`${tag} (1)`);
  await expect(page.locator('[data-link]')).toHaveCount(1);
  await expect(page.locator(`[data-link="${link.id}"]`).getByText(tag)).toBeVisible();
  await page.getByLabel('Search links').fill('nothing has this');
  await page.getByLabel('Search links').press('Enter');
  await expect(page.getByText('No link matches')).toBeVisible();
  await checkAccess(page, 'links that are searched');
  await page.getByLabel('Search links').fill('LETTER');
  await page.getByLabel('Search links').press('Enter');
  await expect(page.locator('[data-link]')).toHaveCount(1);
  await page.getByRole('link', { name: 'Tagged letter' }).click();
  const settings = region(page, 'Settings');
  await settings.getByLabel('Tags').fill(`${tag}, Other, other`);
  await settings.getByRole('button', { name: 'Save settings' }).click();
  await expect(settings.getByLabel('Tags')).toHaveValue(`${tag}, Other`);
});
