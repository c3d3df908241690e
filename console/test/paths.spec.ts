// What people do on the screens, with the answers of a running gateway.
import type { WebSocketRoute } from '@playwright/test';
import { expect, test } from './fixtures';
import {
  createDocument,
  createPersona,
  createReader,
  extractSignals,
  gateway,
  graph,
  readKey,
  saveDraft,
  unique,
  user,
} from './gateway';
import {
  awaitScreen,
  checkAccess,
  chooseInAccount,
  expectInvalid,
  expectSaved,
  heading,
  loadScreen,
  openScreen,
  region,
  save,
} from './screen';

test('sign-in by password, and a wrong one', async ({ page }) => {
  const enter = page.getByRole('button', { name: 'Sign in', exact: true });
  await loadScreen(page, '/documents', null);
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await checkAccess(page, 'the sign-in');
  await enter.click();
  await expect(page.getByText('is required').first()).toBeVisible(); // the 422 stands at its field
  await page.getByLabel('Email').fill(user.email);
  await page.getByLabel('Password', { exact: true }).fill('not it');
  await enter.click();
  await expect(
    page.getByRole('alert').getByText('the email or the password is wrong'),
  ).toBeVisible();
  await page.getByLabel('Password', { exact: true }).fill(user.password);
  await enter.click();
  await expect(heading(page, 'Documents')).toBeVisible(); // the deep link
  await awaitScreen(page); // the socket accepts the cookie
  await page.reload();
  await expect(heading(page, 'Documents')).toBeVisible();
  await chooseInAccount(page, 'Sign out');
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
});

test('a dropped socket resumes after the last event', async ({ page, log }) => {
  const opened: WebSocketRoute[] = [];
  await page.routeWebSocket(/graphql/, (socket) => {
    opened.push(socket);
    if (opened.length === 1 || opened.length > 3) {
      socket.connectToServer();
    } else {
      void socket.close({ code: 1012 }); // the gateway is away for two attempts
    }
  });
  await openScreen(page, '/');
  await opened[0]?.close({ code: 1012 });
  await expect(page.locator('[data-connected=false]')).toBeAttached();
  const missed = await createDocument('Created while the socket was down');
  await expect(page.locator(`[data-document="${missed}"]`)).toBeVisible();
  expect(opened.length).toBeGreaterThan(3);
  expect([...new Set(log.operations)]).toEqual(['query Home']);
});

test('a subscription that ends with an error starts again', async ({ page }) => {
  let refused = 0;
  await page.routeWebSocket(/graphql/, (socket) => {
    const server = socket.connectToServer();
    socket.onMessage((text) => {
      const { id, payload } = JSON.parse(String(text));
      if (payload?.query?.includes('workspaceEvents') && refused++ === 0) {
        socket.send(JSON.stringify({ id, type: 'error', payload: [{ message: 'refused once' }] }));
      } else {
        server.send(text);
      }
    });
  });
  await openScreen(page, '/');
  const missed = await createDocument('Created after the subscription ended');
  await expect(page.locator(`[data-document="${missed}"]`)).toBeVisible();
  expect(refused).toBeGreaterThan(1);
});

test('what a key may not do is disabled, with the reason', async ({ page }) => {
  await openScreen(page, '/documents', { as: readKey });
  const add = page.getByRole('button', { name: 'Add documents' });
  await expect(add).toHaveAttribute('aria-disabled', 'true');
  await add.press('Enter');
  await expect(page.getByRole('status').getByText('Your role may read only')).toBeVisible();
  expect(page.url()).not.toContain('add');
  await checkAccess(page, 'a disabled action');
  await loadScreen(page, '/settings', readKey);
  await expect(page.getByRole('alert').getByText('needs the scope admin')).toBeVisible();
  await expect(region(page, 'Run budget')).toBeVisible();
});

test('documents are added by address, one of two, from a file and by a drop', async ({
  page,
  sites,
}) => {
  const title = unique('Read by address');
  const site = await sites.pausedPage(title);
  site.open();
  await openScreen(page, '/documents?add');
  const field = page.getByLabel('Addresses');
  const read = page.getByRole('button', { name: 'Read these sources' });
  await field.fill('not an address');
  await read.click();
  await expectInvalid(field);
  const refused = 'ftp://example.com/report.pdf';
  await field.fill(`${site.address}\n${refused}`);
  await read.click();
  await expect(page.getByRole('link', { name: title })).toBeVisible();
  await expect(field, 'the refused address stays in the field').toHaveValue(refused);
  await expectInvalid(field);
  const text = 'The board met in spring and agreed on the second pier.';
  const file = { name: 'minutes.txt', mimeType: 'text/plain', buffer: Buffer.from(text) };
  await page.locator('input[type=file]').setInputFiles(file);
  await expect(page.getByRole('link', { name: 'minutes' }).first()).toBeVisible();
  const dropped = `dropped-${Date.now()}`;
  const dataTransfer = await page.evaluateHandle((name) => {
    const transfer = new DataTransfer();
    const words = 'The board met in autumn and opened the second pier.';
    transfer.items.add(new File([words], `${name}.txt`, { type: 'text/plain' }));
    return transfer;
  }, dropped);
  await page.locator('.drop').dispatchEvent('dragover', { dataTransfer });
  await page.locator('.drop').dispatchEvent('drop', { dataTransfer });
  await expect(page.getByRole('link', { name: dropped })).toBeVisible();
});

