// The focus, the keyboard and screen readers; what is said while rights are unknown, offline, and in another language than the gateway's.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { awaitFocus, awaitScreen, awaitSuccess, checkAccess, checkWidth, escapeDialog, openScreen, signIn } from './browser.mjs';
import { createDocument, gateway, graph, key, readKey, user } from './gateway.mjs';

const accountButton = (page) => page.getByRole('banner').getByRole('button').last();

test('a mutation that is refused after the session has ended opens the sign-in', { concurrency: 1 }, async (t) => {
  const id = await createDocument('Read after the session');
  const actions = {
    'of a button': [`/documents/${id}`, (page) => page.getByRole('button', { name: 'Find signals' }).click()],
    'of a form': ['/settings', (page) => page.getByRole('button', { name: 'Create key' }).click()],
    'of a check while writing': [await draftPath(), (page) => page.getByLabel('Text', { exact: true }).fill('Ferries leave at dawn.')],
  };
  for (const [name, [path, act]] of Object.entries(actions)) {
    await t.test(name, async (t) => {
      const { page, context } = await openScreen(t, path, { as: null });
      await signIn(page);
      await awaitScreen(page);
      await context.clearCookies();
      await act(page);
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      assert.equal(await page.getByText('X-API-Key').count(), 0);
    });
  }
});

async function draftPath() {
  const { saveDraft } = await graph('mutation { saveDraft(input: { title: "Checked", content: "Old." }) { draft { id } } }');
  return `/drafts/${saveDraft.draft.id}`;
}

test('the focus returns from the dialog of the request to its button', async (t) => {
  const { page } = await openScreen(t, '/links');
  await awaitScreen(page);
  const button = page.getByRole('button', { name: 'Copy as GraphQL or curl' });
  const dialog = page.getByRole('dialog');
  for (const close of [() => escapeDialog(dialog), () => dialog.getByRole('button', { name: 'Close' }).click()]) {
    await button.click();
    await dialog.getByText('query Links').waitFor();
    await close();
    await dialog.waitFor({ state: 'detached' });
    await awaitFocus(button);
  }
});

test('the focus returns from the menu of the account to its button, also the first time', async (t) => {
  const { page } = await openScreen(t, '/');
  await awaitScreen(page);
  for (const time of ['first', 'second']) {
    await accountButton(page).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Deutsch' }).waitFor();
    await checkAccess(page, 'the menu of the account');
    await page.keyboard.press('Escape');
    await page.getByRole('menuitem', { name: 'Deutsch' }).waitFor({ state: 'detached' });
    await awaitFocus(accountButton(page));
  }
});

/** Has Home show the sentence about failed jobs. */
const reportFailure = (page) =>
  page.route('**/graphql', async (route) => {
    const response = await route.fetch();
    const json = await response.json();
    if (json.data?.failed) {
      json.data.failed.totalCount = 1;
    }
    await route.fulfill({ response, json });
  });

