// Two people talk about passages of a draft while its text changes.
import { expect, type Page, test } from './fixtures';
import { gateway, graph, mutate, saveDraft, unique } from './gateway';
import { awaitScreen, checkAccess, checkPhone, heading, openScreen, region } from './screen';

const comments = (page: Page) => region(page, 'Comments');
const text = (page: Page) => page.getByRole('textbox', { name: 'Text', exact: true });

/** Selects the words in the text, as a reader does by mouse or keyboard. */
async function select(page: Page, words: string, length = words.length) {
  await text(page).evaluate(
    (area: HTMLTextAreaElement, [sought, size]: readonly [string, number]) => {
      area.focus();
      const start = area.value.indexOf(sought);
      area.setSelectionRange(start, start + size);
    },
    [words, length] as const,
  );
}

const selectedWords = (page: Page) =>
  text(page).evaluate((area: HTMLTextAreaElement) =>
    area.value.slice(area.selectionStart, area.selectionEnd),
  );

/** Invites a reviewer, who joins in the window, and returns their name. */
async function joinAsReviewer(page: Page): Promise<string> {
  const name = unique('Rita');
  const email = `${name.replace(' ', '-').toLowerCase()}@example.org`;
  const { link } = await mutate('inviteMember', { email, role: 'REVIEWER' }, 'link');
  await page.goto(`${gateway}${link.replace(/^https?:\/\/[^/]+/, '')}`);
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Password', { exact: true }).fill('correct horse battery');
  await page.getByRole('button', { name: 'Join' }).click();
  await expect(heading(page, 'Home')).toBeVisible();
  return name;
}

test('a passage is commented on, answered, moved and resolved', async ({ page, browser }) => {
  const title = unique('Quay letter');
  const content = 'Dear 😀, we open in March. All are invited.';
  const draftId = await saveDraft({ title, content, contentType: 'text' });
  await openScreen(page, `/drafts/${draftId}`);
  await expect(comments(page).getByText('No open comments')).toBeVisible();
  const onSelection = { name: 'Comment on the selection' };
  await expect(comments(page).getByRole('button', onSelection)).toBeDisabled();

  const context = await browser.newContext({ locale: 'en-GB' });
  const colleague = await context.newPage();
  const name = await joinAsReviewer(colleague);
  await colleague.goto(`${gateway}/console/drafts/${draftId}`);
  await awaitScreen(colleague);
  await expect(text(colleague)).not.toBeEditable();
  await select(colleague, 'open in March');
  await comments(colleague).getByRole('button', onSelection).click();
  await comments(colleague).getByLabel('Your comment').fill('When exactly?');
  await checkAccess(colleague, 'the form of a comment');
  await comments(colleague).getByRole('button', { name: 'Comment', exact: true }).click();

  const stored = comments(page).getByRole('listitem').filter({ hasText: 'When exactly?' });
  await expect(stored.getByText(name)).toBeVisible(); // without a reload
  await expect(page.locator('mark').getByText('open in March')).toBeAttached();
  await stored.getByRole('button', { name: 'Show the passage: open in March' }).press('Enter');
  expect(await selectedWords(page)).toBe('open in March');
  await select(page, 'in March', 0);
  await expect(stored).toHaveAttribute('aria-current', 'true');
  await page.getByRole('button', { name: 'Comment here: When exactly?' }).press('Enter');
  await expect(stored).toBeFocused();

  await stored.getByRole('button', { name: 'Reply' }).click();
  await stored.getByLabel('Your reply').fill('On the 3rd.');
  await stored.getByLabel('Mention').selectOption({ label: name });
  await stored.getByRole('button', { name: 'Reply' }).click();
  await expect(comments(colleague).getByText('On the 3rd.')).toBeVisible();
  await expect(comments(colleague).getByText(`Mentions ${name}`)).toBeVisible();
  await checkAccess(page, 'a draft with comments');
  await checkPhone(page);
  await page.setViewportSize({ width: 1280, height: 900 });

  await text(page).fill('Hello! Dear 😀, we will open early in March. All are invited.');
  await select(page, 'invited');
  await expect(comments(page).getByText(/^Save your changes first/)).toBeVisible();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(colleague.locator('mark').getByText('open early in March')).toBeAttached();

  await colleague.goto(`${gateway}/console/`);
  const mention = region(colleague, 'One mention of you');
  await expect(mention.getByText('On the 3rd.')).toBeVisible();
  await checkAccess(colleague, 'Home with a mention');
  await mention.getByRole('link', { name: title }).click();
  await expect(heading(colleague, title)).toBeVisible();
  const answer = comments(colleague).getByRole('listitem').filter({ hasText: 'On the 3rd.' });
  await expect(answer.last()).toBeFocused();

  await stored.getByRole('button', { name: 'Resolve', exact: true }).click();
  await expect(comments(colleague).getByText('No open comments')).toBeVisible();
  await expect(colleague.locator('mark').getByText('open early in March')).toHaveCount(0);
  await comments(colleague).getByRole('switch', { name: 'Show resolved comments' }).press('Space');
  await expect(comments(colleague).getByText(/^resolved by/)).toBeVisible();
  await checkAccess(colleague, 'resolved comments');
  await comments(colleague).getByRole('button', { name: 'Open again' }).click();
  await expect(stored).toBeVisible();

  await saveDraft({ draftId, content: 'Nothing yet.' });
  await expect(stored.getByText('The passage is gone from the text.')).toBeVisible();
  await context.close();
});

test('a comment on the draft is deleted by an owner', async ({ page }) => {
  const draftId = await saveDraft({ title: unique('Mole letter'), content: 'We open.' });
  await openScreen(page, `/drafts/${draftId}`);
  await comments(page).getByRole('button', { name: 'Comment on the draft' }).click();
  await comments(page).getByLabel('Your comment').fill('Too short.');
  await comments(page).getByRole('button', { name: 'Comment', exact: true }).click();
  const stored = comments(page).getByRole('listitem').filter({ hasText: 'Too short.' });
  await stored.getByRole('button', { name: 'Delete' }).click();
  const question = page.getByRole('dialog');
  await question.getByRole('button', { name: 'Delete' }).click();
  await expect(stored).toHaveCount(0);
  const query = 'query($id: ID!) { draft(id: $id) { comments(first: 1) { totalCount } } }';
  expect((await graph(query, { id: draftId })).draft.comments.totalCount).toBe(0);
});
