// Steps and checks that the tests of all screens share.
import { expect, type Locator, type Page } from '@playwright/test';
import axe from 'axe-core';
import { type Data, gateway, key, user } from './gateway';

/** The width of a phone's window. */
export const phone = 390;

/**
 * Returns the address of a screen, with the key that the console takes from it; without a key it
 * shows the sign-in.
 */
export const screenAddress = (path: string, as: string | null = key) =>
  `${gateway}/console${path}${as ? `#key=${as}` : ''}`;

/** Waits until the screen shows its content and the socket is open. */
export async function awaitScreen(page: Page) {
  await expect(page.locator('h1').first()).toBeVisible();
  await awaitContent(page);
  await expect(page.locator('[data-connected=true]').first()).toBeAttached();
}

/** Waits until the content of a screen is that of its last request. */
export const awaitContent = (page: Page) =>
  expect(page.locator('main [aria-busy=false]').first()).toBeAttached();

/** Opens a screen and waits for its content. */
export async function openScreen(
  page: Page,
  path: string,
  options: { as?: string; width?: number } = {},
) {
  if (options.width) {
    await page.setViewportSize({ width: options.width, height: 900 });
  }
  await loadScreen(page, path, options.as);
  await awaitScreen(page);
}

/**
 * Loads a screen. The blank page makes the browser load it also where only the key in the address
 * is new.
 */
export async function loadScreen(page: Page, path: string, as: string | null = key) {
  if (page.url() !== 'about:blank') {
    await page.goto('about:blank');
  }
  await page.goto(screenAddress(path, as));
}

/** Opens a screen of the user, who signs in by password. */
export async function openAsUser(page: Page, path: string) {
  await loadScreen(page, path, null);
  await signIn(page);
  await awaitScreen(page);
}

export async function signIn(page: Page) {
  await page.getByLabel('Email').fill(user.email);
  await page.getByLabel('Password', { exact: true }).fill(user.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

export async function signInWithKey(page: Page, secret: string) {
  await page.getByLabel('Workspace key', { exact: true }).fill(secret);
  await page.getByRole('button', { name: 'Use this key' }).click();
}

/** Chooses an item of the menu of the account. */
export async function chooseInAccount(page: Page, name: string) {
  await accountButton(page).click();
  await page.getByRole('menuitem', { name }).click();
}

export const accountButton = (page: Page) => page.getByRole('banner').getByRole('button').last();

/** Follows a link of the navigation. */
export const follow = (page: Page, name: string) =>
  page.getByRole('navigation').getByRole('link', { name, exact: true }).click();

export const heading = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true });

export const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

/** Presses the button that saves a form. */
export const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click();

export const expectSaved = (page: Page) =>
  expect(page.getByRole('status').getByText('Saved.')).toBeVisible();

/** Checks that a field has the refusal of what it contains. */
export const expectInvalid = (field: Locator) =>
  expect(field).toHaveAttribute('aria-invalid', 'true');

/**
 * Closes the dialog by Escape once it has the focus: before, it may be visible without reading
 * keys.
 */
export async function escapeDialog(dialog: Locator) {
  await expect(dialog.and(dialog.page().locator(':focus-within'))).toBeAttached();
  await dialog.page().keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
}

/** Opens the dialog with the request of the screen and returns it, once it shows the operation. */
export async function openRequest(page: Page, operation: string) {
  // A click may reach the frame of a preview that is loaded.
  await page.getByRole('button', { name: 'Copy as GraphQL or curl' }).press('Enter');
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText(`query ${operation}`)).toBeVisible();
  return dialog;
}

/** Rules that axe calls minor or moderate, and that the console keeps. */
const keptRules = ['landmark-unique', 'empty-table-header'];

/**
 * Fails for violations of accessibility that axe calls serious or critical, and of the kept rules.
 */
export async function checkAccess(page: Page, name: string) {
  // A colour on its way to another has too little contrast.
  await page.waitForFunction(
    () => !document.getAnimations().some((animation) => animation instanceof CSSTransition),
  );
  if (!(await page.evaluate(() => 'axe' in window))) {
    await page.evaluate(axe.source);
  }
  const { violations } = await page.evaluate(() =>
    (window as unknown as { axe: typeof axe }).axe.run(document, {
      resultTypes: ['violations'],
      selectors: false, // no message has them
      preload: false, // the styles are loaded, and there is no media
    }),
  );
  const bad = violations.filter(
    ({ id, impact }) => ['serious', 'critical'].includes(impact ?? '') || keptRules.includes(id),
  );
  const found = bad.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
  expect(found, `accessibility of ${name}`).toEqual([]);
}

