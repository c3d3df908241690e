// Right-to-left: a language whose file has the direction rtl mirrors every screen, and a text has
// the direction of its own script.
import { readFileSync, readdirSync } from 'node:fs';
import { expect, type Page, test } from './fixtures';
import { createDocument } from './gateway';
import { screenNames } from './rows';
import { checkPhone, checkWidth, openScreen, phone } from './screen';

const source = new URL('../src/', import.meta.url);

/**
 * Replaces the English messages by a right-to-left pseudo-language: an Arabic letter before each
 * text.
 */
async function mirrorMessages(page: Page) {
  await page.route(/\/assets\/[^/]*en-(?:first|later)-[^/]+\.js$/, async (route) => {
    const response = await route.fetch();
    const text = await response.text();
    const mirrored = text
      .replace(/(["'`])ltr\1/g, '$1rtl$1')
      .replace(/(?<=["'`]:)(["'`])(?!rtl)/g, '$1ن ');
    if (route.request().url().includes('en-first-')) {
      expect(mirrored).toMatch(/rtl/);
    }
    await route.fulfill({ response, body: mirrored });
  });
}

test.describe('every screen mirrors in a right-to-left language', () => {
  for (const name of screenNames) {
    test(name, async ({ page, screens }) => {
      await mirrorMessages(page);
      await openScreen(page, screens[name].path);
      await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
      const sides = await page.evaluate(() => {
        const right = (selector: string) =>
          document.querySelector(selector)?.getBoundingClientRect().right;
        return { nav: right('nav'), main: right('main'), window: window.innerWidth };
      });
      expect(sides.nav, 'the navigation is at the right edge').toBe(sides.window);
      expect(sides.main, 'the content is left of it').toBeLessThan(sides.window);
      await checkPhone(page);
    });
  }
});

test('an Arabic document runs from right to left in an English console', async ({ page }) => {
  const text = 'يبقى الميناء مفتوحا في الشتاء.\n\nThe harbour stays open in winter.';
  const id = await createDocument('ميناء المدينة', text);
  await openScreen(page, `/documents/${id}`, { width: phone });
  await expect(page.locator('html')).toHaveAttribute('dir', 'ltr');
  for (const selector of ['h1', '.prose']) {
    await expect(page.locator(selector)).toHaveCSS('direction', 'rtl');
  }
  await checkWidth(page);
});

test('styles and components name no left or right side', () => {
  const physical =
    /\b(?:margin|padding|border)(?:-left|-right|Left|Right)\b|[\s;{'"](?:left|right)\s*:|text-align:\s*(?:left|right)|float:\s*(?:left|right)|\b(?:ml|mr|pl|pr)=|\bta="(?:left|right)"/;
  const files = readdirSync(source, { encoding: 'utf8', recursive: true }).filter(
    (name) => /\.(?:tsx?|css)$/.test(name) && !name.startsWith('graph/'),
  );
  expect(files.length).toBeGreaterThan(30);
  for (const name of files) {
    expect(readFileSync(new URL(name, source), 'utf8'), name).not.toMatch(physical);
  }
});
