// The focus, the keyboard and screen readers; what is said while rights are unknown, offline, and
// in another language than the gateway's.
import { readFileSync } from 'node:fs';
import { expect, type Page, test } from './fixtures';
import {
  createDocument,
  createLink,
  createPersona,
  createReader,
  mutate,
  readKey,
  runJob,
  saveDraft,
  unique,
  user,
} from './gateway';
import {
  accountButton,
  awaitScreen,
  changeData,
  checkAccess,
  checkWidth,
  chooseInAccount,
  escapeDialog,
  expectInvalid,
  expectSaved,
  follow,
  heading,
  hold,
  loadScreen,
  openAsUser,
  openScreen,
  phone,
  region,
  signInWithKey,
} from './screen';

const createDraft = () => saveDraft({ title: 'Checked', content: 'Old.' });

test.describe('a key in the address', () => {
  const offer = (page: Page) =>
    page.getByRole('dialog', { name: 'Sign in with the key of this address?' });
  const pasteKey = (page: Page, secret: string) =>
    page.evaluate((key) => (window.location.hash = `key=${key}`), secret);
  const address = (page: Page) => new URL(page.url()).hash;

  test('asks beside a session, which goes on after a no', async ({ page }) => {
    await openAsUser(page, '/settings');
    const secret = readKey;
    await pasteKey(page, secret);
    await expect(offer(page)).toBeVisible();
    expect(address(page)).toBe('');
    await checkAccess(page, 'the offer of a key');
    await offer(page).getByRole('button', { name: 'Stay signed in' }).click();
    await expect(offer(page)).toHaveCount(0);
    await expect(page.getByText('You may only read here.')).toHaveCount(0);
    await pasteKey(page, secret);
    await offer(page).getByRole('button', { name: 'Use the key' }).click();
    await expect(accountButton(page)).toBeVisible();
    await expect.poll(() => page.getByText('You may only read here.').count()).toBeGreaterThan(0);
  });

  test('asks when it opens a page beside a session of the browser', async ({ page, context }) => {
    await openAsUser(page, '/');
    const other = await context.newPage();
    await other.goto(`${new URL(page.url()).origin}/console/#key=${readKey}`);
    await expect(offer(other)).toBeVisible();
    await offer(other).getByRole('button', { name: 'Stay signed in' }).click();
    await expect(heading(other, 'Home')).toBeVisible();
  });

  test('signs in where the session has ended', async ({ page, context }) => {
    await openAsUser(page, '/');
    await context.clearCookies();
    const other = await context.newPage();
    await other.goto(`${new URL(page.url()).origin}/console/#key=${readKey}`);
    await expect.poll(() => other.getByText('You may only read here.').count()).toBeGreaterThan(0);
    expect(address(other)).toBe('');
  });
});

test.describe('a mutation that is refused after the session has ended opens the sign-in', () => {
  const cases = {
    'of a button': {
      path: async () => `/documents/${await createDocument('Read after the session')}`,
      act: (page: Page) => page.getByRole('button', { name: 'Find signals' }).click(),
    },
    'of a form': {
      path: () => '/settings',
      act: (page: Page) => page.getByRole('button', { name: 'Create key' }).click(),
    },
    'of a check while writing': {
      path: async () => `/drafts/${await createDraft()}`,
      act: (page: Page) => page.getByLabel('Text', { exact: true }).fill('Ferries leave at dawn.'),
    },
  };
  for (const [name, { path, act }] of Object.entries(cases)) {
    test(name, async ({ page, context }) => {
      await openAsUser(page, await path());
      await context.clearCookies();
      await act(page);
      await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
      await expect(page.getByText('X-API-Key')).toHaveCount(0);
    });
  }
});

test('the focus returns from the dialog of the request to its button', async ({ page }) => {
  await openScreen(page, '/links');
  const button = page.getByRole('button', { name: 'Copy as GraphQL or curl' });
  const dialog = page.getByRole('dialog');
  for (const close of [
    () => escapeDialog(dialog),
    () => dialog.getByRole('button', { name: 'Close' }).click(),
  ]) {
    await button.click();
    await expect(dialog.getByText('query Links')).toBeVisible();
    await close();
    await expect(dialog).toHaveCount(0);
    await expect(button).toBeFocused();
  }
});

