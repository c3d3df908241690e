// Companies and executives: their names, merges, own companies and voices.
import { expect, type Page, test } from './fixtures';
import { createDocument, graph, readKey, unique } from './gateway';
import { checkAccess, checkPhone, heading, openScreen, region } from './screen';

/** Creates a document of a company and an executive. */
const createText = (company: string, executive: string) =>
  createDocument(unique('Text'), undefined, executive, { company });

/** Returns a company as the graph has it. */
const companyOf = async (name: string) => {
  const query =
    'query($name: String!) { company(name: $name) { id name aliases isOwn documents { totalCount } } }';
  return (await graph(query, { name })).company;
};

const executiveOf = async (name: string) => {
  const query =
    'query($name: String!) { executive(name: $name) { id name aliases totalDocuments } }';
  return (await graph(query, { name })).executive;
};

/** Gives an alias in the panel of the names, and expects it in the list. */
async function addAlias(page: Page, alias: string) {
  const names = region(page, 'Names');
  await names.getByLabel('New alias').fill(alias);
  await page.keyboard.press('Enter');
  await expect(names.getByRole('list').getByText(alias, { exact: true })).toBeVisible();
}

test('a company is renamed, gets an alias and loses it, by the keyboard', async ({ page }) => {
  const name = unique('Nordwall');
  await createText(name, 'Ada Example');
  await openScreen(page, `/companies/${encodeURIComponent(name)}`);
  const names = region(page, 'Names');
  await names.getByLabel('Name', { exact: true }).fill(`${name} SE`);
  await page.keyboard.press('Enter');
  await expect(heading(page, `${name} SE`)).toBeVisible();
  expect(decodeURIComponent(page.url())).toContain(`/companies/${name} SE`);
  await expect(names.getByRole('list').getByText(name, { exact: true })).toBeVisible();
  await addAlias(page, `${name} Group`);
  await checkAccess(page, 'the names of a company');
  const remove = names.getByRole('button', { name: `Remove the alias ${name}`, exact: true });
  await remove.press('Enter');
  await expect(remove).toHaveCount(0);
  await expect(names.locator(':focus')).toHaveCount(1); // it is not lost with the button
  expect((await companyOf(`${name} SE`)).aliases).toEqual([`${name} Group`]);
});

test('the name of another company is refused at the field, with the reason', async ({ page }) => {
  const [one, other] = [unique('Ostwall'), unique('Westwall')];
  await createText(one, 'Ada Example');
  await createText(other, 'Ada Example');
  await openScreen(page, `/companies/${encodeURIComponent(one)}`);
  const names = region(page, 'Names');
  await names.getByLabel('New alias').fill(other);
  await names.getByRole('button', { name: 'Add alias' }).click();
  await expect(names.getByText(/merge/i)).toBeVisible();
  await checkAccess(page, 'a refused alias');
});

test('companies are merged after a question that says what moves', async ({ page }) => {
  const [one, other] = [unique('Südwall'), unique('Suedwall')];
  await createText(one, 'Ada Example');
  await createText(other, 'Ada Example');
  await openScreen(page, '/companies');
  for (const name of [one, other]) {
    await page.getByRole('searchbox', { name: 'Search by name or alias' }).fill(name);
    await page.keyboard.press('Enter');
    await page.getByRole('checkbox', { name: `Choose ${name}`, exact: true }).check();
  }
  const merge = region(page, 'Merge companies');
  await merge
    .getByLabel('The one that stays')
    .selectOption({ label: `${one} · 1 document · 0 signals` });
  await checkAccess(page, 'a merge of companies');
  await merge.getByRole('button', { name: 'Merge' }).click();
  const question = page.getByRole('dialog', {
    name: /1 document and 0 signals of .* cannot be undone/,
  });
  await expect(question).toContainText(other);
  await question.getByRole('button', { name: 'Cancel' }).click();
  expect(await companyOf(other)).toMatchObject({ name: other });
  await merge.getByRole('button', { name: 'Merge' }).click();
  await question.getByRole('button', { name: 'Merge' }).click();
  await expect(page.getByRole('status').getByText(`Merged into “${one}”.`)).toBeVisible();
  await expect(merge).toHaveCount(0);
  const kept = await companyOf(other);
  expect(kept).toMatchObject({ name: one, documents: { totalCount: 2 } });
  expect(kept.aliases).toContain(other);
});

