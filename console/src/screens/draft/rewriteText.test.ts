import { diffWordsWithSpace } from 'diff';
import { expect, test } from 'vitest';
import { hasSentenceEnd, placeOf, rewriteInput, rewrittenPart } from './rewriteText';

test('a part is at its offset, else at its first place, else nowhere', () => {
  expect(placeOf('so and so', 'so', 7)).toBe(7);
  expect(placeOf('oh so and so', 'so', 7)).toBe(3);
  expect(placeOf('nothing', 'so', 0)).toBe(-1);
});

test.each([
  ['grow fast', false],
  ['We grow.', true],
  ['成長する。', true],
  ['two\nlines', true],
  ['3,5 percent', false],
])('%j is a sentence: %j', (part, isSentence) => expect(hasSentenceEnd(part)).toBe(isSentence));

/** Rewrites like the gateway: the first occurrence of the part. */
function rewrite(content: string, start: number, part: string, instead: string): string {
  const selected = { start, end: start + part.length };
  const { fullDraft, segments } = rewriteInput(content, selected, 'shorter');
  expect(segments).toEqual([{ segmentText: part, actions: ['shorter'] }]);
  return rewrittenPart(content, selected, (fullDraft ?? '').replace(part, instead));
}

test('the new wording is that of the selection, whichever occurrence it is', () => {
  expect(rewrite('we grow and grow', 3, 'grow', 'expand')).toBe('expand');
  expect(rewrite('we grow and grow', 12, 'grow', 'expand')).toBe('expand');
  expect(rewrite('grow', 0, 'grow', '')).toBe('');
});

test('a request without an instruction has no actions', () => {
  expect(rewriteInput('grow', { start: 0, end: 4 }, null).segments).toEqual([
    { segmentText: 'grow', actions: [] },
  ]);
});

test('the shown changes of words are the two wordings', () => {
  const [before, after] = ['We will grow  fast.\nSoon.', 'We grow fast.\nSoon!'];
  const changes = diffWordsWithSpace(before, after);
  const join = (isIn: (change: (typeof changes)[number]) => boolean) =>
    changes
      .filter(isIn)
      .map(({ value }) => value)
      .join('');
  expect(join(({ added }) => !added)).toBe(before);
  expect(join(({ removed }) => !removed)).toBe(after);
});