test('the focus returns from the menu of the account to its button, also the first time', async ({
  page,
}) => {
  await openScreen(page, '/');
  const item = page.getByRole('menuitem', { name: 'Deutsch' });
  for (let time = 0; time < 2; time++) {
    await accountButton(page).press('Enter');
    await expect(item).toBeVisible();
    await checkAccess(page, 'the menu of the account');
    await page.keyboard.press('Escape');
    await expect(item).toHaveCount(0);
    await expect(accountButton(page)).toBeFocused();
  }
});

test('the menu of a phone closes with Escape, keeps the focus before the screen, and leads to the heading', async ({
  page,
}) => {
  await changeData(page, ({ failed }) => failed && (failed.totalCount = 1)); // a sentence of Home
  await openScreen(page, '/', { width: phone });
  const main = page.locator('main');
  const navigation = page.getByRole('navigation');
  const button = page.getByRole('banner').getByRole('button', { name: 'Menu' });
  await button.click();
  await expect(navigation.getByRole('link', { name: 'Documents' })).toBeVisible();
  await expect(main, 'the screen behind the menu').toHaveJSProperty('inert', true);
  await page.keyboard.press('Escape');
  await expect(navigation).toBeHidden();
  await expect(button).toBeFocused();
  await expect(main).toHaveJSProperty('inert', false);
  for (const screen of ['Documents', 'Documents', 'Home']) {
    await button.click();
    await navigation.getByRole('link', { name: screen }).press('Enter');
    await expect(navigation).toBeHidden();
    await expect(heading(page, screen)).toBeFocused();
  }
  await button.click();
  await page.setViewportSize({ width: 1280, height: 900 });
  await expect(main, 'in a wide window').toHaveJSProperty('inert', false);
});

test('the first Tab reaches a link that skips to the content, and another screen gets the focus on its heading', async ({
  page,
}) => {
  const id = await createDocument('Read by keyboard');
  await openScreen(page, '/documents');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to the content' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  expect(page.url()).not.toContain('#');
  await page.locator(`[data-document="${id}"]`).getByRole('link').press('Enter');
  await expect(heading(page, 'Read by keyboard')).toBeFocused();
  await follow(page, 'Drafts');
  await expect(heading(page, 'Drafts')).toBeFocused();
  await page.goBack();
  await expect(heading(page, 'Read by keyboard')).toBeFocused();
});

test('a button keeps the focus while its request runs, and a form that is sent leaves it in its part', async ({
  page,
}) => {
  const draft = await saveDraft({ title: unique('Focus'), content: 'We open.' });
  await openScreen(page, `/drafts/${draft}`);
  const send = await hold(page, 'mutation SaveDraft');
  await page.getByLabel('Title', { exact: true }).fill(unique('Kept'));
  const store = page.getByRole('button', { name: 'Save', exact: true });
  await store.press('Enter');
  await expect(store).toBeDisabled();
  send();
  await expectSaved(page);
  await expect(store).toBeFocused();
  const comments = region(page, 'Comments');
  await comments.getByRole('button', { name: 'Comment on the draft' }).press('Enter');
  await page.keyboard.type('Too short.');
  await comments.getByRole('button', { name: 'Comment', exact: true }).press('Enter');
  await expect(comments.getByText('Too short.')).toBeVisible();
  await expect(comments.getByRole('heading', { name: 'Comments' })).toBeFocused();
  await page.getByRole('heading', { level: 1 }).click(); // a press takes the focus away
  await expect(comments.getByRole('heading', { name: 'Comments' })).not.toBeFocused();
});

