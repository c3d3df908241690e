import { getSchema } from '@tiptap/core';
import type { Node } from '@tiptap/pm/model';
import { EditorState, TextSelection } from '@tiptap/pm/state';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import Markdown from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { expect, test } from 'vitest';
import { emphasisPlugin, typeEmphasis } from './emphasis';
import { MarkdownText } from './markdownText';
import { parseText } from './parse';
import { extensions } from './schema';

const schema = getSchema(extensions);

/** Types a text at the end of another one, and returns the document and its Markdown. */
function type(text: string, start = '') {
  const markdown = new MarkdownText(schema);
  const doc = markdown.read(start);
  let state = EditorState.create({ doc, plugins: [emphasisPlugin()] });
  state = state.apply(state.tr.setSelection(TextSelection.atEnd(state.doc)));
  for (const character of text) {
    state = state.apply(typeEmphasis(state, character) ?? state.tr.insertText(character));
    markdown.write(state.doc); // as the editor does after each change
  }
  return { doc: state.doc, stored: markdown.write(state.doc).text };
}

/** Returns a Markdown text as a page shows it. */
const html = (text: string) =>
  renderToStaticMarkup(createElement(Markdown, { remarkPlugins: [remarkGfm] }, text));

/** Returns the words of a page, without the white space that HTML does not show. */
const shown = (page: string) =>
  page
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ')
    .trim();

const words = (doc: Node) => doc.textContent.replace(/\s+/g, ' ').trim();

test.each([
  '5 * 3 * 2 = 30',
  '2 * (a + b) * c',
  'a _ b _ c',
  'see * note * below',
  '** bold? ** yes',
  '~~ no ~~ yes',
  'foo__init__bar and snake_case_name',
  'self.__init__() and __init__.py in it',
  'call __init__() twice',
  'a *b**c and *(d)*e',
])('%j is shown as it was typed', (text) => {
  const { doc, stored } = type(text);
  expect(words(doc)).toBe(text);
  expect(shown(html(stored))).toBe(text);
});

test.each([
  ['We **do** it', 'We **do** it'],
  ['*quick*.', '*quick*.'],
  ['a __b__ and _c_, d', 'a **b** and *c*, d'],
  ['~~gone~~ now', '~~gone~~ now'],
  ['*a*b', '*a*b'],
])('%j is emphasis', (text, expected) => {
  expect(type(text).stored).toBe(expected);
});

test('markers before a letter that is there already are words', () => {
  const markdown = new MarkdownText(schema);
  const doc = markdown.read('(a)b');
  let state = EditorState.create({ doc, plugins: [emphasisPlugin()] });
  const typeAt = (pos: number, character: string) => {
    state = state.apply(state.tr.setSelection(TextSelection.create(state.doc, pos)));
    state = state.apply(typeEmphasis(state, character) ?? state.tr.insertText(character));
  };
  typeAt(1, '*');
  typeAt(5, '*');
  expect(shown(html(markdown.write(state.doc).text))).toBe('*(a)*b');
});

/** Returns numbers that are the same for a seed. */
function* random(seed: number): Generator<number, never> {
  for (let state = seed * 2_654_435_761 + 1; ;) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    yield (state >>> 8) / 2 ** 24;
  }
}

const parts = [
  ...[' ', ' ', ' ', ' ', '*', '*', '**', '_', '_', '__', '(', ')', '[', ']'],
  ...['a', 'bee', 'Zürich', '7', '30', '=', '.', ','],
];

function plainText(seed: number): string {
  const numbers = random(seed);
  const next = (limit: number) => Math.floor(numbers.next().value * limit);
  return Array.from({ length: 3 + next(14) }, () => parts[next(parts.length)]).join('');
}

const patience = { timeout: 5 * 60_000 };

test('3,000 texts are shown as they were typed unless CommonMark has emphasis', patience, () => {
  let plain = 0;
  for (let seed = 0; seed < 3_000; seed++) {
    const text = plainText(seed).trim().replace(/ +/g, ' ');
    const { doc, stored } = type(text);
    const page = html(stored);
    expect(shown(page), `seed ${seed}: ${text} -> ${stored}`).toBe(words(doc));
    if (!/<(em|strong|a)\b/.test(html(text))) {
      plain += 1;
      expect(words(doc), `seed ${seed}: ${text}`).toBe(text);
      expect(page, `seed ${seed}: ${stored}`).not.toMatch(/<(em|strong|a)\b/);
    }
  }
  expect(plain).toBeGreaterThan(1_000);
});

test('3,000 pasted texts are what CommonMark has of them', patience, () => {
  for (let seed = 0; seed < 3_000; seed++) {
    const text = plainText(seed).trim();
    const markdown = new MarkdownText(schema);
    markdown.read('');
    const pasted = schema.topNodeType.create(
      null,
      parseText(text, schema).blocks.map(({ node }) => node),
    );
    const stored = markdown.write(pasted).text;
    expect(shown(html(stored)), `seed ${seed}: ${text} -> ${stored}`).toBe(shown(html(text)));
  }
});
