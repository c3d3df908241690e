// Plots: each has its figures as text, and its marks lead to the passages that they count.
import { expect, test } from './fixtures';
import { createDocument, createReader, extractSignals, graph } from './gateway';
import { compare } from './rows';
import { checkAccess, checkWidth, openScreen, phone, region } from './screen';

/** Creates a persona and its reaction to a document. */
async function createReaction() {
  const text =
    'The harbour will cut emissions by a third. We are glad of the emissions that the harbour avoids.';
  const { category, persona, document } = await createReader('Plotted', text);
  const query =
    'query($id: ID!) { persona(id: $id) { reactions { nodes { id rating quotes { text } } } } }';
  const [reaction] = (await graph(query, { id: persona })).persona.reactions.nodes;
  return { name: category, persona, document, reaction };
}

async function observedRating(id: string) {
  const query = 'query($id: ID!) { node(id: $id) { ... on Reaction { observedRating } } }';
  return (await graph(query, { id })).node.observedRating;
}

test('a persona has no ratings and no calibration without a text model', async ({ page, log }) => {
  const { persona } = await createReaction();
  await openScreen(page, `/personas/${persona}`);
  const panel = region(page, 'Ratings and calibration');
  await expect(panel.getByText('Calibration is not measured yet')).toBeVisible();
  await expect(panel.getByRole('img', { name: /ratings? from 1 to 5/ })).toHaveCount(0);
  await expect(region(page, 'Health').getByText('Not measured yet')).toBeVisible();
  await expect(
    region(page, 'Health').getByText('This needs a text model, and none is configured').first(),
  ).toBeVisible();
  await expect(region(page, 'What it may know').getByText('withheld')).toBeVisible();
  expect([...new Set(log.operations)]).toEqual(['query PersonaScreen']);
});

test('a reaction of the matrix opens with its quotes, and is rated by people', async ({
  page,
  context,
}) => {
  const { name, persona, document, reaction } = await createReaction();
  await openScreen(page, '/audience');
  await page.locator(`[data-reaction="${reaction.id}"]`).getByRole('link').click();
  const panel = region(page, `Reaction of ${name}`);
  await expect(panel).toBeVisible();
  await checkAccess(page, 'an opened reaction');
  await panel.getByRole('link', { name: reaction.quotes[0].text }).click();
  await expect(page.locator('mark[data-current]').getByText(reaction.quotes[0].text)).toBeVisible();
  expect(page.url()).toContain(document);
  // The reaction has an address.
  await openScreen(page, `/audience?reaction=${reaction.id}`, { width: phone });
  await expect(page.locator(`[data-open-reaction="${reaction.id}"]`)).toBeVisible();
  await checkWidth(page);
  const observed = page.getByRole('combobox', { name: 'How people took the text' });
  await observed.selectOption('1.5');
  await expect.poll(() => observedRating(reaction.id)).toBe(1.5);
  const own = await context.newPage();
  await openScreen(own, `/personas/${persona}`);
  const calibration = region(own, 'Ratings and calibration');
  // There is no rating of a text model to compare with.
  await expect(calibration.getByText('Calibration is not measured yet')).toBeVisible();
  await observed.selectOption('');
  await expect.poll(() => observedRating(reaction.id)).toBe(null);
});

test('the strategic map is a picture and a table, and a mark opens its passage', async ({
  page,
}) => {
  for (const [executive, company, text] of [
    ['Cleo Example', 'Tidewall', 'Ferries of the harbour run on time'],
    ['Dan Example', 'Saltmarsh', 'Ferries of the harbour run late'],
  ]) {
    const content = `“${text},” said ${executive}, chief executive of ${company}.`;
    const title = `Ferries of ${company}`;
    await extractSignals(await createDocument(title, content, executive, { company }));
  }
  const comparison = await compare({
    theme: 'ferries',
    themes: ['moonlight'],
    executives: ['Cleo Example', 'Dan Example'],
    ownCompany: 'Tidewall',
  });
  await openScreen(page, `/comparisons/${comparison}`);
  const picture = page.getByRole('group', { name: /Strategic map with \d+ marks/ });
  await expect(picture.getByRole('img', { name: /White space: .*moonlight/ })).toBeVisible();
  const table = page.getByRole('group', { name: 'The claims of the map' });
  const theme = table.locator('[data-claim="theme"]').first();
  const sides = (await theme.getByRole('cell').allInnerTexts()).slice(-2);
  expect(sides, 'a statement of each side').toEqual(['1', '1']);
  await checkAccess(page, 'the strategic map');
  await picture.getByRole('link').first().press('Enter');
  await expect(page.locator('mark[data-current]').first()).toBeVisible();
  await expect(page).toHaveURL(/documents\/.*from=/);
});