test('a company becomes an own one and is none again, and the others stay', async ({ page }) => {
  const [first, second] = [unique('Own first'), unique('Own second')];
  await createText(second, 'Ada Example');
  await openScreen(page, '/companies');
  await page.getByLabel('Own company', { exact: true }).fill(first);
  await page.getByRole('button', { name: 'Add as own' }).click();
  await expect.poll(async () => (await companyOf(first))?.isOwn).toBe(true);
  await openScreen(page, `/companies?name=${encodeURIComponent(second)}`);
  const own = page.getByRole('switch', { name: `${second} is an own company` });
  await own.click({ force: true });
  await expect.poll(async () => (await companyOf(second)).isOwn).toBe(true);
  expect((await companyOf(first)).isOwn).toBe(true);
  await expect(own).toBeEnabled();
  await own.click({ force: true });
  await expect.poll(async () => (await companyOf(second)).isOwn).toBe(false);
  expect((await companyOf(first)).isOwn).toBe(true);
});

test('a reader sees the companies and changes none', async ({ page }) => {
  await createText('Tidewall', 'Ada Example');
  await openScreen(page, '/companies', { as: readKey });
  await expect(page.getByRole('checkbox')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Add as own' })).toBeDisabled();
  await openScreen(page, '/companies/Tidewall', { as: readKey });
  await expect(page.getByRole('button', { name: 'Rename' })).toBeDisabled();
  await checkPhone(page);
});

test('an executive is renamed, and merged with another name of the same person', async ({
  page,
}) => {
  const stamp = Date.now();
  const [one, other] = [`Eva Beispiel${stamp}`, `E. Beispiel${stamp}`];
  await createText('Tidewall', one);
  await createText('Tidewall', other);
  await openScreen(page, `/executives/${encodeURIComponent(one)}`);
  const names = region(page, 'Names');
  await names.getByLabel('Name', { exact: true }).fill(`Dr. ${one}`);
  await names.getByRole('button', { name: 'Rename' }).click();
  await expect(heading(page, `Dr. ${one}`)).toBeVisible();
  await openScreen(page, '/executives');
  for (const name of [`Dr. ${one}`, other]) {
    await page.getByRole('checkbox', { name: `Compare ${name}`, exact: true }).check();
  }
  const merge = region(page, 'Merge executives');
  await merge.getByRole('button', { name: 'Merge' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Merge' }).click();
  await expect(page.getByRole('status').getByText(/^Merged into/)).toBeVisible();
  const kept = await executiveOf(other);
  expect(kept).toMatchObject({ name: `Dr. ${one}`, totalDocuments: 2 });
  expect(kept.aliases.toSorted()).toEqual([other, one].toSorted());
});

test('a voice is made from the documents, and switched off and on', async ({ page }) => {
  const name = `Ida Stimme${Date.now()}`;
  await createText('Tidewall', name);
  await openScreen(page, `/executives/${encodeURIComponent(name)}`);
  const voice = region(page, 'Voice');
  await voice.getByRole('button', { name: 'Make a voice from the documents' }).click();
  const enabled = voice.getByRole('switch', { name: 'Offer this voice for drafts' });
  await expect(enabled).toBeChecked();
  await checkAccess(page, 'a voice');
  const query = 'query($name: String!) { executive(name: $name) { voice { enabled } } }';
  const isEnabled = async () => (await graph(query, { name })).executive.voice.enabled;
  await enabled.click({ force: true });
  await expect.poll(isEnabled).toBe(false);
  await expect(enabled).toBeEnabled();
  await enabled.click({ force: true });
  await expect.poll(isEnabled).toBe(true);
});
