// Plots: each has its figures as text, and its marks lead to the passages that they count.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { awaitScreen, awaitSuccess, checkAccess, checkWidth, openScreen } from './browser.mjs';
import { createDocument, graph } from './gateway.mjs';

/** Creates a persona and its reaction to a document, and returns their ids. */
async function createReaction() {
  const input = { name: `Plotted ${Date.now()}`, category: `plotted ${Date.now()}`, concerns: 'emissions' };
  const { createPersona } = await graph('mutation($input: CreatePersonaInput!) { createPersona(input: $input) { persona { id name category } } }', { input });
  const document = await createDocument('Read and rated', 'The harbour will cut emissions by a third. We are glad of the emissions that the harbour avoids.');
  const { persona } = createPersona;
  const { startReactions } = await graph('mutation($id: ID!, $persona: ID!) { startReactions(input: { documentId: $id, personaIds: [$persona] }) { job { id } } }', { id: document, persona: persona.id });
  await awaitSuccess(async () => assert.equal((await graph('query($id: ID!) { job(id: $id) { status } }', { id: startReactions.job.id })).job.status, 'COMPLETED'));
  const { reactions } = (await graph('query($id: ID!) { persona(id: $id) { reactions { nodes { id rating quotes { text } } } } }', { id: persona.id })).persona;
  return { persona, document, reaction: reactions.nodes[0] };
}

async function observedRating(id) {
  return (await graph('query($id: ID!) { node(id: $id) { ... on Reaction { observedRating } } }', { id })).node.observedRating;
}

test('a persona has its ratings as plots, and no calibration without ratings of people', async (t) => {
  const { persona, document, reaction } = await createReaction();
  const { page, log } = await openScreen(t, `/personas/${persona.id}`);
  await awaitScreen(page);
  const panel = page.getByRole('region', { name: 'Ratings and calibration' });
  await panel.getByText('Calibration is not measured yet').waitFor();
  await panel.getByRole('img', { name: /One rating from 1 to 5/ }).waitFor();
  await page.getByRole('region', { name: 'Health' }).getByText('Not measured yet').waitFor();
  await page.getByRole('region', { name: 'What it may know' }).getByText('withheld').waitFor();
  await panel.getByRole('link', { name: new RegExp(`^${Math.round(10 * reaction.rating) / 10} for`) }).press('Enter');
  await page.waitForURL((url) => url.pathname.endsWith(document) && url.searchParams.get('at') === reaction.id);
  assert.equal(log.operations.filter((name) => name.includes('PersonaScreen')).length, 1);
});

test('a reaction of the matrix opens with its quotes, and is rated by people, which calibrates its persona', async (t) => {
  const { persona, document, reaction } = await createReaction();
  const { page } = await openScreen(t, '/audience');
  await awaitScreen(page);
  await page.locator(`[data-reaction="${reaction.id}"]`).getByRole('link').click();
  const panel = page.getByRole('region', { name: `Reaction of ${persona.name}` });
  await panel.waitFor();
  await checkAccess(page, 'an opened reaction');
  await panel.getByRole('link', { name: reaction.quotes[0].text }).click();
  await page.locator('mark[data-current]').getByText(reaction.quotes[0].text).waitFor();
  assert.ok(page.url().includes(document));
  const later = await openScreen(t, `/audience?reaction=${reaction.id}`, { width: 390 }); // the reaction has an address
  await awaitScreen(later.page);
  await later.page.locator(`[data-open-reaction="${reaction.id}"]`).waitFor();
  await checkWidth(later.page);
  const observed = later.page.getByRole('combobox', { name: 'How people took the text' });
  await observed.selectOption('1.5');
  await awaitSuccess(async () => assert.equal(await observedRating(reaction.id), 1.5));
  const own = await openScreen(t, `/personas/${persona.id}`);
  await awaitScreen(own.page);
  const calibration = own.page.getByRole('region', { name: 'Ratings and calibration' });
  await calibration.getByText('over one rating of people').waitFor();
  await calibration.getByRole('link', { name: /^People 1.5, persona/ }).waitFor();
  await checkAccess(own.page, 'a calibrated persona');
  await observed.selectOption('');
  await awaitSuccess(async () => assert.equal(await observedRating(reaction.id), null));
});

test('the strategic map is a picture and a table, and a mark opens its passage', async (t) => {
  for (const [executive, company, text] of [['Cleo Example', 'Tidewall', 'Ferries of the harbour run on time'], ['Dan Example', 'Saltmarsh', 'Ferries of the harbour run late']]) {
    const input = { title: `Ferries of ${company}`, content: `“${text},” said ${executive}, chief executive of ${company}.`, executive, company };
    const { createDocument: made } = await graph('mutation($input: CreateDocumentInput!) { createDocument(input: $input) { document { id } } }', { input });
    await graph('mutation($id: ID!) { extractSignals(input: { documentId: $id }) { totalSignals } }', { id: made.document.id });
  }
  await graph('mutation { compareInsights(input: { theme: "ferries", themes: ["moonlight"], executives: ["Cleo Example", "Dan Example"], ownCompany: "Tidewall", strategicMap: true }) { comparison { theme } } }');
  const { comparisons } = await graph('{ comparisons(first: 1) { nodes { id result { strategicMap { own whitespace { text } } } } } }');
  const { page } = await openScreen(t, `/comparisons/${comparisons.nodes[0].id}`);
  await awaitScreen(page);
  const picture = page.getByRole('group', { name: /Strategic map with \d+ marks/ });
  await picture.getByRole('img', { name: /White space: .*moonlight/ }).waitFor();
  const table = page.getByRole('group', { name: 'The claims of the map' });
  const theme = table.locator('[data-claim="theme"]').first();
  assert.deepEqual((await theme.getByRole('cell').allInnerTexts()).slice(-2), ['1', '1'], 'a statement of each side');
  await checkAccess(page, 'the strategic map');
  await picture.getByRole('link').first().press('Enter');
  await page.locator('mark[data-current]').first().waitFor();
  assert.match(page.url(), /documents\/.*from=/);
});
