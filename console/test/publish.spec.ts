// An approved draft becomes a page that visitors read, and is taken back with a reason.
import { expect, type Page, test } from './fixtures';
import { graph, mutate, saveDraft, unique } from './gateway';
import { checkAccess, checkPhone, heading, openScreen, region } from './screen';

test.use({ ownPaths: /^\/(?:console\/|graphql$|api\/public\/|l\/|favicon\.ico$)/ });

const review = (page: Page) => region(page, 'Review');

/** Saves a text, has it approved, and returns the draft's id. */
async function approvedDraft(title: string, content: string): Promise<string> {
  const draftId = await saveDraft({ title, content, contentType: 'markdown' });
  await approve(draftId);
  return draftId;
}

async function approve(draftId: string) {
  const query = 'query($id: ID!) { draft(id: $id) { currentVersion { id } } }';
  const { draft } = await graph(query, { id: draftId });
  await mutate('requestDraftReview', { draftId }, 'draft { id }');
  await mutate('approveDraft', { draftId, versionId: draft.currentVersion.id }, 'draft { id }');
}

test('an approved draft is published, published again and withdrawn', async ({ page, context }) => {
  const title = unique('Harbour letter');
  const draftId = await approvedDraft(title, `# ${title}\n\nWe open in **March**.`);
  await openScreen(page, `/drafts/${draftId}`);
  await review(page).getByRole('button', { name: 'Publish', exact: true }).click();
  await expect(review(page).getByLabel('Language of the page')).toHaveValue('en');
  const slug = `letter-${Date.now()}`;
  await review(page).getByLabel('Short name').fill(slug);
  await checkAccess(page, 'the form to publish');
  await review(page).getByRole('button', { name: 'Publish', exact: true }).click();
  await expect(review(page).getByText('published', { exact: true })).toBeVisible();
  const address = review(page).getByRole('link', { name: new RegExp(`/l/${slug}$`) });
  await expect(review(page).getByText('The page shows version 1')).toBeVisible();
  await expect(review(page).getByRole('button', { name: 'Copy the address' })).toBeVisible();
  await checkAccess(page, 'a published draft');
  await checkPhone(page);
  await page.setViewportSize({ width: 1280, height: 900 });

  const url = (await address.getAttribute('href')) ?? '';
  const visitor = await context.newPage();
  await visitor.goto(url);
  await expect(visitor.getByText('We open in March.')).toBeVisible();
  await expect(visitor.getByRole('heading', { name: title })).toHaveCount(1);

  await saveDraft({ draftId, content: 'We open in April.' });
  await expect(review(page).getByText(/The page still shows version 1/)).toBeVisible();
  await approve(draftId);
  await review(page).getByRole('button', { name: 'Publish this version' }).click();
  await expect(review(page).getByLabel('Short name')).toHaveCount(0);
  await review(page).getByRole('button', { name: 'Publish', exact: true }).click();
  await expect(review(page).getByText('The page shows version 2')).toBeVisible();
  await visitor.reload();
  await expect(visitor.getByText('We open in April.')).toBeVisible();

  await review(page).getByRole('button', { name: 'Opening and language' }).click();
  await review(page).getByLabel('Opens on').fill('2036-03-01T09:00');
  await checkAccess(page, 'the form that changes the opening');
  await review(page).getByRole('button', { name: 'Change the page' }).click();
  await expect(review(page).getByText(/opens to visitors on .*2036/)).toBeVisible();
  await visitor.reload();
  await expect(visitor.getByText('We open in April.')).toHaveCount(0);
  await review(page).getByRole('button', { name: 'Opening and language' }).click();
  await review(page).getByLabel('Opens on').fill('');
  await review(page).getByRole('button', { name: 'Change the page' }).click();
  await expect(review(page).getByText(/opens to visitors on/)).toHaveCount(0);
  await visitor.reload();
  await expect(visitor.getByText('We open in April.')).toBeVisible();

  await review(page).getByRole('button', { name: 'Withdraw' }).click();
  await review(page).getByLabel('Why is it withdrawn?').fill('The month is wrong.');
  await review(page).getByRole('button', { name: 'Withdraw' }).click();
  await expect(review(page).getByText('The page is withdrawn: The month is wrong.')).toBeVisible();
  await visitor.reload();
  await expect(visitor.getByText('The month is wrong.')).toBeVisible();
  await expect(visitor.getByText('We open in April.')).toHaveCount(0);
  await visitor.close();

  await review(page).getByRole('link', { name: 'Opens and form' }).click();
  await expect(heading(page, title)).toBeVisible();
  await expect(page.getByText(/Withdrawn on .* The month is wrong\./)).toBeVisible();
  await expect(page.getByRole('link', { name: title })).toBeVisible();
  await expect(page.getByLabel('Title', { exact: true })).not.toBeEditable();
  await checkAccess(page, 'the link of a withdrawn draft');
});
