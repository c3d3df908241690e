import { expect, test } from 'vitest';
import type { DraftTextFragment } from '../../graph/draft/graphql';
import {
  type DraftFields,
  type Point,
  analysisInput,
  copyInput,
  isSameFields,
  pointInputs,
  savedFields,
  storedFields,
} from './draftFields';

const point = (row: string, text: string, id?: string): Point => ({
  id,
  row,
  text,
  level: 'must',
  fromKb: false,
});

const fields = (part: Partial<DraftFields> = {}): DraftFields => ({
  title: 'Title',
  content: 'Text',
  points: [],
  ...part,
});

const stored: DraftTextFragment = {
  id: 'd',
  title: 'Title',
  content: null,
  contentType: 'SPEECH',
  version: 'v1',
  updatedAt: '2026-03-10T12:00:00Z',
  metadata: {
    themes: ['ports'],
    audiencePersonaIds: ['p'],
    pullThroughPriorities: [{ key: 'k', text: 'We grow', level: 'must', fromKb: true }],
  },
  state: 'DRAFT',
  dueAt: null,
  assignee: null,
  currentVersion: null,
  link: null,
  publishedVersion: null,
  workspace: null,
  stateChanges: null,
};

test('the fields of a stored draft have its version and its points', () => {
  expect(storedFields(stored)).toEqual({
    value: {
      title: 'Title',
      content: '',
      points: [{ id: 'k', row: 'k', text: 'We grow', level: 'must', fromKb: true }],
    },
    version: 'v1',
    updatedAt: '2026-03-10T12:00:00Z',
  });
});

test('points without a text are neither saved nor analyzed', () => {
  const points = [point('1', ' We grow ', 'k'), point('2', '  '), point('3', 'New')];
  expect(pointInputs(points)).toEqual([
    { id: 'k', text: 'We grow', level: 'must', fromKb: false },
    { text: 'New', level: 'must', fromKb: false },
  ]);
  expect(analysisInput(fields({ points }))).toEqual({
    content: 'Text',
    pullThroughPriorities: [
      { text: 'We grow', level: 'must' },
      { text: 'New', level: 'must' },
    ],
  });
});

test('an empty point is no change, another text or order is one', () => {
  const [one, two] = [point('1', 'One', 'a'), point('2', 'Two', 'b')];
  const points = [one, two];
  expect(isSameFields(fields({ points }), fields({ points: [...points, point('3', '')] }))).toBe(
    true,
  );
  expect(isSameFields(fields({ points }), fields({ points: [two, one] }))).toBe(false);
  expect(isSameFields(fields(), fields({ title: 'Other' }))).toBe(false);
  expect(isSameFields(fields(), fields({ content: 'Other' }))).toBe(false);
});

test('saved fields keep what was written since, and new points get their ids', () => {
  const sent = fields({ points: [point('0', ''), point('1', 'One'), point('2', 'Two')] });
  const present = {
    ...sent,
    content: 'Text, longer',
    points: [...sent.points, point('4', 'Four')],
  };
  const saved = fields({
    title: 'Trimmed',
    points: [point('k1', 'One', 'k1'), point('k2', 'Two', 'k2')],
  });
  expect(savedFields(present, sent, saved)).toEqual({
    title: 'Trimmed',
    content: 'Text, longer',
    points: [point('0', ''), point('1', 'One', 'k1'), point('2', 'Two', 'k2'), point('4', 'Four')],
  });
});

test('the fields of a deleted draft are saved as a new one, whose points are new', () => {
  const points = [point('k', 'We grow', 'k'), point('2', ' ')];
  expect(copyInput(stored, fields({ content: 'Mine', points }))).toEqual({
    title: 'Title',
    content: 'Mine',
    contentType: 'SPEECH',
    themes: ['ports'],
    audiencePersonaIds: ['p'],
    pullThroughPriorities: [{ text: 'We grow', level: 'must', fromKb: false }],
  });
});
