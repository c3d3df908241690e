// Screens with figures that need a text model: a server of the test answers for it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { awaitScreen, checkAccess, closeBrowser, openBrowser, openScreen } from '../browser.mjs';
import { graph } from '../gateway.mjs';

before(openBrowser);
after(closeBrowser);

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
  const { viewer } = await graph('{ viewer { workspace { modelTotals { calls promptTokens } } } }');
  assert.equal((await row.getByRole('cell').allInnerTexts())[0], String(viewer.workspace.modelTotals[0].calls));
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
