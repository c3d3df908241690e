import { expect, test } from 'vitest';
import { draftOf, emptyBrief, requestOf, titleOf } from './brief';

test('the title of a text is its first heading', () => {
  expect(titleOf('> Outline (text), not a finished text.\n\n# Fares fall #\n\n## Facts')).toBe(
    'Fares fall',
  );
  expect(titleOf('No heading, #1.')).toBeUndefined();
});

test('a brief is sent without its empty fields, and kept with the draft', () => {
  const brief = {
    ...{ ...emptyBrief, prompt: 'A note', points: ' Fares fall\n\nNobody pays twice ' },
    ...{
      audiences: 'skippers, their guests',
      themes: 'fares',
      voice: 'per_1',
      sourceText: 'Fees.',
    },
  };
  const shared = {
    prompt: 'A note',
    themes: ['fares'],
    pullThroughPriorities: [
      { text: 'Fares fall', level: 'must' },
      { text: 'Nobody pays twice', level: 'must' },
    ],
    voiceProfileId: 'per_1',
  };
  const sent = JSON.parse(JSON.stringify(requestOf(brief))) as object;
  expect(sent).toEqual({
    ...shared,
    contentType: 'auto',
    audiences: ['skippers', 'their guests'],
    sourceDocumentExcerpt: 'Fees.',
    moreSourceDocumentIds: [],
  });
  const sources = ['doc_1', 'doc_2'].map((id) => ({ id, title: id }));
  const sourced = { ...brief, sources, targetWords: 200 };
  const named = { sourceDocumentId: 'doc_1', moreSourceDocumentIds: ['doc_2'] };
  expect(requestOf(sourced)).toMatchObject({
    ...named,
    sourceDocumentExcerpt: undefined,
    targetWords: 200,
  });
  expect(draftOf(sourced, '# Fares\n\nThey fall.')).toMatchObject({
    ...shared,
    ...named,
    title: 'Fares',
  });
});
