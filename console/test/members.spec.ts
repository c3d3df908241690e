// An owner invites a colleague, who accepts in another browser, gets another role and is removed.
import { expect, test } from './fixtures';
import { gateway, key } from './gateway';
import { awaitScreen, checkAccess, heading, openScreen, region } from './screen';

const password = 'correct horse battery';

test('a colleague is invited, writes by role, and is removed', async ({ page, browser }) => {
  const email = `ola-${Date.now()}@example.org`;
  await openScreen(page, '/members', { as: key });
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Role', { exact: true }).selectOption('VIEWER');
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  await expect(region(page, 'Open invites').getByText(email)).toBeVisible();
  const link = (await page.locator('[data-secret]').innerText()).replace(/^https?:\/\/[^/]+/, '');
  await checkAccess(page, 'the members with an invite');

  const context = await browser.newContext({ locale: 'en-GB' });
  const colleague = await context.newPage();
  await colleague.goto(`${gateway}${link}`);
  await colleague.getByLabel('Name').fill('Ola Colleague');
  await colleague.getByLabel('Password', { exact: true }).fill('short');
  await colleague.getByRole('button', { name: 'Join' }).click();
  await expect(colleague.getByLabel('Password', { exact: true })).toHaveAttribute(
    'aria-invalid',
    'true',
  );
  await checkAccess(colleague, 'an invite');
  await colleague.getByLabel('Password', { exact: true }).fill(password);
  await colleague.getByRole('button', { name: 'Join' }).click();
  await expect(heading(colleague, 'Home')).toBeVisible();
  await colleague.goto(`${gateway}/console/drafts`);
  await expect(colleague.getByRole('note').getByText('You may only read here.')).toBeVisible();
  await expect(colleague.getByRole('button', { name: 'New draft' })).toHaveCount(0);

  const member = page
    .getByRole('row')
    .filter({ hasText: 'Ola Colleague' })
    .filter({ hasText: email });
  await expect(member).toBeVisible();
  await member.getByRole('combobox').selectOption('AUTHOR');
  await expect(colleague.getByRole('button', { name: 'New draft' })).toBeVisible();
  await awaitScreen(page);
  await member.getByRole('button', { name: 'Remove' }).click();
  const question = page.getByRole('dialog');
  await expect(question.getByText('Their sessions end at once')).toBeVisible();
  await question.getByRole('button', { name: 'Remove' }).click();
  await expect(member).toHaveCount(0);
  await expect(colleague.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await context.close();
});

test('a link that was used says so', async ({ browser }) => {
  const context = await browser.newContext({ locale: 'en-GB' });
  const page = await context.newPage();
  await page.goto(`${gateway}/console/invite#rsi_unknown`);
  await expect(page.getByRole('alert').getByText('This invite does not work')).toBeVisible();
  await checkAccess(page, 'an invite that does not work');
  await context.close();
});
