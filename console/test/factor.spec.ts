// A colleague turns the second factor on, signs in with it, loses it, and an owner resets it.
import { createHmac } from 'node:crypto';
import { expect, test } from './fixtures';
import { gateway, key } from './gateway';
import { checkAccess, heading, openScreen, region } from './screen';

const password = 'correct horse battery';

/** Returns the code of an authenticator app (RFC 6238) a number of periods from now. */
function appCode(secret: string, periods: number): string {
  const bits = [...secret]
    .map((c) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(c).toString(2).padStart(5, '0'))
    .join('');
  const bytes = (bits.match(/.{8}/g) ?? []).map((byte) => parseInt(byte, 2));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + periods));
  const mac = createHmac('sha1', Buffer.from(bytes)).update(counter).digest();
  const number = mac.readUInt32BE((mac.at(-1) ?? 0) & 15) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, '0');
}

test('signing in needs a code of the app, and a lost app is reset', async ({ page, browser }) => {
  const email = `pia-${Date.now()}@example.org`;
  await openScreen(page, '/members', { as: key });
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  const link = (await page.locator('[data-secret]').innerText()).replace(/^https?:\/\/[^/]+/, '');
  const context = await browser.newContext({ locale: 'en-GB' });
  const colleague = await context.newPage();
  await colleague.goto(`${gateway}${link}`);
  await colleague.getByLabel('Name').fill('Pia Colleague');
  await colleague.getByLabel('Password', { exact: true }).fill(password);
  await colleague.getByRole('button', { name: 'Join' }).click();
  await expect(heading(colleague, 'Home')).toBeVisible();

  await colleague.goto(`${gateway}/console/account`);
  const panel = region(colleague, 'Second factor');
  await panel.getByLabel('Your password').fill('wrong');
  await panel.getByRole('button', { name: 'Set up a second factor' }).click();
  await expect(panel.getByLabel('Your password')).toHaveAttribute('aria-invalid', 'true');
  await panel.getByLabel('Your password').fill(password);
  await panel.getByRole('button', { name: 'Set up a second factor' }).click();
  const secret = await panel.locator('[data-secret]').innerText();
  await checkAccess(colleague, 'a second factor to scan');
  await panel.getByLabel('Code', { exact: true }).fill('000000');
  await panel.getByRole('button', { name: 'Turn on' }).click();
  await expect(panel.getByText('is not the present code')).toBeVisible();
  await panel.getByLabel('Code', { exact: true }).fill(appCode(secret, 0));
  await panel.getByRole('button', { name: 'Turn on' }).click();
  await expect(panel.getByText('10 recovery codes are left.')).toBeVisible(); // until then the secret is shown
  const codes = (await panel.locator('[data-secret]').innerText()).split('\n');
  expect(codes).toHaveLength(10);
  await checkAccess(colleague, 'recovery codes');

  await context.clearCookies();
  await colleague.goto(`${gateway}/console/`);
  await colleague.getByLabel('Email').fill(email);
  await colleague.getByLabel('Password', { exact: true }).fill(password);
  await colleague.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(colleague.getByText('This account has a second factor.')).toBeVisible();
  await checkAccess(colleague, 'a sign-in with a code');
  await colleague.getByLabel('Code', { exact: true }).fill(codes[0] ?? '');
  await colleague.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(heading(colleague, 'Home')).toBeVisible();

  await openScreen(page, '/members', { as: key });
  const member = page.getByRole('row').filter({ hasText: email });
  await member.getByRole('button', { name: 'Reset second factor' }).click();
  const question = page.getByRole('dialog');
  await question.getByRole('button', { name: 'Reset second factor' }).click();
  await expect(member.getByRole('button', { name: 'Reset second factor' })).toHaveCount(0);
  await expect(colleague.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await context.close();
});
