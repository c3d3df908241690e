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
  const sent = JSON.parse(JSON.stringify(requestOf(brief, undefined))) as object;
  expect(sent).toEqual({
    ...shared,
    contentType: 'auto',
    audiences: ['skippers', 'their guests'],
    sourceDocumentExcerpt: 'Fees.',
  });
  expect(requestOf(brief, 'doc_1')).toMatchObject({ sourceDocumentExcerpt: undefined });
  expect(draftOf(brief, 'doc_1', '# Fares\n\nThey fall.')).toMatchObject({
    ...shared,
    title: 'Fares',
    sourceDocumentId: 'doc_1',
  });
});
