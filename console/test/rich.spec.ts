// The editor of drafts that are Markdown: formatted text, and the Markdown that is stored of it.
import { expect, type Page, test } from './fixtures';
import { graph, readKey, saveDraft, unique } from './gateway';
import {
  checkAccess,
  checkPhone,
  expectSaved,
  markdownMode,
  openScreen,
  region,
  save,
  selectWords,
  textOf,
} from './screen';

const createDraft = (content: string) =>
  saveDraft({ title: unique('Rich'), content, contentType: 'markdown' });

const storedText = async (id: string) =>
  (await graph('query($id: ID!) { draft(id: $id) { content } }', { id })).draft.content;

const tool = (page: Page, name: string) =>
  page.getByRole('toolbar', { name: 'Format' }).getByRole('button', { name, exact: true });

async function expectStored(page: Page, id: string, content: string) {
  await save(page);
  await expectSaved(page);
  await expect.poll(() => storedText(id)).toBe(content);
}

test('formats by keyboard and by the toolbar are stored as Markdown', async ({ page }) => {
  const id = await createDraft('The quay opens.\n\nTwo berths.');
  await openScreen(page, `/drafts/${id}`);
  await selectWords(page, 'quay');
  await page.keyboard.press('Control+b');
  await expect(textOf(page).locator('strong')).toHaveText('quay');
  await expect(tool(page, 'Bold')).toHaveAttribute('aria-pressed', 'true');
  await selectWords(page, 'Two berths');
  await tool(page, 'Bold').focus();
  await page.keyboard.press('ArrowRight');
  await expect(tool(page, 'Italic')).toBeFocused();
  await tool(page, 'List').press('Enter');
  await expect(textOf(page).getByRole('listitem')).toHaveText('Two berths.');
  await textOf(page).press('Control+End');
  await page.keyboard.press('Enter');
  await page.keyboard.type('Three cranes');
  await checkAccess(page, 'the editor of a draft');
  await checkPhone(page);
  await page.setViewportSize({ width: 1280, height: 900 });
  await expectStored(page, id, 'The **quay** opens.\n\n- Two berths.\n- Three cranes');
});

test('a table keeps its form when a cell is changed, and a link is set by its keys', async ({
  page,
}) => {
  const table = '| Port  |   Berths |\n|:------|---------:|\n| North |        2 |';
  const id = await createDraft(`# Ports\n${table}\n\nAsk us.\n`);
  await openScreen(page, `/drafts/${id}`);
  await expect(textOf(page).getByRole('columnheader', { name: 'Berths' })).toBeVisible();
  await selectWords(page, '2');
  await page.keyboard.type('3');
  await selectWords(page, 'Ask us');
  await page.keyboard.press('Control+k');
  await page.getByLabel('Address of the link').fill('https://example.com/ask');
  await checkAccess(page, 'the form of a link');
  await page.keyboard.press('Enter');
  await expect(textOf(page).getByRole('link', { name: 'Ask us' })).toBeVisible();
  await expectStored(
    page,
    id,
    `# Ports\n${table.replace('2 |', '3 |')}\n\n[Ask us](https://example.com/ask).\n`,
  );
});

test('a text with what the editor does not know stays as it is, but for the words that are changed', async ({
  page,
}) => {
  const content =
    'Title\n===\n\n\n*   odd   list\n*   of _two_[^1]\n\n<div>kept</div>\n\n[^1]: A note.\n  \nEnd  \nhere [sic].\n\n';
  const id = await createDraft(content);
  await openScreen(page, `/drafts/${id}`);
  await expect(page.locator('[data-draft-state]')).toHaveText(/^Saved/);
  await textOf(page).press('Control+End');
  await page.keyboard.type(' x');
  await expect(page.locator('[data-draft-state]')).toHaveText('Not saved yet');
  await page.keyboard.press('Control+z');
  await expect(page.locator('[data-draft-state]')).toHaveText(/^Saved/);
  await page.keyboard.type(' Again.');
  await expectStored(page, id, content.replace('[sic].', '[sic]. Again.'));
});

