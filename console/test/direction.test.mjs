// Right-to-left: a language whose file has the direction rtl mirrors every screen, and a text has the direction of its own script.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { awaitScreen, checkWidth, openScreen, reopenScreen } from './browser.mjs';
import { createDocument } from './gateway.mjs';
import { screenPaths } from './rows.mjs';

const source = new URL('../src/', import.meta.url);

/** Replaces the English messages by a right-to-left pseudo-language: an Arabic letter before each text. */
async function mirrorMessages(page) {
  await page.route(/\/assets\/en-[^/]+\.js$/, async (route) => {
    const response = await route.fetch();
    const text = await response.text();
    const mirrored = text.replace(/(["'`])ltr\1/g, '$1rtl$1').replace(/(?<=["'`]:)(["'`])(?!rtl)/g, '$1ن ');
    assert.match(mirrored, /rtl/);
    await route.fulfill({ response, body: mirrored });
  });
}

test('every screen mirrors in a right-to-left language', { concurrency: 1 }, async (t) => {
  const { page } = await openScreen(t, '/', { isNew: true, prepare: mirrorMessages });
  for (const [name, { path }] of Object.entries(await screenPaths())) {
    await t.test(name, async () => {
      await page.setViewportSize({ width: 1280, height: 900 });
      await reopenScreen(page, path);
      await awaitScreen(page);
      assert.equal(await page.evaluate(() => document.documentElement.dir), 'rtl');
      const sides = await page.evaluate(() => {
        const box = (selector) => document.querySelector(selector).getBoundingClientRect();
        return { nav: box('nav').right, main: box('main').right, window: window.innerWidth };
      });
      assert.equal(sides.nav, sides.window, 'the navigation is at the right edge');
      assert.ok(sides.main < sides.window, 'the content is left of it');
      await page.setViewportSize({ width: 390, height: 844 });
      await checkWidth(page);
    });
  }
});

test('an Arabic document runs from right to left in an English console', async (t) => {
  const id = await createDocument('ميناء المدينة', 'يبقى الميناء مفتوحا في الشتاء.\n\nThe harbour stays open in winter.');
  const { page } = await openScreen(t, `/documents/${id}`, { width: 390 });
  await awaitScreen(page);
  assert.equal(await page.evaluate(() => document.documentElement.dir), 'ltr');
  for (const selector of ['h1', '.prose']) {
    assert.equal(await page.locator(selector).evaluate((element) => getComputedStyle(element).direction), 'rtl', selector);
  }
  await checkWidth(page);
});

test('styles and components name no left or right side', () => {
  const physical = /\b(?:margin|padding|border)(?:-left|-right|Left|Right)\b|[\s;{'"](?:left|right)\s*:|text-align:\s*(?:left|right)|float:\s*(?:left|right)|\b(?:ml|mr|pl|pr)=|\bta="(?:left|right)"/;
  const files = readdirSync(source, { recursive: true }).filter((name) => /\.(?:tsx?|css)$/.test(name) && !name.startsWith('graph/'));
  assert.ok(files.length > 30);
  for (const name of files) {
    assert.doesNotMatch(readFileSync(new URL(name, source), 'utf8'), physical, name);
  }
});