test('a response that is older than an event does not undo it', async ({ page, log, sites }) => {
  const title = unique('Slow response');
  const site = await sites.pausedPage(title);
  await openScreen(page, '/documents?add');
  const parts = ['"JobChanged"', '"COMPLETED"'];
  const lastEvent = log.sockets[0]?.waitForEvent('framereceived', ({ payload }) =>
    parts.every((part) => payload.includes(part)),
  );
  await page.route('**/graphql', async (route) => {
    if (!route.request().postData()?.includes('query Documents')) {
      return route.continue();
    }
    const response = await route.fetch();
    site.open();
    await lastEvent;
    await route.fulfill({ response });
  });
  await page.getByLabel('Addresses').fill(site.address);
  await page.getByRole('button', { name: 'Read these sources' }).click();
  await expect(page.getByRole('link', { name: title })).toBeVisible();
});

test('a signal of a document leads to its passage', async ({ page }) => {
  const quote = '“We will cut emissions by a third before the decade ends,”';
  const text = `${quote} said Ada Example, chief executive of Tidewall.\n\nThe harbour stays open.`;
  const id = await createDocument('Statements', text);
  await extractSignals(id);
  await openScreen(page, `/documents/${id}`);
  await region(page, 'Signals').getByRole('button').first().click();
  await expect(page.locator('mark[data-current]').first()).toBeVisible();
  await expect(page).toHaveURL(/at=/);
});

test('an unknown screen and an unknown document', async ({ page }) => {
  await loadScreen(page, '/documents/doc_none');
  await expect(page.getByText('There is nothing at this address')).toBeVisible();
  await loadScreen(page, '/nowhere');
  await expect(page.getByText('There is no such screen')).toBeVisible();
});

test('a persona answers in parts, with its sources', async ({ page, log }) => {
  const text = 'Emissions of the harbour fall by a third in winter, said Ada Example.';
  await createDocument('Winter report', text);
  const persona = await createPersona({ name: unique('Asked'), concerns: 'emissions' });
  await openScreen(page, `/personas/${persona}`);
  await page.getByLabel(/Question to/).fill('What about emissions in winter?');
  await page.getByLabel(/Question to/).press('Enter');
  await expect(page.getByRole('log').getByText('Read for this answer')).toBeVisible();
  await expect(page.getByRole('log').getByRole('link').first()).toBeVisible();
  expect([...new Set(log.operations)], 'the answer arrives by the socket').toHaveLength(1);
  await page.getByRole('button', { name: 'Not like this' }).click();
  await page.getByLabel('What should it do instead?').fill('Answer in one sentence.');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Thanks: the persona learns from it.')).toBeVisible();
});

test('a draft is saved, checked and guarded against another editor', async ({ page }) => {
  const id = await saveDraft({ title: 'Letter', content: 'Old.' });
  await openScreen(page, `/drafts/${id}`);
  await page
    .getByLabel('Text', { exact: true })
    .fill('Emissions fall by a third. The harbour stays open.');
  await page.getByRole('button', { name: 'Add a point' }).click();
  await page.getByLabel('Point 1', { exact: true }).fill('Emissions fall by a third');
  await page.getByRole('button', { name: 'Ask the text model' }).click();
  await expect(page.getByText('Verdicts of builtin-extractive-3')).toBeVisible();
  await expect(page.locator('[data-verdict=COVERED]')).toBeVisible();
  await save(page);
  await expectSaved(page);
  // Typed first: a screen without changes follows what others save, and then there is no conflict.
  await page.getByLabel('Text', { exact: true }).fill('Mine.');
  await saveDraft({ draftId: id, content: 'By another editor.' });
  await save(page);
  await expect(page.getByRole('alert').first()).toBeVisible();
  const { draft } = await graph('query($id: ID!) { draft(id: $id) { content } }', { id });
  expect(draft.content).toBe('By another editor.');
});

test('settings show the models, of which the offline engine is none', async ({ page }) => {
  await openScreen(page, '/settings');
  await expect(page.getByText('No requests to a text model yet')).toBeVisible();
  await expect(page.getByText('builtin-extractive-3')).toBeVisible();
});

/** Returns the statuses of requests with the keys. */
const statusesOf = (...secrets: string[]) =>
  Promise.all(
    secrets.map(async (secret) => {
      const accept = 'application/graphql-response+json';
      const headers = { 'Content-Type': 'application/json', 'X-API-Key': secret, Accept: accept };
      const body = '{"query":"{ workspace { id } }"}';
      return (await fetch(`${gateway}/graphql`, { method: 'POST', headers, body })).status;
    }),
  );

