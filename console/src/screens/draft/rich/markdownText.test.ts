import { getSchema } from '@tiptap/core';
import type { Node } from '@tiptap/pm/model';
import { EditorState, type Transaction } from '@tiptap/pm/state';
import { expect, test } from 'vitest';
import { MarkdownText } from './markdownText';
import { offsetAt, partsOf } from './positions';
import { extensions } from './schema';

const schema = getSchema(extensions);

/** Opens a text; `change` changes the document and returns what is stored then. */
function open(text: string) {
  const markdown = new MarkdownText(schema);
  let state = EditorState.create({ doc: markdown.read(text) });
  return {
    markdown,
    doc: () => state.doc,
    change: (make: (transaction: Transaction, at: (words: string) => number) => Transaction) => {
      state = state.apply(make(state.tr, (words) => placeOf(state.doc, words)));
      return markdown.write(state.doc).text;
    },
  };
}

/** Returns where words are in a document. */
function placeOf(doc: Node, words: string): number {
  let place = -1;
  doc.descendants((child, pos) => {
    const at = child.isText ? (child.text ?? '').indexOf(words) : -1;
    if (at >= 0 && place < 0) {
      place = pos + at;
    }
  });
  expect(place, words).toBeGreaterThanOrEqual(0);
  return place;
}

test.each([
  [
    'A [sic] line  \nof *odd*  text\n\n\n* x',
    'line',
    'words',
    'A [sic] words  \nof *odd*  text\n\n\n* x',
  ],
  ['*   a\n*   __b__\n\n    more', 'b', 'c', '*   a\n*   __c__\n\n    more'],
  ['|a|b|\n|-|:-:|\n| one | two |', 'two', '2', '|a|b|\n|-|:-:|\n| one | 2 |'],
  ['Title\n===\nnext', 'Title', 'Name', 'Name\n===\nnext'],
  ['One.\r\nTwo.\r\n\r\nThree.', 'Two', '2', 'One.\r\n2.\r\n\r\nThree.'],
  [
    'See [the quay][q].\n\n[q]: https://example.com',
    'See',
    'Find',
    'Find [the quay][q].\n\n[q]: https://example.com',
  ],
  ['> quoted\nlazily', 'lazily', 'late', '> quoted\nlate'],
  ['    code\n\ntext', 'text', 'words', '    code\n\nwords'],
])('of %j only the changed words are written', (text, words, instead, expected) => {
  const { change } = open(text);
  const stored = change((tr, at) => tr.insertText(instead, at(words), at(words) + words.length));
  expect(stored).toBe(expected);
});

test('words that would be Markdown are escaped, others are not', () => {
  const { change } = open('a_b_c & 2 * 3');
  expect(change((tr, at) => tr.insertText('# ', at('a_b')))).toBe('\\# a_b_c & 2 \\* 3');
});

test('white space at an end is stored once words follow', () => {
  const { doc, change } = open('We open [soon]. *Now*');
  const end = () => doc().content.size - 1;
  expect(change((tr) => tr.insertText(' ', end()))).toBe('We open [soon]. *Now*');
  expect(change((tr) => tr.insertText('x', end()))).toMatch(/^We open \[soon\]\. \*Now x\*$/);
});

test('words that are taken back one by one leave the text as it was', () => {
  const text = 'Title\n===\n\n[^1]: A note.\n  \nEnd  \nhere [sic].\n\n';
  const { doc, change } = open(text);
  const end = () => doc().content.size - 1;
  change((tr) => tr.insertText(' ', end()));
  expect(change((tr) => tr.insertText('x', end()))).toBe(text.replace('].', ']. x'));
  expect(change((tr) => tr.delete(end() - 1, end()))).toBe(text);
  expect(change((tr) => tr.delete(end() - 1, end()))).toBe(text);
});

test('lists that come together stay two lists', () => {
  const { doc, change } = open('- a\n\nBetween\n\n- b');
  const at = doc().child(0).nodeSize;
  const stored = change((tr) => tr.delete(at, at + doc().child(1).nodeSize));
  expect(new MarkdownText(schema).read(stored).childCount).toBe(2);
});

test('an offset of the text is where its words are in the document', () => {
  const text = '# The **quay**\n\n- one\n- two & \\*three*\n\n| a | b |\n|---|---|\n| c | d |';
  const { markdown, doc } = open(text);
  const written = markdown.write(doc());
  for (const words of ['quay', 'The', 'one', 'two', 'three', 'c', 'd']) {
    const start = words === 'c' ? text.lastIndexOf('c') : text.lastIndexOf(words);
    const [part] = partsOf(written, start, start + words.length);
    expect(doc().textBetween(part?.from ?? 0, part?.to ?? 0), words).toBe(words);
    expect(offsetAt(written, part?.from ?? 0, 'after'), words).toBe(start);
    expect(offsetAt(written, part?.to ?? 0, 'before'), words).toBe(start + words.length);
  }
});
