// A headless Chromium whose names resolve on this host only, and pages that note what they ask for.
import assert from 'node:assert/strict';
import axe from 'axe-core/axe.min.js';
import { chromium } from 'playwright-core';
import { gateway, issuer, key, user } from './gateway.mjs';

/** How long a page may take to show what a test waits for. */
export const patience = 180_000;

let browser;

/** The windows that no test has open. They have compiled the console, so their next screen takes half the time of a new window's. */
const idleWindows = [];

const openBrowser = () =>
  chromium.launch({
    executablePath: process.env.CONSOLE_CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1'],
    timeout: patience,
  });

export const closeBrowser = async () => (await browser)?.close();

/** The addresses of the gateway that the console may request: itself, the graph, the sign-in, and the files of hosted pages for the preview. */
const ownPaths = /^\/(?:console\/|graphql$|api\/public\/|l\/static\/|favicon\.ico$)/;

/** Files that a page loads; other types of requests are sent by scripts. */
const fileTypes = ['document', 'stylesheet', 'image', 'media', 'font', 'script', 'texttrack', 'manifest', 'websocket'];

/**
 * Opens a screen in a window without cookies and stored data; `address` is opened instead if it is given, and may request the paths in `own`. The
 * window is new if it has headers or `isNew` asks for that, as a test must that changes the console's files or counts them; otherwise another test may
 * have used it. `prepare` may add routes before the address is opened. The returned log has the GraphQL requests and their bodies, all requests of
 * scripts, the sockets, and the requests to other hosts and other parts of the gateway, also those of pop-ups; the test fails for the latter, except to
 * the identity provider, and for errors of scripts, except the expected messages of the browser.
 */
export async function openScreen(t, path, options = {}) {
  const { as = key, address = screenAddress(path, as), width = 1280, scheme = 'light', locale = 'en-US' } = options;
  const { prepare, headers, isNew = Boolean(headers), expected = /status of 4\d\d/, own = ownPaths } = options;
  const opened = (!isNew && takeIdle(locale)) || (await openWindow(locale, headers, isNew));
  const log = { own, expected, operations: [], bodies: [], requests: [], sockets: [], foreign: [], failures: [] };
  const { page, context } = Object.assign(opened, { log });
  t.after(async () => {
    if (isNew || page.isClosed()) {
      await context.close();
    } else {
      await clearWindow(opened);
      idleWindows.push(opened);
    }
    assert.deepEqual(log.foreign, [], 'requests that the console may not send');
    assert.deepEqual(log.failures, [], 'errors of the page');
  });
  await page.setViewportSize({ width, height: 900 });
  await page.emulateMedia({ colorScheme: scheme });
  await prepare?.(page);
  await page.goto(address);
  return { page, log, context };
}

/** Removes a window of the language from the idle ones and returns it, or undefined if there is none. */
function takeIdle(locale) {
  const place = idleWindows.findLastIndex((window) => window.locale === locale);
  return place < 0 ? undefined : idleWindows.splice(place, 1)[0];
}

/** Opens a window whose page and pop-ups record what they do in the `log` of the returned object, which each test replaces. */
async function openWindow(locale, headers, isNew) {
  browser ??= openBrowser();
  const context = await (await browser).newContext({ locale, extraHTTPHeaders: headers, reducedMotion: 'reduce' });
  context.setDefaultTimeout(patience);
  context.setDefaultNavigationTimeout(patience);
  const opened = { context, locale };
  context.on('request', (request) => recordRequest(request, opened.log));
  context.on('page', (page) => recordPage(page, opened));
  opened.page = await context.newPage();
  if (!isNew) {
    opened.page.routeWebSocket = opened.page.addInitScript = () => {
      throw new Error('a window cannot be cleared of this: open the screen with isNew');
    };
  }
  return opened;
}

/** Removes the rest of a test from a window: its routes, pop-ups, cookies and stored data. */
async function clearWindow({ page, context, log }) {
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await context.setOffline(false);
  log.own = /./;
  await page.goto(`${gateway}/healthz`); // a page of the gateway without scripts
  await page.evaluate(() => [localStorage, sessionStorage].forEach((storage) => storage.clear()));
  await context.clearCookies();
  await Promise.all(context.pages().map((other) => other !== page && other.close()));
}

/** Returns the address of a screen, with the key that the console takes from it. */
export const screenAddress = (path, as = key) => `${gateway}/console${path}${as ? `#key=${as}` : ''}`;

