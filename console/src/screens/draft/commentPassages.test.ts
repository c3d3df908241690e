import { describe, expect, test } from 'vitest';
import type { DiscussionFragment } from '../../graph/draft/graphql';
import { chosenPassage, commentMarks, laterPassage, marksAt } from './commentPassages';
import { textOffset } from './markedEditor';

describe('chosenPassage', () => {
  test('counts code points and leaves white space out', () => {
    const text = 'Dear 😀, we open in March.';
    const start = text.indexOf(' open');
    expect(chosenPassage(text, { start, end: start + ' open in '.length })).toEqual({
      start: 11,
      end: 18,
      quote: 'open in',
    });
  });
  test('is null without words', () => {
    expect(chosenPassage('One two', { start: 3, end: 4 })).toBeNull();
    expect(chosenPassage('One two', { start: 2, end: 2 })).toBeNull();
  });
  test('finds the words in a text with CRLF, of which a text area counts one unit', () => {
    const text = 'One.\r\nTwo.\r\nThree.';
    const shown = text.replaceAll('\r\n', '\n');
    const start = textOffset(text, shown.indexOf('Two'));
    expect(chosenPassage(text, { start, end: textOffset(text, shown.indexOf('ree')) })).toEqual({
      start: 6,
      end: 14,
      quote: 'Two.\r\nTh',
    });
  });
});

test('laterPassage follows the words', () => {
  const passage = { start: 3, end: 7, quote: 'open' };
  expect(laterPassage('Soon we open.', passage)).toEqual({ start: 8, end: 12, quote: 'open' });
  expect(laterPassage('We close.', passage)).toBeNull();
});

test('marks are of passages that the text has', () => {
  const comment = { id: 'dco_1', text: 'Sure?', start: 6, end: 10 } as DiscussionFragment;
  const gone = { id: 'dco_2', text: 'Sure?', start: null, end: null } as DiscussionFragment;
  const text = '😀 We open.';
  const marks = commentMarks(text, [comment, gone]);
  expect(marks).toMatchObject([{ id: 'dco_1', quote: { start: 6, end: 10, text: 'pen.' } }]);
  expect(marksAt(text, marks, text.indexOf('pen'))).toEqual(marks);
  expect(marksAt(text, marks, 0)).toEqual([]);
});
