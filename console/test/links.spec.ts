// Links: their opens and conversions over time, and the variants of a split test.
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