test('a user who moves the focus while a screen loads keeps it', async ({ page }) => {
  await openScreen(page, '/');
  const send = await hold(page);
  await follow(page, 'Drafts');
  await expect(heading(page, 'Drafts')).toBeVisible();
  await accountButton(page).focus();
  send();
  await awaitScreen(page);
  await expect(accountButton(page)).toBeFocused();
});

test.describe('landmarks have names of their own, and columns have headings', () => {
  test.beforeAll(async () => {
    await createSummary();
    for (let count = 0; count < 30; count++) {
      await createLink({ title: `Landmark ${count}` });
    }
  });
  for (const path of ['/settings', '/executives', '/audience', '/links', '/webhooks']) {
    test(path, async ({ page }) => {
      await openScreen(page, path);
      await checkAccess(page, path);
    });
  }
});

/** Has the gateway summarise an audience. */
async function createSummary() {
  const { category } = await createReader('Listeners');
  await runJob('startAudienceSummary', { category });
}

test('a long name without spaces does not widen the screen of a persona', async ({ page }) => {
  const name = `Wardens${'ofthenorthernharbour'.repeat(9)}${Date.now()}`;
  const persona = await createPersona({ name });
  await openScreen(page, `/personas/${persona}`, { width: phone });
  await expect(page.getByLabel(/Question to/)).toBeVisible();
  await checkWidth(page);
});

test('nothing is said about rights before they are known', async ({ page, context }) => {
  const send = await hold(page);
  for (const path of ['/documents', '/personas', '/drafts']) {
    await loadScreen(page, path);
    await expect(page.getByRole('status', { name: 'Loading' })).toBeVisible();
    await expect(page.getByText('Your role may read only'), path).toHaveCount(0);
  }
  send();
  const away = await context.newPage();
  await away.route('**/graphql', (route) => route.abort());
  await loadScreen(away, '/documents');
  await expect(away.getByRole('alert').getByText('No connection to the gateway')).toBeVisible();
  await expect(away.getByText('Your role may read only')).toHaveCount(0);
  const reader = await context.newPage();
  await loadScreen(reader, '/documents', readKey);
  await expect(reader.getByText('Your role may read only')).toBeAttached();
});

test('every code of an error has a sentence in every language', () => {
  const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
  const values = /^enum ErrorCode \{[^}]*\}/m.exec(read('../../schema.graphqls'))?.join() ?? '';
  const codes = values.match(/(?<=^ {2})[A-Z_]+$/gm)?.map((code) => code.toLowerCase()) ?? [];
  expect(codes.length).toBeGreaterThan(30);
  for (const language of ['en', 'de']) {
    const messages = JSON.parse(read(`../src/messages/${language}.json`));
    expect(
      codes.filter((code) => !messages[`error.${code}`]),
      language,
    ).toEqual([]);
  }
});

test('sign-out and another language say that the gateway is out of reach', async ({
  page,
  context,
}) => {
  await openAsUser(page, '/');
  await accountButton(page).click();
  await expect(page.getByRole('menuitem', { name: 'Sign out' })).toBeVisible();
  await context.setOffline(true);
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page.getByRole('status').getByText('You are still signed in')).toBeVisible();
  await chooseInAccount(page, 'Deutsch');
  await expect(
    page.getByRole('status').getByText('The language could not be loaded'),
  ).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  await context.setOffline(false);
  await chooseInAccount(page, 'Deutsch');
  await expect(heading(page, 'Start')).toBeVisible();
  await chooseInAccount(page, 'Abmelden');
  await expect(page.getByRole('heading', { name: 'Anmelden' })).toBeVisible();
});

test('a key with letters that no key has is refused at its field', async ({ page }) => {
  await loadScreen(page, '/', null);
  await signInWithKey(page, 'rsk_ключ');
  await expectInvalid(page.getByLabel('Workspace key'));
  await expect(page.getByText('A key has no spaces')).toBeVisible();
});