/** Checks that the page is not wider than its window, and names the elements that are. */
export const checkWidth = (page: Page) =>
  expect
    .poll(() =>
      page.evaluate(() => {
        if (document.documentElement.scrollWidth <= window.innerWidth) {
          return [];
        }
        const isWide = (element: Element) =>
          element.getBoundingClientRect().right > window.innerWidth && !element.closest('.wide');
        const wide = [...document.querySelectorAll('body *')].filter(isWide);
        return ['the page', ...wide.map((element) => `${element.tagName} ${element.textContent}`)];
      }),
    )
    .toEqual([]);

/** Changes the responses of the graph that have data. */
export const changeData = (page: Page, change: (data: Data, variables: Data) => void) =>
  page.route('**/graphql', async (route) => {
    const response = await route.fetch();
    const json = await response.json();
    if (json.data) {
      change(json.data, route.request().postDataJSON().variables);
    }
    await route.fulfill({ response, json });
  });

/** Holds the responses to requests that contain a text, until the returned function is called. */
export async function hold(page: Page, ...parts: string[]) {
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/graphql', async (route) => {
    const body = route.request().postData() ?? '';
    if (!parts.every((part) => body.includes(part))) {
      return route.continue();
    }
    const response = await route.fetch();
    await released;
    return route.fulfill({ response });
  });
  return release;
}

/** Makes the window as narrow as a phone's, and checks its width. */
export async function checkPhone(page: Page) {
  await page.setViewportSize({ width: phone, height: 844 });
  await expect(page.locator('header').getByRole('button', { name: 'Menu' })).toBeVisible();
  await checkWidth(page);
}

/** Returns the paths of the screens in the navigation. */
export const navigationPaths = (page: Page) =>
  page
    .locator('nav a[href^="/console"]')
    .evaluateAll((links) =>
      links.map((link) => link.getAttribute('href')?.replace('/console', '') || '/'),
    );

/** The editor of a draft's text. */
export const textOf = (page: Page) => page.getByLabel('Text', { exact: true });

/** Shows the Markdown of a draft's text, and remembers that for the drafts opened later. */
export const markdownMode = (page: Page) =>
  page.getByRole('radiogroup', { name: 'Editor' }).getByText('Markdown').click();

/** Waits until the formatted text of a draft has the words, in blocks or not. */
export const expectWords = (page: Page, words: string) =>
  expect(textOf(page)).toHaveText(words, { useInnerText: true });

/**
 * Selects words of a draft's text, or some letters from where they begin, as a user does. `isLast`
 * means the last place that has the words.
 */
export async function selectWords(
  page: Page,
  words: string,
  { length = words.length, isLast = false } = {},
) {
  await textOf(page).focus();
  await textOf(page).evaluate(
    (element, [sought, size, last]: readonly [string, number, boolean]) => {
      const find = (text: string) => (last ? text.lastIndexOf(sought) : text.indexOf(sought));
      if (element instanceof HTMLTextAreaElement) {
        const at = find(element.value);
        element.setSelectionRange(at, at + size);
        return;
      }
      const nodes: Text[] = [];
      const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      while (walker.nextNode()) {
        nodes.push(walker.currentNode as Text);
      }
      const start = find(nodes.map(({ data }) => data).join(''));
      const place = (offset: number, isEnd: boolean): [Text, number] => {
        let left = offset;
        for (const node of nodes) {
          if (left < node.length || (isEnd && left === node.length)) {
            return [node, left];
          }
          left -= node.length;
        }
        throw new Error(`the text does not have ${sought}`);
      };
      getSelection()?.setBaseAndExtent(...place(start, false), ...place(start + size, size > 0));
    },
    [words, length, isLast] as const,
  );
}

/** Waits until the words of a draft's text are selected. */
export const expectSelected = (page: Page, words: string) =>
  expect
    .poll(() =>
      textOf(page).evaluate((element) =>
        element instanceof HTMLTextAreaElement
          ? element.value.slice(element.selectionStart, element.selectionEnd)
          : getSelection()?.toString(),
      ),
    )
    .toBe(words);
