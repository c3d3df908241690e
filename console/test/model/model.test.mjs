// Screens with what needs a text model or an embedding model: a server of the test answers for both.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { awaitScreen, awaitSuccess, checkAccess, openScreen } from '../browser.mjs';
import { graph } from '../gateway.mjs';

test('the health of a persona is measured and plotted, and the model has a row in the settings', async (t) => {
  const { createPersona } = await graph('mutation { createPersona(input: { name: "Measured", interests: "harbour" }) { persona { id } } }');
  const { page } = await openScreen(t, `/personas/${createPersona.persona.id}`);
  await awaitScreen(page);
  const health = page.getByRole('region', { name: 'Health' });
  await health.getByText('Not measured yet').waitFor();
  await health.getByRole('button', { name: 'Measure' }).click();
  await health.getByText('flagged', { exact: true }).waitFor(); // without a reload
  const adherence = health.locator('[data-measure="adherence"]');
  await adherence.getByText('100%').waitFor();
  await health.locator('[data-measure="spread"]').getByText('One opinion of everything').waitFor();
  await checkAccess(page, 'measured health');
  await page.getByRole('navigation').getByRole('link', { name: 'Settings' }).click();
  const row = page.getByRole('region', { name: 'Models', exact: true }).last().getByRole('row', { name: /scripted-1/ });
  await row.waitFor();
  const { viewer } = await graph('{ viewer { workspace { modelTotals { model calls promptTokens } } } }');
  const total = viewer.workspace.modelTotals.find(({ model }) => model === 'scripted-1');
  assert.equal((await row.getByRole('cell').allInnerTexts())[0], String(total.calls));
});

test('attacks and defenses of the strategic map open their passages', async (t) => {
  const texts = { 'Ines Okafor': ['Tidewall', 'Tidal power is a great success'], 'Marcus Lee': ['Saltmarsh', 'Tidal power is a terrible risk for the eels'] };
  for (const [executive, [company, text]] of Object.entries(texts)) {
    const input = { title: `Statement of ${executive}`, content: `“${text},” said ${executive}, chief executive of ${company}.`, executive, company };
    const { createDocument } = await graph('mutation($input: CreateDocumentInput!) { createDocument(input: $input) { document { id } } }', { input });
    await graph('mutation($id: ID!) { extractSignals(input: { documentId: $id }) { totalSignals } }', { id: createDocument.document.id });
  }
  await graph('mutation { compareInsights(input: { theme: "tidal power", executives: ["Ines Okafor", "Marcus Lee"], ownCompany: "Tidewall", strategicMap: true }) { comparison { theme } } }');
  const { comparisons } = await graph('{ comparisons(first: 1) { nodes { id } } }');
  const { page } = await openScreen(t, `/comparisons/${comparisons.nodes[0].id}`);
  await awaitScreen(page);
  const picture = page.getByRole('group', { name: /Strategic map/ });
  await picture.getByRole('link', { name: /Attack: .* Your statements: 1; of others: 0/ }).waitFor();
  await checkAccess(page, 'a strategic map with sides');
  await picture.getByRole('link', { name: /Defend: .* Your statements: 0; of others: 1/ }).press('Enter');
  await page.locator('mark[data-current]').getByText('terrible risk').waitFor();
});

test('passages that are near a search in meaning open in their documents', async (t) => {
  const input = { title: 'Notice', content: 'Workers shut the port in May.' };
  const { createDocument } = await graph('mutation($input: CreateDocumentInput!) { createDocument(input: $input) { document { id } } }', { input });
  await awaitSuccess(async () => {
    const { passages } = await graph('{ passages(search: "Workers") { pendingDocumentCount } }');
    assert.equal(passages.pendingDocumentCount, 0);
  });
  const { page, log } = await openScreen(t, '/documents');
  await awaitScreen(page);
  assert.equal(await page.getByRole('button', { name: 'Find passages near this in meaning' }).count(), 0, 'nothing is searched');
  await page.getByLabel('Search titles and texts').fill('crew closes harbour');
  await page.keyboard.press('Enter');
  await page.getByText('No document matches').waitFor();
  assert.ok(!log.operations.includes('query NearPassages'));
  await page.getByRole('button', { name: 'Find passages near this in meaning' }).click();
  const found = page.getByRole('region', { name: 'Passages near this in meaning' });
  await found.getByText('Notice').waitFor();
  await checkAccess(page, 'passages near a search');
  await found.getByRole('link', { name: 'Workers shut the port in May.' }).click();
  await page.locator('mark[data-current]').getByText('Workers shut the port in May.').waitFor();
  assert.ok(page.url().includes(createDocument.document.id));
});