test('a company that is the author too is shown once, and a format is shown whole', async ({
  page,
}) => {
  const id = await createDocument('Once', 'The harbour stays open.');
  await changeData(page, ({ document }) => document && (document.author = 'Tidewall'));
  await openScreen(page, `/documents/${id}`);
  await expect(page.locator('h1 + div').getByText('Tidewall')).toHaveCount(1);
  await loadScreen(page, `/drafts/${await createDraft()}`);
  await expect(page.getByLabel('Format').first()).toBeVisible();
  const format = page.locator('input[value="Word (DOCX)"]');
  const isWhole = (input: HTMLElement) => input.scrollWidth <= input.clientWidth;
  expect(await format.evaluate(isWhole), 'the name of the format').toBe(true);
});

test.describe('in German', () => {
  test.use({ locale: 'de-DE', expectedErrors: /status of (4\d\d|502)/ });

  test('the gateway’s sentences are German in the German console', async ({ page }) => {
    const enter = page.getByRole('button', { name: 'Anmelden', exact: true });
    await loadScreen(page, '/webhooks', null);
    await enter.click();
    await expect(page.getByText('wird gebraucht').first()).toBeVisible();
    await page.getByLabel('E-Mail').fill(user.email);
    await page.getByLabel('Passwort', { exact: true }).fill('not it');
    await enter.click();
    await expect(
      page.getByRole('alert').getByText('Die E-Mail-Adresse oder das Passwort ist falsch.'),
    ).toBeVisible();
    await page.route('**/auth/session', (route) =>
      route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad Gateway</h1>' }),
    );
    await enter.click();
    await expect(page.getByRole('alert').getByText('Das Gateway antwortet nicht')).toBeVisible();
    await page.unroute('**/auth/session');
    await page.getByLabel('Passwort', { exact: true }).fill(user.password);
    await enter.click();
    await awaitScreen(page);
    await page.getByLabel('Adresse (https)').fill('nowhere');
    await page.getByRole('button', { name: 'Neuer Webhook' }).click();
    await expect(page.getByText(/^(nicht gültig|keine gültige Adresse): /)).toBeVisible();
  });

  test('a refused action and a refused stream have a German sentence, with the gateway’s details', async ({
    page,
  }) => {
    const persona = await createPersona({ name: `Refused ${Date.now()}` });
    const id = await createDocument('Refused');
    await page.routeWebSocket(/graphql/, (socket) => {
      const server = socket.connectToServer();
      socket.onMessage((text) => {
        const { id, payload } = JSON.parse(String(text));
        if (payload?.query?.includes('interactStream')) {
          const error = { message: 'slow down', extensions: { code: 'rate_limited' } };
          socket.send(JSON.stringify({ id, type: 'error', payload: [error] }));
        } else {
          server.send(text);
        }
      });
    });
    await openScreen(page, `/personas/${persona}`);
    await page.getByLabel(/Frage an/).fill('Und?');
    await page.getByLabel(/Frage an/).press('Enter');
    await expect(page.getByRole('alert').getByText('Zu viele Anfragen.')).toBeVisible();
    await openScreen(page, `/documents/${id}`);
    const error = {
      message: 'no runs left until Monday',
      extensions: { code: 'budget_exhausted' },
    };
    await page.route('**/graphql', (route) =>
      route.fulfill({
        contentType: 'application/graphql-response+json',
        json: { errors: [error], data: null },
      }),
    );
    await page.getByRole('button', { name: 'Signale finden' }).click();
    await expect(
      page
        .getByRole('status')
        .getByText('Das Budget an Läufen ist aufgebraucht: no runs left until Monday'),
    ).toBeVisible();
  });

  test('settings name what took runs, the audit log and the limits in the language of the page', async ({
    page,
  }) => {
    await createSummary();
    await mutate('mintKey', { name: `Named ${Date.now()}`, scopes: ['READ'] }, 'key { id }');
    await openScreen(page, '/settings');
    await expect(page.getByText('Schlüssel erstellt').first()).toBeVisible();
    await expect(page.getByText('Zielgruppe zusammengefasst').first()).toBeVisible();
    await expect(page.getByText(/generateAudienceSummary|key\.minted|pageSize/)).toHaveText([]);
  });
});