/** Opens a screen in a window that shows another one. The blank page makes the browser load it, as it would not where only the key in the address is new. */
export async function reopenScreen(page, path, as = key) {
  await page.goto('about:blank');
  await page.goto(screenAddress(path, as));
}

/** Reports whether a page that may request the paths of the gateway in `own` may not request the address. */
function isForeign(address, own) {
  const { protocol, host, pathname } = new URL(address);
  if (protocol === 'data:' || protocol === 'blob:') {
    return false;
  }
  return host === new URL(gateway).host ? !own.test(pathname) : !issuer || host !== new URL(issuer).host;
}

function recordRequest(request, log) {
  const { protocol, pathname } = new URL(request.url());
  if (isForeign(request.url(), log.own)) {
    log.foreign.push(request.url());
  }
  if (protocol.startsWith('http') && !fileTypes.includes(request.resourceType())) {
    log.requests.push(`${request.method()} ${pathname}`);
  }
  if (pathname === '/graphql' && request.method() === 'POST') {
    log.bodies.push(request.postData());
    log.operations.push(request.postDataJSON()?.query?.match(/^(query|mutation) (\w+)/)?.[0] ?? 'upload');
  }
}

function recordPage(page, opened) {
  page.on('websocket', (socket) => {
    opened.log.sockets.push(socket);
    if (isForeign(socket.url(), opened.log.own)) {
      opened.log.foreign.push(socket.url());
    }
  });
  page.on('pageerror', (error) => opened.log.failures.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && !opened.log.expected.test(message.text()) && !/WebSocket|ERR_/.test(message.text())) {
      opened.log.failures.push(message.text());
    }
  });
}

/** Signs in by password. */
export async function signIn(page) {
  await page.getByLabel('Email').fill(user.email);
  await page.getByLabel('Password', { exact: true }).fill(user.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** Uses the console in German, by the menu of the account. */
export async function chooseGerman(page) {
  await page.getByRole('banner').getByRole('button').last().click();
  await page.getByRole('menuitem', { name: 'Deutsch' }).click();
  await page.waitForSelector('html[lang=de]');
  await page.getByRole('menu').waitFor({ state: 'detached' });
}

/** Waits until the screen shows its content and the socket is open. */
export async function awaitScreen(page) {
  await page.waitForSelector('h1');
  await page.waitForSelector('main [aria-busy=false]', { state: 'attached' });
  await page.waitForSelector('[data-connected=true]', { state: 'attached' });
}

/** Rules that axe calls minor or moderate, and that the console keeps. */
const keptRules = ['landmark-unique', 'empty-table-header'];

/** Selectors of elements are in no message; the rule that reads the style sheets again is off by default, and the one that reads media has none to read. */
const accessOptions = { resultTypes: ['violations'], selectors: false, preload: false };

/** What axe found in the checks of this process: the pages that were checked, and the violations of each impact. */
export const accessFound = { checks: 0, serious: 0, critical: 0 };

/**
 * Fails for violations of accessibility that axe calls serious or critical, and of the kept rules.
 */
export async function checkAccess(page, name) {
  await page.waitForFunction(() => !document.getAnimations().some((animation) => animation instanceof CSSTransition)); // a colour on its way to another
  if (!(await page.evaluate(() => 'axe' in globalThis))) {
    await page.evaluate(axe.source);
  }
  const { violations } = await page.evaluate((options) => globalThis.axe.run(document, options), accessOptions);
  accessFound.checks++;
  for (const { impact } of violations.filter(({ impact }) => impact in accessFound)) {
    accessFound[impact]++;
  }
  const bad = violations.filter(({ id, impact }) => impact === 'serious' || impact === 'critical' || keptRules.includes(id));
  assert.deepEqual(bad.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`), [], `accessibility of ${name}`);
}

/** Waits until the element has the focus. */
export const awaitFocus = (locator) =>
  awaitSuccess(async () => {
    const hasFocus = await locator.evaluate((element) => element === document.activeElement);
    assert.ok(hasFocus, `the focus is at ${await locator.page().evaluate(() => document.activeElement.outerHTML.slice(0, 200))}`);
  });

/** Closes the dialog by Escape once it has the focus: before, it may be visible without reading keys. */
export async function escapeDialog(dialog) {
  await awaitSuccess(async () => assert.ok(await dialog.evaluate((element) => element.contains(document.activeElement)), 'the dialog has no focus'));
  await dialog.page().keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
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
