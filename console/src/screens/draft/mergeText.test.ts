import { describe, expect, test } from 'vitest';
import type { DraftFields } from './draftFields';
import { mergeFields, mergeTexts } from './mergeText';

const fields = (content: string, more: Partial<DraftFields> = {}): DraftFields => ({
  title: 'Plan',
  content,
  points: [],
  ...more,
});

describe('mergeTexts', () => {
  test('takes the changes of different paragraphs', () => {
    const merged = mergeTexts('A mine\n\nB\n\nC', 'A\n\nB\n\nC', 'A\n\nB\n\nC theirs\n\nD');
    expect(merged).toEqual(['A mine\n\nB\n\nC theirs\n\nD']);
  });

  test('takes the changes of neighbours', () => {
    expect(mergeTexts('A mine\nB', 'A\nB', 'A\nB theirs')).toEqual(['A mine\nB theirs']);
  });

  test('has both sides of a paragraph that both changed', () => {
    expect(mergeTexts('A\n\nB mine', 'A\n\nB', 'A\n\nB theirs')).toEqual([
      'A\n\n',
      { mine: 'B mine', theirs: 'B theirs' },
    ]);
  });

  test('has a removed paragraph as empty', () => {
    const parts = mergeTexts('', 'A', 'A theirs');
    expect(parts).toEqual([{ mine: '', theirs: 'A theirs' }]);
  });

  test('the same change of both is no choice', () => {
    expect(mergeTexts('A too', 'A', 'A too')).toEqual(['A too']);
  });
});

describe('mergeFields', () => {
  test('needs no choice when each changed another field', () => {
    const { choices, build } = mergeFields(
      fields('A'),
      fields('A', { title: 'Before' }),
      fields('A theirs', { title: 'Before' }),
    );
    expect(choices).toEqual([]);
    expect(build(() => 'mine')).toEqual(fields('A theirs', { title: 'Plan' }));
  });

  test('builds the text of the sides that are taken', () => {
    const point = { row: 'r', text: 'One', level: 'must', fromKb: false };
    const { choices, build } = mergeFields(
      fields('A mine\n\nB mine', { title: 'Mine', points: [point] }),
      fields('A\n\nB'),
      fields('A theirs\n\nB theirs', { title: 'Theirs', points: [{ ...point, text: 'Two' }] }),
    );
    expect(choices.map(({ field }) => field)).toEqual(['title', 'content', 'content', 'points']);
    expect(build((choice) => (choice === 2 ? 'theirs' : 'mine'))).toEqual(
      fields('A mine\n\nB theirs', { title: 'Mine', points: [point] }),
    );
    expect(build(() => 'theirs').points).toEqual([{ ...point, text: 'Two' }]);
  });
});
