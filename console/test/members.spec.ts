// An owner invites a colleague, who accepts in another browser, gets another role and is removed.
import { expect, test } from './fixtures';
import { gateway, key } from './gateway';
import { awaitScreen, checkAccess, heading, openScreen, region } from './screen';

const password = 'correct horse battery';

test('a colleague is invited, writes by role, and is removed', async ({ page, browser }) => {
  const email = `ola-${Date.now()}@example.org`;
  await openScreen(page, '/members', { as: key });
  await page.getByLabel('Email', { exact: true }).fill(email);
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

interface Mail {
  readonly to: string;
  readonly body: string;
}

/** Waits for the nth mail to an address, and returns the path of its link. */
async function mailedLink(email: string, n: number): Promise<string> {
  const mails = async () =>
    ((await (await fetch(process.env.CONSOLE_MAILS ?? '')).json()) as Mail[]).filter(
      ({ to }) => to === email,
    );
  await expect
    .poll(async () => (await mails()).length, { timeout: 60_000 })
    .toBeGreaterThanOrEqual(n);
  const link = /https?:\/\/\S+/.exec((await mails())[n - 1]?.body ?? '')?.[0] ?? '';
  return link.replace(/^https?:\/\/[^/]+/, '');
}

test('an invite and a link for a forgotten password come by mail', async ({ page, browser }) => {
  const email = `mia-${Date.now()}@example.org`;
  await openScreen(page, '/members', { as: key });
  await page.getByLabel('Email', { exact: true }).fill(email);
  await expect(page.getByLabel('Send the link by email')).toBeChecked();
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  await expect(page.getByText('It is also sent by email.')).toBeVisible();
  const context = await browser.newContext({ locale: 'en-GB' });
  const colleague = await context.newPage();
  await colleague.goto(`${gateway}${await mailedLink(email, 1)}`);
  await openScreen(page, '/members', { as: key });
  await expect(
    region(page, 'Open invites')
      .getByRole('listitem')
      .filter({ hasText: email })
      .getByText('mailed'),
  ).toBeVisible();
  await colleague.getByLabel('Password', { exact: true }).fill(password);
  await colleague.getByRole('button', { name: 'Join' }).click();
  await expect(heading(colleague, 'Home')).toBeVisible();
  await context.clearCookies();
  await colleague.goto(`${gateway}/console/`);
  await colleague.getByRole('link', { name: 'Forgotten your password?' }).click();
  await colleague.getByLabel('Email').fill(email);
  await checkAccess(colleague, 'a forgotten password');
  await colleague.getByRole('button', { name: 'Send the link by email' }).click();
  await expect(colleague.getByText('a link is on its way')).toBeVisible();
  await colleague.goto(`${gateway}${await mailedLink(email, 2)}`);
  await colleague.getByLabel('New password').fill('another horse battery');
  await colleague.getByRole('button', { name: 'Set password' }).click();
  await expect(heading(colleague, 'Home')).toBeVisible();
  await context.close();
});

test('a member chooses what comes by mail', async ({ page, browser }) => {
  await openScreen(page, '/members', { as: key });
  await page.getByLabel('Email', { exact: true }).fill(`noa-${Date.now()}@example.org`);
  await page.getByLabel('Send the link by email').uncheck();
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  const link = (await page.locator('[data-secret]').innerText()).replace(/^https?:\/\/[^/]+/, '');
  const context = await browser.newContext({ locale: 'en-GB' });
  const colleague = await context.newPage();
  await colleague.goto(`${gateway}${link}`);
  await colleague.getByLabel('Password', { exact: true }).fill(password);
  await colleague.getByRole('button', { name: 'Join' }).click();
  await expect(heading(colleague, 'Home')).toBeVisible();
  await colleague.goto(`${gateway}/console/account`);
  const mails = region(colleague, 'Mails');
  await mails.getByLabel('Source failing').check();
  await mails.getByLabel('Send me a daily briefing').check();
  await mails.getByLabel('Hour', { exact: true }).selectOption('06:00');
  await checkAccess(colleague, 'the mails of a member');
  await mails.getByRole('button', { name: 'Save mail settings' }).click();
  await expect(colleague.getByText('Saved. The mails are in English.')).toBeVisible();
  await colleague.reload();
  await expect(mails.getByLabel('Source failing')).toBeChecked();
  await expect(mails.getByLabel('Document ready')).not.toBeChecked();
  await expect(mails.getByLabel('Hour', { exact: true })).toHaveValue('6');
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
