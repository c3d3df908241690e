// Personas are created, edited, confirmed and deleted by hand.
import { expect, test } from './fixtures';
import { createPersona, graph, mutate, peer, unique } from './gateway';
import { openScreen, region } from './screen';

const stored = async (id: string) => {
  const query = 'query($id: ID!) { persona(id: $id) { name concerns tone draftedByModel } }';
  return (await graph(query, { id })).persona;
};

test('a persona is created with all its fields', async ({ page }) => {
  const name = unique('Harbour pilots');
  await openScreen(page, '/personas?add');
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Concerns').fill('fog and night work');
  await page.getByLabel('Tone').fill('dry');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  await expect(region(page, 'About').getByText('fog and night work')).toBeVisible();
  const id = page.url().split('/').at(-1) ?? '';
  expect(await stored(id)).toEqual({
    ...{ name, concerns: 'fog and night work', tone: 'dry', draftedByModel: false },
  });
});

test('an edit saves what was changed, and leaves the changes of others', async ({ page }) => {
  const id = await createPersona({ name: unique('Pilots'), concerns: 'fog', tone: 'dry' });
  await openScreen(page, `/personas/${id}`);
  const about = region(page, 'About');
  await about.getByRole('button', { name: 'Edit' }).click();
  await about.getByLabel('Concerns').fill('fog and ice');
  await mutate('updatePersona', { personaId: id, tone: 'warm' }, 'persona { id }', peer);
  await about.getByRole('button', { name: 'Save' }).click();
  await expect(about.getByRole('button', { name: 'Edit' })).toBeVisible();
  expect(await stored(id)).toMatchObject({ concerns: 'fog and ice', tone: 'warm' });
});

test('two edits of one field are a conflict that shows both', async ({ page }) => {
  const id = await createPersona({ name: unique('Pilots'), concerns: 'fog' });
  await openScreen(page, `/personas/${id}`);
  const about = region(page, 'About');
  await about.getByRole('button', { name: 'Edit' }).click();
  await about.getByLabel('Concerns').fill('ice');
  await mutate('updatePersona', { personaId: id, concerns: 'wind' }, 'persona { id }', peer);
  const conflict = about.getByRole('alert');
  await expect(conflict.getByRole('textbox')).toHaveValue('wind');
  await conflict.getByRole('button', { name: 'Save mine over it' }).click();
  await expect(about.getByText('ice')).toBeVisible();
  expect(await stored(id)).toMatchObject({ concerns: 'ice' });
});

test('fields that a model drafted are marked until a person confirms them', async ({ page }) => {
  const id = await createPersona({ name: unique('Drafted'), draftedByModel: true });
  await openScreen(page, `/personas/${id}`);
  const about = region(page, 'About');
  await expect(about.getByText('Drafted by a model')).toBeVisible();
  await about.getByRole('button', { name: 'I have read them' }).click();
  await expect(about.getByText('Drafted by a model')).toHaveCount(0);
  expect(await stored(id)).toMatchObject({ draftedByModel: false });
});

test('a persona is deleted after a question', async ({ page }) => {
  const name = unique('Deleted');
  const id = await createPersona({ name });
  await openScreen(page, `/personas/${id}`);
  await region(page, 'About').getByRole('button', { name: 'Edit' }).click();
  await region(page, 'About').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Personas' })).toBeVisible();
  await expect(page.getByRole('link', { name })).toHaveCount(0);
  expect(await stored(id)).toBeNull();
});

test('a copy begins with the fields of another persona', async ({ page }) => {
  const name = unique('Skippers');
  const id = await createPersona({ name, concerns: 'shallow water', tone: 'plain' });
  await openScreen(page, `/personas/${id}`);
  await page.getByRole('link', { name: 'Copy' }).click();
  await expect(page.getByLabel('Name')).toHaveValue(`${name} (copy)`);
  await page.getByLabel('Tone').fill('worried');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('heading', { level: 1, name: `${name} (copy)` })).toBeVisible();
  const copy = page.url().split('/').at(-1) ?? '';
  expect(await stored(copy)).toMatchObject({ concerns: 'shallow water', tone: 'worried' });
  expect(await stored(id)).toMatchObject({ concerns: 'shallow water', tone: 'plain' });
});

test('a persona is built from chosen documents', async ({ page }) => {
  const name = unique('Dock workers');
  await openScreen(page, '/documents');
  await page.getByRole('checkbox').nth(1).check();
  await page.getByRole('link', { name: 'Build from documents' }).click();
  await page.getByLabel('Name').fill(name);
  await expect(page.getByText('from the chosen document.')).toBeVisible();
  await page.getByRole('button', { name: 'Build from documents' }).click();
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible({ timeout: 60_000 });
});

test('a text in the voice of a persona is kept as a document', async ({ page }) => {
  const id = await createPersona({ name: unique('Harbour office'), concerns: 'fog', tone: 'dry' });
  await openScreen(page, `/personas/${id}`);
  const writing = region(page, 'Write as this persona');
  await writing.getByLabel('What about').fill('Fog in the harbour delays ferries');
  await writing.getByLabel('Length').selectOption('SHORT');
  await writing.getByRole('button', { name: 'Write' }).click();
  await expect(writing.getByRole('status')).not.toBeEmpty({ timeout: 60_000 });
  await writing.getByRole('link', { name: 'It is kept as a document' }).click();
  await expect(page).toHaveURL(/\/documents\/doc_/);
});
