// Screens with what needs a text model or an embedding model: a server of the test answers for
// both.
import { expect, test } from './fixtures';
import { createDocument, createPersona, type Data, extractSignals, graph, mutate } from './gateway';
import { compare } from './rows';
import { checkAccess, follow, openScreen, region } from './screen';

test('the health of a persona is measured and plotted, and the model has a row in the settings', async ({
  page,
}) => {
  const persona = await createPersona({ name: 'Measured', interests: 'harbour' });
  await openScreen(page, `/personas/${persona}`);
  const health = region(page, 'Health');
  await expect(health.getByText('Not measured yet')).toBeVisible();
  await health.getByRole('button', { name: 'Measure' }).click();
  await expect(health.getByText('flagged', { exact: true })).toBeVisible(); // without a reload
  const adherence = health.locator('[data-measure="adherence"]');
  await expect(adherence.getByText('100%')).toBeVisible();
  await expect(
    health.locator('[data-measure="spread"]').getByText('One opinion of everything'),
  ).toBeVisible();
  await checkAccess(page, 'measured health');
  await follow(page, 'Settings');
  const row = region(page, 'Models')
    .last()
    .getByRole('row', { name: /scripted-1/ });
  await expect(row).toBeVisible();
  const { viewer } = await graph('{ viewer { workspace { modelTotals { model calls } } } }');
  const totals: Data[] = viewer.workspace.modelTotals;
  const calls = totals.find(({ model }) => model === 'scripted-1').calls;
  await expect(row.getByRole('cell').first()).toHaveText(String(calls));
});

test('attacks and defenses of the strategic map open their passages', async ({ page }) => {
  for (const [executive, company, text] of [
    ['Ines Okafor', 'Tidewall', 'Tidal power is a great success'],
    ['Marcus Lee', 'Saltmarsh', 'Tidal power is a terrible risk for the eels'],
  ]) {
    const content = `“${text},” said ${executive}, chief executive of ${company}.`;
    const title = `Statement of ${executive}`;
    await extractSignals(await createDocument(title, content, executive, { company }));
  }
  const executives = ['Ines Okafor', 'Marcus Lee'];
  const comparison = await compare({ theme: 'tidal power', executives, ownCompany: 'Tidewall' });
  await openScreen(page, `/comparisons/${comparison}`);
  const picture = page.getByRole('group', { name: /Strategic map/ });
  await expect(
    picture.getByRole('link', { name: /Attack: .* Your statements: 1; of others: 0/ }),
  ).toBeVisible();
  await checkAccess(page, 'a strategic map with sides');
  await picture
    .getByRole('link', { name: /Defend: .* Your statements: 0; of others: 1/ })
    .press('Enter');
  await expect(page.locator('mark[data-current]').getByText('terrible risk')).toBeVisible();
});

test('passages that are near a search in meaning open in their documents', async ({
  page,
  log,
}) => {
  const { document } = await mutate(
    'createDocument',
    { title: 'Notice', content: 'Workers shut the port in May.' },
    'document { id }',
  );
  const query = '{ passages(search: "Workers") { pendingDocumentCount } }';
  await expect.poll(async () => (await graph(query)).passages.pendingDocumentCount).toBe(0);
  await openScreen(page, '/documents');
  const find = page.getByRole('button', { name: 'Find passages near this in meaning' });
  await expect(find, 'nothing is searched').toHaveCount(0);
  await page.getByLabel('Search titles and texts').fill('crew closes harbour');
  await page.keyboard.press('Enter');
  await expect(page.getByText('No document matches')).toBeVisible();
  expect(log.operations).not.toContain('query NearPassages');
  await find.click();
  const found = region(page, 'Passages near this in meaning, in all documents');
  await expect(found.getByText('Notice')).toBeVisible();
  await checkAccess(page, 'passages near a search');
  await found.getByRole('link', { name: 'Workers shut the port in May.' }).click();
  await expect(
    page.locator('mark[data-current]').getByText('Workers shut the port in May.'),
  ).toBeVisible();
  expect(page.url()).toContain(document.id);
});
