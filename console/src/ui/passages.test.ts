import { describe, expect, test } from 'vitest';
import { type Passage, cutText, locateQuote } from './passages';

const passage = (id: string, start: number, end: number): Passage => ({
  id,
  label: id,
  color: 'blue',
  start,
  end,
});

/** Returns the pieces as text, such as "[a]bc" for a passage a at "bc". */
const pieces = (text: string, ...passages: Passage[]) =>
  cutText(text, passages).map((piece) =>
    piece.passages.length > 0
      ? `[${piece.passages.map(({ id }) => id).join('+')}]${piece.text}`
      : piece.text,
  );

describe('cutText', () => {
  test('cuts overlapping passages at every end', () => {
    expect(pieces('abcdef', passage('x', 1, 4), passage('y', 2, 6))).toEqual([
      'a',
      '[x]b',
      '[x+y]cd',
      '[y]ef',
    ]);
  });

  test('counts code points, not UTF-16 units', () => {
    expect(pieces('😀😀ab', passage('x', 1, 3))).toEqual(['😀', '[x]😀a', 'b']);
  });

  test('ignores ends outside of the text', () => {
    expect(pieces('abc', passage('x', 1, 99), passage('y', 50, 60))).toEqual(['a', '[x]bc']);
    expect(pieces('', passage('x', 0, 3))).toEqual([]);
  });
});

describe('locateQuote', () => {
  test('keeps a place that still has the text', () => {
    expect(locateQuote('so so', { start: 3, end: 5, text: 'so' })).toMatchObject({
      start: 3,
      end: 5,
    });
  });

  test('finds a quote that has moved, in code points', () => {
    expect(locateQuote('😀 we grow', { start: 0, end: 7, text: 'we grow' })).toEqual({
      start: 2,
      end: 9,
    });
  });

  test('returns null for a quote that is gone', () => {
    expect(locateQuote('nothing', { start: 0, end: 7, text: 'we grow' })).toBeNull();
  });
});
