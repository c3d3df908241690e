// A person at a window: what they do by mouse or by keyboard alone, and what they read in their
// language.
import { readFileSync } from 'node:fs';
import { expect, type Locator, type Page } from '@playwright/test';
import { awaitScreen, checkWidth, phone } from './screen';

export type Device = 'mouse' | 'keyboard';
export type Language = 'en' | 'de';

const messagesOf = (language: Language): Record<string, string> =>
  JSON.parse(
    readFileSync(new URL(`../src/messages/${language}.json`, import.meta.url), 'utf8'),
  ) as Record<string, string>;

const english = messagesOf('en');

/** Words that only English sentences have, for those of the gateway. */
const englishWords = /\s(?:the|and|of|with|your|is|are|this)\s/i;

/** The most presses of the Tab key that a step may take. */
const mostTabs = 60;

/** Where the focus is, as seen from an element. */
type Place = 'here' | 'before' | 'behind' | 'nowhere';

export class Person {
  private readonly messages: Record<string, string>;
  /** True until the first press of a key on a page that was just loaded. */
  private isNewPage = true;
  private lastStep = 'the page was loaded';

  constructor(
    readonly page: Page,
    readonly language: Language,
    private readonly device: Device,
  ) {
    this.messages = messagesOf(language);
  }

  /** Returns a message of the console in the person's language. */
  t(key: string, values: Record<string, string | number> = {}): string {
    const text = this.messages[key];
    if (text === undefined) {
      throw new Error(`there is no message ${key}`);
    }
    return text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]));
  }

  region(key: string): Locator {
    return this.page.getByRole('region', { name: this.t(key), exact: true });
  }

  /** A button with the message; `part` is where it is. */
  button(key: string, part: Page | Locator = this.page): Locator {
    return part.getByRole('button', { name: this.t(key), exact: true });
  }

  /** A field with the message as its label; `part` is where it is. */
  field(key: string, part: Page | Locator = this.page): Locator {
    return part.getByLabel(this.t(key), { exact: true });
  }

  /** A text field with the message as its name, also one that is required. */
  textbox(key: string, part: Page | Locator = this.page): Locator {
    return part.getByRole('textbox', { name: this.t(key), exact: true });
  }

  async open(address: string): Promise<void> {
    await this.page.goto(address);
    this.isNewPage = true;
    this.lastStep = 'the page was loaded';
  }

  /** Opens a screen of the navigation, on a phone by the menu. */
  async goTo(key: string): Promise<void> {
    if (this.isPhone) {
      await this.press(
        this.page.getByRole('banner').getByRole('button', { name: this.t('nav.menu') }),
      );
    }
    await this.press(
      this.page.getByRole('navigation').getByRole('link', { name: this.t(key), exact: true }),
    );
    await this.expectHeading(this.t(key === 'nav.home' ? 'home.title' : key));
  }

  async expectHeading(name: string): Promise<void> {
    await expect(
      this.page.getByRole('heading', { level: 1, name, exact: true }).first(), // a text may have it too
    ).toBeVisible();
    await awaitScreen(this.page);
    await this.check();
  }

  /** Presses a button or follows a link, on a screen that fits and is in one language. */
  async press(target: Locator): Promise<void> {
    await expect(target).toBeVisible();
    await this.check();
    if (this.device === 'mouse') {
      await target.click();
    } else {
      await this.reach(target);
      await expect(target, `${target.toString()} can be pressed`).toBeEnabled();
      await this.page.keyboard.press('Enter');
      this.lastStep = `Enter on ${target.toString()}`;
    }
  }

  /** Replaces what a field contains. */
  async fill(target: Locator, text: string): Promise<void> {
    if (this.device === 'mouse') {
      await target.fill(text);
    } else {
      await this.reach(target);
      await this.page.keyboard.press('Control+a');
      await this.page.keyboard.type(text);
      await expect(target).toHaveValue(text);
    }
  }

  /** Chooses the option of a selection whose label begins with the words. */
  async choose(target: Locator, words: string): Promise<void> {
    const chosen = () =>
      target.evaluate((element: HTMLSelectElement) => element.selectedOptions[0]?.label ?? '');
    if (this.device === 'mouse') {
      const labels = await target.locator('option').allInnerTexts();
      await target.selectOption({
        label: labels.find((label) => label.startsWith(words)) ?? words,
      });
    } else {
      await this.reach(target);
      // The browser chooses by the first letters; Playwright has no keys for others.
      await this.page.keyboard.type(/^[ -~]+/.exec(words)?.[0] ?? '');
    }
    await expect.poll(chosen).toContain(words);
  }

  /** Enters a time of next year: by keyboard in each part, in whatever order the browser has them. */
  async fillNextYear(target: Locator): Promise<void> {
    const next = new Date().getFullYear() + 1;
    if (this.device === 'mouse') {
      await target.fill(`${next}-02-02T09:30`);
    } else {
      await this.reach(target);
      for (let part = 0; part < 6; part++) {
        await this.page.keyboard.press('ArrowUp');
        await this.page.keyboard.press('ArrowUp');
        await this.page.keyboard.press('ArrowRight');
      }
    }
    await expect(target).toHaveValue(new RegExp(`^${next}-02-02T`));
  }

  /** Removes the time of a field. */
  async clearTime(target: Locator): Promise<void> {
    if (this.device === 'mouse') {
      await target.fill('');
    } else {
      await this.reach(target);
      for (let part = 0; part < 6; part++) {
        await this.page.keyboard.press('Delete');
        await this.page.keyboard.press('ArrowRight');
      }
    }
    await expect(target).toHaveValue('');
  }

  /** Writes at the end of a text. */
  async append(target: Locator, text: string): Promise<void> {
    if (this.device === 'mouse') {
      await target.click();
    } else {
      await this.reach(target);
    }
    await this.page.keyboard.press('Control+End');
    await this.page.keyboard.type(text);
  }

  /** Selects the last word of a formatted text, with the stop behind it by keyboard. */
  async selectLastWord(target: Locator, word: string): Promise<void> {
    if (this.device === 'mouse') {
      const { x, y } = await target.evaluate((element, sought) => {
        const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
        const range = document.createRange();
        while (walker.nextNode()) {
          const { data } = walker.currentNode as Text;
          const at = data.lastIndexOf(sought);
          if (at >= 0) {
            range.setStart(walker.currentNode, at);
            range.setEnd(walker.currentNode, at + sought.length);
          }
        }
        (range.startContainer.parentElement as Element).scrollIntoView({ block: 'center' });
        const box = range.getBoundingClientRect();
        return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
      }, word);
      await this.page.mouse.dblclick(x, y);
    } else {
      await this.reach(target);
      await this.page.keyboard.press('Control+End');
      await this.page.keyboard.press('ArrowLeft'); // before the stop
      await this.page.keyboard.press('Control+Shift+ArrowLeft');
    }
    await expect.poll(() => this.page.evaluate(() => getSelection()?.toString())).toBe(word);
  }

  /** Checks that the page is not too wide, and that nothing on it is in another language. */
  async check(): Promise<void> {
    if (this.isPhone) {
      await checkWidth(this.page);
    }
    if (this.language !== 'en') {
      expect(await this.foreignTexts(), 'texts in English').toEqual([]);
    }
  }

  private get isPhone(): boolean {
    return this.page.viewportSize()?.width === phone;
  }

  /** Returns the visible texts that are English, besides what people have written. */
  private async foreignTexts(): Promise<string[]> {
    const texts = await this.page.evaluate(() => {
      const written =
        'textarea, .rich-text, .prose, .rows > li:not(.comment), .facet-value, th[scope=row]';
      const shown = [...document.querySelectorAll('body *')].filter(
        (element) => element.checkVisibility() && !element.closest(written),
      );
      const own = shown.flatMap(({ childNodes }) =>
        [...childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE),
      );
      const named = shown.flatMap((element) =>
        ['aria-label', 'title', 'placeholder'].map((name) => element.getAttribute(name)),
      );
      return [...own.map(({ textContent }) => textContent), ...named].map((text) => text?.trim());
    });
    // Other screens name what other tests have made.
    const isOwn = /\/(?:documents|drafts|links)\/\w+_|\/invite/.test(this.page.url());
    const own = new Set(Object.values(this.messages));
    const foreign = new Set(Object.values(english).filter((text) => !own.has(text)));
    return texts.filter(
      (text): text is string =>
        text !== undefined && (foreign.has(text) || (isOwn && englishWords.test(` ${text} `))),
    );
  }

  /** Moves the focus to an element by the Tab key, past the navigation by its link. */
  private async reach(target: Locator): Promise<void> {
    await expect(target).toBeVisible();
    const isInMain = await target.evaluate((element) => element.closest('main') !== null);
    const skip = this.page.getByRole('link', { name: this.t('nav.skip') });
    let tabs = 0;
    for (let place = await this.placeFrom(target); place !== 'here'; tabs++) {
      expect(tabs, `presses of Tab to ${target.toString()}, after ${this.lastStep}`).toBeLessThan(
        mostTabs,
      );
      await this.page.keyboard.press(place === 'behind' ? 'Shift+Tab' : 'Tab');
      this.isNewPage = false;
      if (isInMain && (await skip.and(this.page.locator(':focus')).count()) > 0) {
        await this.page.keyboard.press('Enter');
      }
      place = await this.placeFrom(target);
    }
  }

  /** Returns whether the focus is before an element or behind it; it may be lost for a moment only. */
  private async placeFrom(target: Locator): Promise<Place> {
    const read = () =>
      target.evaluate((element): Place => {
        const active = document.activeElement;
        if (active === element) {
          return 'here';
        }
        if (!active || active === document.body) {
          return 'nowhere';
        }
        const order = element.compareDocumentPosition(active);
        return order & Node.DOCUMENT_POSITION_FOLLOWING ? 'behind' : 'before';
      });
    if (!this.isNewPage) {
      await expect.poll(read, `the focus after ${this.lastStep}`).not.toBe('nowhere');
    }
    return read();
  }
}