test('the menu of a phone closes with Escape, keeps the focus before the screen, and leads to the heading', async (t) => {
  const { page } = await openScreen(t, '/', { width: 390, prepare: reportFailure });
  await awaitScreen(page);
  const button = page.getByRole('banner').getByRole('button', { name: 'Menu' });
  await button.click();
  await page.getByRole('navigation').getByRole('link', { name: 'Documents' }).waitFor();
  assert.ok(await page.locator('main').evaluate((main) => main.inert), 'the screen behind the menu is inert');
  await page.keyboard.press('Escape');
  await page.getByRole('navigation').waitFor({ state: 'hidden' });
  await awaitFocus(button);
  assert.ok(!(await page.locator('main').evaluate((main) => main.inert)));
  for (const [link, heading] of [['Documents', 'Documents'], ['Documents', 'Documents'], ['Home', 'Home']]) {
    await button.click();
    await page.getByRole('navigation').getByRole('link', { name: link }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('navigation').waitFor({ state: 'hidden' });
    await awaitFocus(page.getByRole('heading', { level: 1, name: heading }));
  }
  await button.click();
  await page.setViewportSize({ width: 1280, height: 900 });
  await awaitSuccess(async () => assert.ok(!(await page.locator('main').evaluate((main) => main.inert)), 'inert in a wide window'));
});

test('the first Tab reaches a link that skips to the content, and another screen gets the focus on its heading', async (t) => {
  const id = await createDocument('Read by keyboard');
  const { page } = await openScreen(t, '/documents');
  await awaitScreen(page);
  await page.keyboard.press('Tab');
  await awaitFocus(page.getByRole('link', { name: 'Skip to the content' }));
  await page.keyboard.press('Enter');
  await awaitFocus(page.getByRole('heading', { level: 1 }));
  assert.ok(!page.url().includes('#'));
  await page.locator(`[data-document="${id}"]`).getByRole('link').press('Enter');
  await awaitFocus(page.getByRole('heading', { level: 1, name: 'Read by keyboard' }));
  await page.getByRole('navigation').getByRole('link', { name: 'Drafts' }).click();
  await awaitFocus(page.getByRole('heading', { level: 1, name: 'Drafts' }));
  await page.goBack();
  await awaitFocus(page.getByRole('heading', { level: 1, name: 'Read by keyboard' }));
});

test('a user who moves the focus while a screen loads keeps it', async (t) => {
  const { page } = await openScreen(t, '/');
  await awaitScreen(page);
  let send;
  const sent = new Promise((resolve) => (send = resolve));
  await page.route('**/graphql', async (route) => {
    await sent;
    await route.continue();
  });
  await page.getByRole('navigation').getByRole('link', { name: 'Drafts' }).click();
  await page.getByRole('heading', { level: 1, name: 'Drafts' }).waitFor();
  await accountButton(page).focus();
  send();
  await awaitScreen(page);
  await awaitFocus(accountButton(page));
});

test('landmarks have names of their own, and columns have headings', { concurrency: 1 }, async (t) => {
  await createSummary();
  for (let count = 0; count < 30; count++) {
    await graph('mutation($title: String!) { createLink(input: { title: $title, destinationUrl: "https://example.com/" }) { link { id } } }', { title: `Landmark ${count}` });
  }
  for (const path of ['/settings', '/executives', '/audience', '/links', '/webhooks']) {
    await t.test(path, async (t) => {
      const { page } = await openScreen(t, path);
      await awaitScreen(page);
      await checkAccess(page, path);
    });
  }
});

async function createSummary() {
  const category = `Listeners ${Date.now()}`;
  const { createPersona } = await graph('mutation($input: CreatePersonaInput!) { createPersona(input: $input) { persona { id } } }', { input: { name: category, category, concerns: 'emissions' } });
  const id = await createDocument('Summarised');
  await awaitJob('startReactions', 'mutation($id: ID!, $persona: ID!) { startReactions(input: { documentId: $id, personaIds: [$persona] }) { job { id } } }', { id, persona: createPersona.persona.id });
  await awaitJob('startAudienceSummary', 'mutation($category: String!) { startAudienceSummary(input: { category: $category }) { job { id } } }', { category });
}

/** Starts a job and waits until it is completed. */
async function awaitJob(name, mutation, variables) {
  const { [name]: { job } } = await graph(mutation, variables);
  await awaitSuccess(async () => assert.equal((await graph('query($id: ID!) { job(id: $id) { status } }', { id: job.id })).job.status, 'COMPLETED'));
}

test('a long name without spaces does not widen the screen of a persona', async (t) => {
  const name = `Wardens${'ofthenorthernharbour'.repeat(9)}${Date.now()}`;
  const { createPersona } = await graph('mutation($name: String!) { createPersona(input: { name: $name }) { persona { id } } }', { name });
  const { page } = await openScreen(t, `/personas/${createPersona.persona.id}`, { width: 390 });
  await awaitScreen(page);
  await page.getByLabel(/Question to/).waitFor();
  await checkWidth(page);
});

test('nothing is said about rights before they are known', async (t) => {
  let send;
  const sent = new Promise((resolve) => (send = resolve));
  const hold = (page) =>
    page.route('**/graphql', async (route) => {
      await sent;
      await route.continue();
    });
  for (const path of ['/documents', '/personas', '/drafts']) {
    const { page } = await openScreen(t, path, { prepare: hold });
    await page.getByRole('status', { name: 'Loading' }).waitFor();
    assert.equal(await page.getByText('Your role may read only').count(), 0, path);
  }
  send();
  const { page } = await openScreen(t, '/documents', { prepare: (page) => page.route('**/graphql', (route) => route.abort()) });
  await page.getByRole('alert').getByText('No connection to the gateway').waitFor();
  assert.equal(await page.getByText('Your role may read only').count(), 0);
  const reader = await openScreen(t, '/documents', { as: readKey });
  await reader.page.getByText('Your role may read only').waitFor({ state: 'attached' });
});

test('the gateway’s sentences are German in the German console', async (t) => {
  const { page } = await openScreen(t, '/webhooks', { as: null, locale: 'de-DE', expected: /status of (4\d\d|502)/ });
  await page.getByRole('button', { name: 'Anmelden', exact: true }).click();
  await page.getByText('wird gebraucht').first().waitFor();
  await page.getByLabel('E-Mail').fill(user.email);
  await page.getByLabel('Passwort', { exact: true }).fill('not it');
  await page.getByRole('button', { name: 'Anmelden', exact: true }).click();
  await page.getByRole('alert').getByText('Die E-Mail-Adresse oder das Passwort ist falsch.').waitFor();
  await page.route('**/auth/session', (route) => route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad Gateway</h1>' }));
  await page.getByRole('button', { name: 'Anmelden', exact: true }).click();
  await page.getByRole('alert').getByText('Das Gateway antwortet nicht').waitFor();
  await page.unroute('**/auth/session');
  await page.getByLabel('Passwort', { exact: true }).fill(user.password);
  await page.getByRole('button', { name: 'Anmelden', exact: true }).click();
  await awaitScreen(page);
  await page.getByLabel('Adresse (https)').fill('nowhere');
  await page.getByRole('button', { name: 'Neuer Webhook' }).click();
  await page.getByText(/^(nicht gültig|keine gültige Adresse): /).waitFor();
});

test('a refused action and a refused stream have a German sentence, with the gateway’s details', async (t) => {
  const { createPersona } = await graph('mutation($name: String!) { createPersona(input: { name: $name }) { persona { id } } }', { name: `Refused ${Date.now()}` });
  const id = await createDocument('Refused');
  const refuse = (page) =>
    page.routeWebSocket(/graphql/, (socket) => {
      const server = socket.connectToServer();
      socket.onMessage((text) => {
        const message = JSON.parse(text);
        const isQuestion = message.type === 'subscribe' && message.payload.query.includes('interactStream');
        if (isQuestion) {
          socket.send(JSON.stringify({ id: message.id, type: 'error', payload: [{ message: 'slow down', extensions: { code: 'rate_limited' } }] }));
        } else {
          server.send(text);
        }
      });
    });
  const { page } = await openScreen(t, `/personas/${createPersona.persona.id}`, { locale: 'de-DE', isNew: true, prepare: refuse });
  await awaitScreen(page);
  await page.getByLabel(/Frage an/).fill('Und?');
  await page.getByLabel(/Frage an/).press('Enter');
  await page.getByRole('alert').getByText('Zu viele Anfragen.').waitFor();
  const document = await openScreen(t, `/documents/${id}`, { locale: 'de-DE' });
  await awaitScreen(document.page);
  await document.page.route('**/graphql', (route) =>
    route.fulfill({ contentType: 'application/graphql-response+json', json: { errors: [{ message: 'no runs left until Monday', extensions: { code: 'budget_exhausted' } }], data: null } }),
  );
  await document.page.getByRole('button', { name: 'Signale finden' }).click();
  await document.page.getByRole('status').getByText('Das Budget an Läufen ist aufgebraucht: no runs left until Monday').waitFor();
});

test('every code of an error has a sentence in every language', () => {
  const read = (path) => readFileSync(new URL(path, import.meta.url), 'utf8');
  const codes = read('../../schema.graphqls').match(/^enum ErrorCode \{[^}]*\}/m)[0].match(/^ {2}[A-Z_]+$/gm).map((code) => code.trim().toLowerCase());
  assert.ok(codes.length > 30);
  for (const language of ['en', 'de']) {
    const messages = JSON.parse(read(`../src/messages/${language}.json`));
    assert.deepEqual(codes.filter((code) => !messages[`error.${code}`]), [], language);
  }
});

test('sign-out and another language say that the gateway is out of reach', async (t) => {
  const { page, context } = await openScreen(t, '/', { as: null });
  await signIn(page);
  await awaitScreen(page);
  await accountButton(page).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
  await context.setOffline(true);
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('status').getByText('You are still signed in').waitFor();
  await accountButton(page).click();
  await page.getByRole('menuitem', { name: 'Deutsch' }).click();
  await page.getByRole('status').getByText('The language could not be loaded').waitFor();
  assert.equal(await page.evaluate(() => document.documentElement.lang), 'en');
  await context.setOffline(false);
  await accountButton(page).click();
  await page.getByRole('menuitem', { name: 'Deutsch' }).click();
  await page.getByRole('heading', { level: 1, name: 'Start' }).waitFor();
  await accountButton(page).click();
  await page.getByRole('menuitem', { name: 'Abmelden' }).click();
  await page.getByRole('heading', { name: 'Anmelden' }).waitFor();
});

test('a key with letters that no key has is refused at its field', async (t) => {
  const { page } = await openScreen(t, '/', { as: null });
  const field = page.getByLabel('Workspace key');
  await field.fill('rsk_ключ');
  await page.getByRole('button', { name: 'Use this key' }).click();
  await awaitSuccess(async () => assert.equal(await field.getAttribute('aria-invalid'), 'true'));
  await page.getByText('A key has no spaces').waitFor();
});

test('settings name what took runs, the audit log and the limits in the language of the page', async (t) => {
  await createSummary();
  await graph('mutation($name: String!) { mintKey(input: { name: $name, scopes: [READ] }) { key { id } } }', { name: `Named ${Date.now()}` });
  const { page } = await openScreen(t, '/settings', { locale: 'de-DE' });
  await awaitScreen(page);
  await page.getByText('Schlüssel erstellt').first().waitFor();
  await page.getByText('Zielgruppe zusammengefasst').first().waitFor();
  assert.deepEqual(await page.getByText(/generateAudienceSummary|key\.minted|pageSize/).allInnerTexts(), []);
});

test('a company that is the author too is shown once, and a format is shown whole', async (t) => {
  const id = await createDocument('Once', 'The harbour stays open.');
  const writeAuthor = (page) =>
    page.route('**/graphql', async (route) => {
      const response = await route.fetch();
      const json = await response.json();
      if (json.data?.document) {
        json.data.document.author = 'Tidewall';
      }
      await route.fulfill({ response, json });
    });
  const { page } = await openScreen(t, `/documents/${id}`, { prepare: writeAuthor });
  await awaitScreen(page);
  assert.equal(await page.locator('h1 + div').getByText('Tidewall').count(), 1);
  await page.goto(`${gateway}/console${await draftPath()}#key=${key}`);
  await page.getByLabel('Format').first().waitFor();
  const format = page.locator('input[value="Word (DOCX)"]');
  assert.ok(await format.evaluate((input) => input.scrollWidth <= input.clientWidth), 'the name of the format is cut');
});
