// Links: their opens and conversions over time, and the variants of a split test.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { awaitScreen, awaitSuccess, checkAccess, checkWidth, openScreen } from './browser.mjs';
import { graph, openLink } from './gateway.mjs';
import { createOpenedLink } from './rows.mjs';

test('opens of a link move live, and a wrong destination is shown at its field', async (t) => {
  const { createLink } = await graph('mutation { createLink(input: { title: "Counted", destinationUrl: "https://example.com/" }) { link { id shortUrl } } }');
  const { page } = await openScreen(t, '/links');
  await awaitScreen(page);
  const count = page.locator(`[data-link="${createLink.link.id}"] .count`);
  assert.equal(await count.innerText(), '0');
  assert.equal(await openLink(createLink.link.shortUrl), 302);
  await count.getByText('1').waitFor();
  await page.getByLabel('Destination').fill('nowhere');
  await page.getByRole('button', { name: 'New link' }).click();
  await awaitSuccess(async () => assert.equal(await page.getByLabel('Destination').getAttribute('aria-invalid'), 'true'));
});

test('a split test is started, a wrong destination is shown at its field, and the test is ended for one side', async (t) => {
  const { createLink } = await graph('mutation { createLink(input: { title: "Split", destinationUrl: "https://example.com/a" }) { link { id } } }');
  const stored = async () => (await graph('query($id: ID!) { link(id: $id) { destinationUrl variants { id destinationUrl weight } } }', { id: createLink.link.id })).link;
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
  const ids = (await stored()).variants.map(({ id }) => id);
  await panel.getByRole('button', { name: 'Change', exact: true }).click();
  await second.getByLabel('Destination').fill('https://example.com/c');
  await panel.getByRole('button', { name: 'Save' }).click();
  await panel.getByRole('group', { name: 'https://example.com/c' }).waitFor();
  assert.deepEqual((await stored()).variants, [{ id: ids[0], destinationUrl: 'https://example.com/a', weight: 1 }, { id: ids[1], destinationUrl: 'https://example.com/c', weight: 3 }]);
  const side = panel.getByRole('group', { name: 'https://example.com/c' });
  await side.getByRole('button', { name: 'Send everyone here' }).click();
  await page.getByRole('dialog', { name: /^End the test/ }).getByRole('button', { name: 'Send everyone here' }).click();
  await panel.getByText('All viewers are sent to one destination.').waitFor();
  assert.deepEqual(await stored(), { destinationUrl: 'https://example.com/c', variants: [] });
});


test('opens and conversions of a link are plotted, with the same figures as a table', async (t) => {
  const { page } = await openScreen(t, `/links/${await createOpenedLink('Plotted')}`);
  await awaitScreen(page);
  const panel = page.getByRole('region', { name: 'Over time' });
  await panel.getByRole('img', { name: 'Over time' }).locator('svg circle').first().waitFor();
  const rows = await panel.getByRole('table', { name: 'Over time' }).locator('tbody tr').evaluateAll((all) => all.map((row) => [...row.querySelectorAll('td')].map((cell) => Number(cell.textContent))));
  assert.deepEqual([0, 1].map((column) => rows.reduce((sum, row) => sum + row[column], 0)), [3, 1]);
  await page.getByRole('region', { name: 'Conversions', exact: true }).getByText('click').waitFor();
  await checkAccess(page, 'a plot of opens');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.locator('header').getByRole('button', { name: 'Menu' }).waitFor();
  await checkWidth(page);
  await checkAccess(page, 'a plot of opens on a phone');
});