test('a key is made, works, is replaced while the old secret works, and is revoked', async ({
  page,
}) => {
  await openScreen(page, '/settings');
  await page.getByRole('button', { name: 'Create key' }).click();
  await expectInvalid(page.getByLabel('Name of a new key'));
  const name = unique('Console');
  await page.getByLabel('Name of a new key').fill(name);
  await page.getByRole('button', { name: 'Create key' }).click();
  const secret = await page.locator('[data-secret]').innerText();
  expect(await statusesOf(secret)).toEqual([200]);
  const rows = page.locator('[data-key]', { hasText: name });
  await rows.getByRole('button', { name: 'Rotate' }).click();
  await expect(page.locator('[data-secret]', { hasNotText: secret })).toBeVisible();
  const replacement = await page.locator('[data-secret]').innerText();
  expect(await statusesOf(secret, replacement)).toEqual([200, 200]);
  await expect(rows.nth(1)).toBeVisible();
  for (const row of [rows.first(), rows.last()]) {
    await row.getByRole('button', { name: 'Revoke' }).click();
    const question = page.getByRole('dialog', { name: `Revoke the key “${name}” for good?` });
    await question.getByRole('button', { name: 'Revoke' }).click();
    await expect(row.getByText('revoked')).toBeVisible();
  }
  expect(await statusesOf(secret, replacement)).toEqual([401, 401]);
});

test('an audience is summarised from its reactions', async ({ page }) => {
  const { category } = await createReader('readers');
  await openScreen(page, '/audience');
  await page.getByRole('button', { name: `Summarise: ${category}` }).click();
  await expect(region(page, category).getByText(/^1 reaction/)).toBeVisible();
});

test('statements of executives are compared, each with its passage', async ({ page }) => {
  for (const [name, share] of [
    ['Ada Example', 'a third'],
    ['Bo Example', 'a tenth'],
  ]) {
    const text = `“Emissions of the harbour fall by ${share},” said ${name}.`;
    await extractSignals(await createDocument(`Speech of ${name}`, text, name));
  }
  await openScreen(page, '/executives');
  await page.getByRole('checkbox', { name: 'Compare Ada Example' }).check();
  await page.getByRole('checkbox', { name: 'Compare Bo Example' }).check();
  await page.getByRole('button', { name: 'Compare' }).click();
  await expectInvalid(page.getByLabel('Theme')); // the 422 stands at its field
  await page.getByLabel('Theme').fill('moonlight');
  await page.getByRole('button', { name: 'Compare' }).click();
  await expect(
    page.getByRole('status').getByText('No statement of theirs is about “moonlight”,'),
  ).toBeVisible();
  await page.getByLabel('Theme').fill('harbour'); // the rows of all screens have one on emissions
  await page.getByRole('button', { name: 'Compare' }).click();
  await region(page, 'Comparisons').getByRole('link', { name: 'harbour', exact: true }).click();
  await region(page, 'In common').getByRole('link').first().click();
  await expect(page.locator('mark[data-current]').first()).toBeVisible();
});

test('Enter that confirms a word of an input method sends no question', async ({ page }) => {
  const persona = await createPersona({ name: unique('Composed'), concerns: 'emissions' });
  await openScreen(page, `/personas/${persona}`);
  const question = page.getByLabel(/Question to/);
  await question.fill('にほん');
  const init = { key: 'Enter', bubbles: true, cancelable: true };
  await question.dispatchEvent('compositionstart');
  await question.dispatchEvent('keydown', { ...init, isComposing: true });
  await expect(question).toHaveValue('にほん');
  await expect(page.getByRole('log').locator('.bubble')).toHaveCount(0);
  await question.dispatchEvent('compositionend');
  await question.dispatchEvent('keydown', init);
  await expect(page.getByRole('log').getByText('にほん')).toBeVisible();
});

test('an answer whose socket drops begins again', async ({ page }) => {
  const persona = await createPersona({ name: unique('Interrupted'), concerns: 'emissions' });
  const sockets: WebSocketRoute[] = [];
  let finish = () => {};
  // The first socket drops within an answer; the second sends a part, and then what the gateway
  // answers.
  await page.routeWebSocket(/graphql/, (socket) => {
    sockets.push(socket);
    const server = socket.connectToServer();
    socket.onMessage((text) => {
      const { id, payload } = JSON.parse(String(text));
      if (!payload?.query?.includes('interactStream')) {
        return server.send(text);
      }
      const send = (delta: string) => {
        const event = { kind: 'DELTA', delta, interaction: null, failure: null };
        const data = { interactStream: { __typename: 'InteractEvent', ...event } };
        socket.send(JSON.stringify({ id, type: 'next', payload: { data } }));
      };
      if (sockets.length === 1) {
        send('A first ');
        return send('answer that ');
      }
      finish = () => server.send(text);
      return send('A second answer');
    });
  });
  await openScreen(page, `/personas/${persona}`);
  await page.getByLabel(/Question to/).fill('Is it over?');
  await page.getByLabel(/Question to/).press('Enter');
  const answer = page.getByRole('log').locator('.bubble').last();
  await expect(answer.getByText('A first answer that')).toBeVisible();
  await sockets[0]?.close({ code: 1012 });
  await expect(answer.getByText('A second answer', { exact: true })).toBeVisible();
  finish();
  await expect(page.getByRole('button', { name: 'Good answer' })).toBeVisible();
});
