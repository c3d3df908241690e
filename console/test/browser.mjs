// A headless Chromium whose names resolve on this host only, and pages that note what they ask for.
import assert from 'node:assert/strict';
import axe from 'axe-core';
import { chromium } from 'playwright-core';
import { gateway, issuer, key, user } from './gateway.mjs';

/** How long a page may take to show what a test waits for. */
export const patience = Number(process.env.CONSOLE_PATIENCE ?? 180_000);

let browser;

export async function openBrowser() {
  browser = await chromium.launch({
    executablePath: process.env.CONSOLE_CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1'],
    timeout: patience,
  });
}

export const closeBrowser = () => browser?.close();

/**
 * Opens a screen in a new window, which is prepared first. The returned log has the GraphQL requests, the sockets, and the requests to other hosts; the test fails for
 * the latter, except to the identity provider, and for errors of scripts, except the expected messages of the browser.
 */
export async function openScreen(t, path, { as = key, width = 1280, scheme = 'light', locale = 'en-US', prepare, expected = /status of 4\d\d/ } = {}) {
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: scheme, locale, reducedMotion: 'reduce' });
  context.setDefaultTimeout(patience);
  context.setDefaultNavigationTimeout(patience);
  const page = await context.newPage();
  const log = { operations: [], sockets: [], foreign: [], failures: [], scripts: 0 };
  record(page, log, expected, [gateway, issuer].filter(Boolean).map((address) => new URL(address).host));
  t.after(async () => {
    await context.close();
    assert.deepEqual(log.foreign, [], 'requests to other hosts');
    assert.deepEqual(log.failures, [], 'errors of the page');
  });
  await prepare?.(page);
  await page.goto(`${gateway}/console${path}${as ? `#key=${as}` : ''}`);
  return { page, log, context };
}

function record(page, log, expected, hosts) {
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (!hosts.includes(url.host) && !['data:', 'blob:'].includes(url.protocol)) {
      log.foreign.push(request.url());
    }
    if (url.pathname === '/graphql' && request.method() === 'POST') {
      log.operations.push(request.postDataJSON()?.query?.match(/^(query|mutation) (\w+)/)?.[0] ?? 'upload');
    }
  });
  page.on('websocket', (socket) => {
    log.sockets.push(socket);
    if (!hosts.includes(new URL(socket.url()).host)) {
      log.foreign.push(socket.url());
    }
  });
  page.on('pageerror', (error) => log.failures.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && !expected.test(message.text()) && !/WebSocket|ERR_/.test(message.text())) {
      log.failures.push(message.text());
    }
  });
}

/** Signs in by password. */
export async function signIn(page) {
  await page.getByLabel('Email').fill(user.email);
  await page.getByLabel('Password', { exact: true }).fill(user.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** Waits until the screen shows its content and the socket is open. */
export async function awaitScreen(page) {
  await page.waitForSelector('h1');
  await page.waitForSelector('main [aria-busy=false]', { state: 'attached' });
  await page.waitForSelector('[data-connected=true]', { state: 'attached' });
}

/** Rules that axe calls minor or moderate, and that the console keeps. */
const keptRules = ['landmark-unique', 'empty-table-header'];

/**
 * Fails for violations of accessibility that axe calls serious or critical, and of the kept rules. It is skipped on further databases, as the pages do not depend on it.
 */
export async function checkAccess(page, name) {
  if (process.env.CONSOLE_SKIP_ACCESS) {
    return;
  }
  await page.waitForFunction(() => !document.getAnimations().some((animation) => animation instanceof CSSTransition)); // a colour on its way to another
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ['violations'] }));
  const bad = violations.filter(({ id, impact }) => impact === 'serious' || impact === 'critical' || keptRules.includes(id));
  assert.deepEqual(bad.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`), [], `accessibility of ${name}`);
}

/** Waits until the check, which may throw, succeeds. */
export async function awaitSuccess(check) {
  const end = Date.now() + patience;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > end) {
        throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

/** Checks that the page is not wider than its window, and names the elements that are. */
export async function checkWidth(page) {
  await page.waitForFunction(() => document.documentElement.scrollWidth <= window.innerWidth).catch(async (error) => {
    const wide = await page.evaluate(() =>
      [...document.querySelectorAll('body *')]
        .filter((element) => element.getBoundingClientRect().right > window.innerWidth && !element.closest('.wide'))
        .map((element) => `${element.tagName} ${element.textContent}`),
    );
    throw new Error(`wider than the window: ${wide.join(', ')}`, { cause: error });
  });
}
