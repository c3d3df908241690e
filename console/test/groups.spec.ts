// Audience groups, and the summaries of their reactions.
import { expect, test } from './fixtures';
import { createPersona, createReader, graph, unique } from './gateway';
import { checkAccess, checkPhone, openScreen, region } from './screen';

test('a group is created, renamed, filled with a persona and emptied, and deleted', async ({
  page,
}) => {
  const category = unique('crews');
  const name = unique('Harbour crew');
  const persona = await createPersona({ name, category: unique('others') });
  await openScreen(page, '/audience/groups');
  const form = page.locator('form').filter({ hasText: 'Add group' });
  await form.getByLabel('Category').fill(category);
  await form.getByLabel('Order').fill('7');
  await page.keyboard.press('Enter');
  const group = region(page, category);
  await expect(group.getByText('Nobody is in this group.')).toBeVisible();
  await group.getByRole('button', { name: `Change ${category}` }).click();
  await checkAccess(page, 'a group that is changed');
  const shown = `${category}, shown`;
  await group.getByLabel('Name shown').fill(shown);
  await group.getByRole('button', { name: 'Save' }).click();
  const renamed = region(page, shown);
  await expect(renamed.getByText(/Order: 7/)).toBeVisible();
  await renamed.getByRole('combobox').selectOption(persona);
  await renamed.getByRole('button', { name: `Move a persona to ${shown}` }).click();
  await expect(renamed.getByRole('link', { name })).toBeVisible();
  const query = 'query($id: ID!) { persona(id: $id) { name category } }';
  expect((await graph(query, { id: persona })).persona).toEqual({ name, category });
  const remove = renamed.getByRole('button', { name: `Delete ${shown}` });
  await remove.press('Enter');
  const reason = 'Move its personas to another group first.';
  await expect(page.getByRole('status').getByText(reason)).toBeVisible();
  await graph(
    'mutation($id: ID!) { updatePersona(input: { personaId: $id, category: "general" }) { persona { id } } }',
    { id: persona },
  );
  await expect(renamed.getByText('Nobody is in this group.')).toBeVisible();
  await remove.click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(renamed).toHaveCount(0);
  await checkPhone(page);
});

test('a category that has a group already keeps its personas', async ({ page }) => {
  const { category } = await createReader('grouped');
  await openScreen(page, '/audience/groups');
  const group = region(page, category);
  await group.getByRole('button', { name: `Change ${category}` }).click();
  await group.getByLabel('Category').fill(`${category} too`);
  await group.getByRole('button', { name: 'Save' }).click();
  await expect(
    group.getByRole('alert').or(group.locator('[aria-invalid=true]')).first(),
  ).toBeVisible();
  await expect(group.getByRole('link', { name: category })).toBeVisible();
});

test('an audience is summarised by a job, which the panel shows until its end', async ({
  page,
}) => {
  const { category } = await createReader('summarised');
  await openScreen(page, '/audience');
  await page.getByRole('button', { name: `Summarise: ${category}` }).click();
  const panel = region(page, category);
  await expect(panel.getByText(/^1 reaction/)).toBeVisible();
  await expect(panel.locator('[data-job]')).toHaveCount(0);
});
