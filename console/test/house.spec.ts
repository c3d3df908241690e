// House rules are written in a form and as YAML, tried on a text, and kept to in a draft.
import { expect, test } from './fixtures';
import { graph, saveDraft, unique } from './gateway';
import { checkAccess, openScreen, region } from './screen';

const remove = async (name: string) => {
  const { houseRules } = await graph('{ houseRules(first: 100) { nodes { id name } } }', {});
  const rule = houseRules.nodes.find((one: { name: string }) => one.name === name);
  if (rule) {
    await graph(
      'mutation($id: ID!) { deleteHouseRule(input: { houseRuleId: $id }) { deletedId } }',
      { id: rule.id },
    );
  }
};

test('a preferred spelling is found in a draft and replaced', async ({ page }) => {
  const name = unique('Spelling');
  const wrong = unique('Haldenhome').replace(/[^A-Za-z]/g, (c) => 'abcdefghij'[Number(c)] ?? '');
  await openScreen(page, '/drafts');
  await page.getByRole('link', { name: 'House rules' }).click();
  const form = region(page, 'Add a rule');
  await form.getByLabel('Kind of rule').selectOption('preferred');
  await form.getByLabel('Name of the rule').fill(name);
  await form.getByLabel('Words').fill(wrong);
  await form.getByLabel('What to write instead').fill('Halden Home');
  await checkAccess(page, 'a new house rule');
  await form.getByRole('button', { name: 'Add a rule' }).click();
  await expect(region(page, 'Rules').getByText(name)).toBeVisible();
  await page.getByLabel('A text').fill(`We are ${wrong}.`);
  await expect(page.getByText(`Write “Halden Home”, not “${wrong}”.`)).toBeVisible();

  const draft = await saveDraft({ title: name, content: `At ${wrong} we build.` });
  await openScreen(page, `/drafts/${draft}`);
  const found = region(page, 'House rules');
  await expect(found.getByText(`Write “Halden Home”, not “${wrong}”.`)).toBeVisible();
  await checkAccess(page, 'a draft with a finding of a house rule');
  await found.getByRole('button', { name: /^Replace/ }).click();
  await expect(page.getByLabel('Text', { exact: true })).toHaveValue('At Halden Home we build.');
  await expect(found.getByText(`Write “Halden Home”, not “${wrong}”.`)).toHaveCount(0);
  await remove(name);
});

test('a rule that cannot be read says where', async ({ page }) => {
  await openScreen(page, '/house-rules');
  const form = region(page, 'Add a rule');
  await form.getByLabel('Kind of rule').selectOption('yaml');
  await form.getByLabel('Rule as YAML').fill('name: Bad\nextends: script\nmessage: a');
  await form.getByRole('button', { name: 'Add a rule' }).click();
  await expect(form.getByText('line 2: extends must be', { exact: false })).toBeVisible();
});