test('the mode is remembered, keeps the text, and the source is a text area', async ({ page }) => {
  const id = await createDraft('The **quay** opens.');
  await openScreen(page, `/drafts/${id}`);
  await expect(textOf(page).locator('strong')).toHaveText('quay');
  await markdownMode(page);
  await expect(textOf(page)).toHaveValue('The **quay** opens.');
  await openScreen(page, `/drafts/${id}`);
  await expect(textOf(page)).toHaveValue('The **quay** opens.');
  await textOf(page).fill('The *quay* opens.');
  await page.getByRole('radiogroup', { name: 'Editor' }).getByText('Formatted').click();
  await expect(textOf(page).locator('em')).toHaveText('quay');
  await expectStored(page, id, 'The *quay* opens.');
});

test('marks and comments are on the formatted words', async ({ page }) => {
  const id = await createDraft('# Plan\n\nWe **leverage** buses. Moreover, *it* grows.');
  await openScreen(page, `/drafts/${id}`);
  await expect(textOf(page).locator('mark', { hasText: 'leverage' })).toBeVisible();
  await selectWords(page, 'leverage');
  await region(page, 'Comments').getByRole('button', { name: 'Comment on the selection' }).click();
  await page.getByLabel('Your comment').fill('Plainer?');
  await page.getByRole('button', { name: 'Comment', exact: true }).click();
  await page.getByRole('button', { name: 'Show the passage: leverage' }).press('Enter');
  await expect.poll(() => page.evaluate(() => getSelection()?.toString())).toBe('leverage');
  const { draft } = await graph(
    'query($id: ID!) { draft(id: $id) { comments(first: 1) { nodes { quote start end } } } }',
    { id },
  );
  expect(draft.comments.nodes).toEqual([{ quote: 'leverage', start: 13, end: 21 }]);
  await selectWords(page, 'leverage', { length: 0 });
  await expect(page.getByRole('button', { name: 'Comment here: Plainer?' })).toBeVisible();
});

test('an accepted proposal is taken back by one step of undo', async ({ page }) => {
  const content = 'The plan is good.\n\nWe leverage buses.';
  const id = await createDraft(content);
  await openScreen(page, `/drafts/${id}`);
  await selectWords(page, 'leverage buses');
  await page.getByRole('button', { name: 'Rewrite selection' }).click();
  await region(page, 'Proposal').first().getByRole('button', { name: 'Accept' }).click();
  await expect(textOf(page)).toContainText('We use buses.');
  await expect(page.locator('[data-draft-state]')).toHaveText('Not saved yet');
  await page.keyboard.press('Control+z');
  await expect(textOf(page)).toContainText('We leverage buses.');
  await expect(page.locator('[data-draft-state]')).toHaveText(/^Saved/);
});

/** Pastes into the text as a program gives it. */
const paste = (page: Page, data: Record<string, string>) =>
  textOf(page).evaluate((element, types) => {
    const clipboardData = new DataTransfer();
    Object.entries(types).forEach(([type, value]) => clipboardData.setData(type, value));
    element.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
    );
  }, data);

test('what is pasted is Markdown: of a word processor without its styles, and of plain text', async ({
  page,
}) => {
  const id = await createDraft('');
  await openScreen(page, `/drafts/${id}`);
  await textOf(page).focus();
  await paste(page, {
    'text/html':
      '<b style="font-weight:normal" id="docs-internal-guid-1"><h2><span style="color:#f00">Plan</span></h2>' +
      '<p class="MsoNormal" style="margin:0"><span style="font-weight:700">Bold</span> and <i>slanted</i><o:p></o:p></p>' +
      '<ul><li style="color:red"><p>One</p></li><li><p>Two</p></li></ul></b>',
  });
  await textOf(page).press('Control+End');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await paste(page, { 'text/plain': '> Quoted **words**\n\n1. First' });
  await expectStored(
    page,
    id,
    '## Plan\n\n**Bold** and *slanted*\n\n- One\n- Two\n\n> Quoted **words**\n\n1. First',
  );
});

