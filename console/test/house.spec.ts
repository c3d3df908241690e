// House rules are written in a form and as YAML, tried on a text, and kept to in a draft.
import { expect, test } from './fixtures';
import { graph, saveDraft, unique } from './gateway';
import { checkAccess, expectSaved, openScreen, region, save, textOf } from './screen';

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

test.describe('without checks', () => {
  test.use({ expectedErrors: /status of 503/ });

  test('a draft opens and is saved while its checks are refused, and they are asked for again', async ({
    page,
  }) => {
    const id = await saveDraft({ title: unique('Unchecked'), content: 'We leverage buses.' });
    const message = 'the gateway is busy';
    const refuse = () =>
      page.route('**/graphql', (route) =>
        /query (CheckHouseRules|AnalyzeText)/.test(route.request().postData() ?? '')
          ? route.fulfill({
              status: 503,
              contentType: 'application/graphql-response+json',
              json: { errors: [{ message, extensions: { code: 'overloaded' } }] },
            })
          : route.continue(),
      );
    await refuse();
    await openScreen(page, `/drafts/${id}`);
    const [rules, coverage] = [region(page, 'House rules'), region(page, 'Coverage')];
    const again = rules.getByRole('button', { name: 'Try again: House rules' });
    await expect(again).toBeVisible();
    await expect(coverage.getByRole('alert')).toBeVisible();
    await checkAccess(page, 'a draft without its checks');
    await page.unroute('**/graphql');
    await again.click();
    await coverage.getByRole('button', { name: 'Try again: Coverage' }).click();
    await expect(rules.getByRole('alert')).toHaveCount(0);
    await expect(region(page, 'Machine style').getByText('leverage')).toBeVisible();

    await refuse();
    await textOf(page).press('Control+End');
    await textOf(page).pressSequentially(' Soon.');
    await expect(again).toBeVisible();
    await save(page);
    await expectSaved(page);
    await expect(textOf(page)).toHaveValue('We leverage buses. Soon.');
  });
});