test('blocks of a pasted cell are lines of the cell, and spans keep the columns', async ({
  page,
}) => {
  const id = await createDraft('');
  await openScreen(page, `/drafts/${id}`);
  await textOf(page).focus();
  await paste(page, {
    'text/html':
      '<meta charset="utf-8"><table><thead><tr><th><p>Port</p></th><th>Address</th><th>Berths</th></tr></thead><tbody>' +
      '<tr><td>North</td><td><p>Main St 1</p>\n<p><b>Zurich<br>CH</b></p></td><td><ul><li>One</li><li>Two<ol><li>Deep</li></ol></li></ul></td></tr>' +
      '<tr><td rowspan="2">South</td><td><div>Quay 2</div></td><td></td></tr>' +
      '<tr><td colspan="2"><span style="font-style:italic"><p>a</p><p>b</p></span></td></tr>' +
      '<tr><td>East</td><td><table><tr><td>x</td><td>y</td></tr></table></td><td>3</td></tr>' +
      '</tbody></table>',
  });
  await expect(textOf(page).getByRole('columnheader')).toHaveText(['Port', 'Address', 'Berths']);
  await expect(textOf(page).getByRole('row')).toHaveCount(5);
  await expectStored(
    page,
    id,
    [
      '| Port | Address | Berths |',
      '| - | - | - |',
      '| North | Main St 1<br>**Zurich**<br>**CH** | One<br>Two<br>Deep |',
      '| South | Quay 2 | |',
      '| | *a*<br>*b* | |',
      '| East | x<br>y | 3 |',
    ].join('\n'),
  );
});

test('a link says which addresses it takes, and one without a scheme is of the web', async ({
  page,
}) => {
  const id = await createDraft('Ask us.');
  await openScreen(page, `/drafts/${id}`);
  await selectWords(page, 'Ask us');
  await page.keyboard.press('Control+k');
  const field = page.getByLabel('Address of the link');
  for (const refused of ['javascript:alert(1)', 'data:text/html,x']) {
    await field.fill(refused);
    await expect(page.getByText('Give a web address such as')).toHaveCount(0);
    await page.keyboard.press('Enter');
    await expect(page.getByText('Give a web address such as')).toBeVisible();
    await expect(field).toHaveValue(refused);
  }
  await checkAccess(page, 'a refused address of a link');
  await field.fill('example.com');
  await page.keyboard.press('Enter');
  await expect(field).toHaveCount(0);
  await expectStored(page, id, '[Ask us](https://example.com).');
});

test('markers beside spaces and in names are words, typed and pasted, others are emphasis', async ({
  page,
}) => {
  const id = await createDraft('');
  await openScreen(page, `/drafts/${id}`);
  await textOf(page).focus();
  await page.keyboard.type('5 * 3 * 2 = 30 and ** no ** but **bold** and a*b');
  await expect(textOf(page).locator('strong')).toHaveText('bold');
  await page.keyboard.press('Enter');
  await page.keyboard.type('call __init__() here, __here__ too');
  await page.keyboard.press('Enter');
  await paste(page, { 'text/html': '<p>2 * (a + b) * c and *literal*</p>' });
  await page.keyboard.press('Enter');
  await paste(page, { 'text/plain': 'foo__init__bar * 2 * 3' });
  await expect(textOf(page).locator('p')).toHaveText([
    '5 * 3 * 2 = 30 and ** no ** but bold and a*b',
    'call __init__() here, here too',
    '2 * (a + b) * c and *literal*',
    'foo__init__bar * 2 * 3',
  ]);
  await save(page);
  await expectSaved(page);
  await openScreen(page, `/drafts/${id}`);
  await expect(textOf(page).locator('p').nth(2)).toHaveText('2 * (a + b) * c and *literal*');
  await expect(textOf(page).locator('strong')).toHaveText(['bold', 'here']);
  await expect(textOf(page).locator('em')).toHaveCount(0);
});

test('Tab leads out of the text: for a reader from anywhere, for a writer from the last cell', async ({
  page,
}) => {
  const id = await createDraft('- One\n- Two\n\n| A | B |\n|---|---|\n| 1 | 2 |');
  await openScreen(page, `/drafts/${id}`, { as: readKey });
  for (const words of ['Two', '1']) {
    await selectWords(page, words);
    await page.keyboard.press('Tab');
    await expect(textOf(page)).not.toBeFocused();
  }
  await openScreen(page, `/drafts/${id}`);
  await selectWords(page, '1');
  await page.keyboard.press('Tab');
  await page.keyboard.type('3');
  await expect(textOf(page).getByRole('cell', { name: '3' })).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(textOf(page)).not.toBeFocused();
  await expect(textOf(page).getByRole('row')).toHaveCount(2);
});
