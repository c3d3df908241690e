import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { FrameFragment } from '../../graph/graphql';
import { draftItem, readDraft, writeDraft } from './draftStorage';

const viewer = (workspace: string, user: string | null): FrameFragment['viewer'] => ({
  kind: user ? 'USER' : 'KEY',
  scopes: [],
  can: [],
  user: user ? { id: user, name: user } : null,
  key: user ? null : { id: 'key', name: 'key' },
  workspace: { id: workspace, name: workspace, isDemo: false, defaultModel: 'm' },
  workspaces: null,
});

beforeEach(() => {
  const items = new Map<string, string>();
  vi.stubGlobal('sessionStorage', {
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, text: string) => items.set(name, text),
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

test('changes are restored for the same user, workspace and draft only', () => {
  const state = { base: { value: 'a', updatedAt: 'now' }, value: 'b' };
  writeDraft(draftItem(viewer('w', 'u'), 'draft') ?? '', state);
  expect(readDraft(draftItem(viewer('w', 'u'), 'draft'))).toEqual(state);
  expect(readDraft(draftItem(viewer('w', 'other'), 'draft'))).toBeUndefined();
  expect(readDraft(draftItem(viewer('other', 'u'), 'draft'))).toBeUndefined();
  expect(readDraft(draftItem(viewer('w', 'u'), 'other'))).toBeUndefined();
});

test('a key and an unknown viewer have no item', () => {
  expect(draftItem(viewer('w', null), 'draft')).toBeNull();
  expect(draftItem(undefined, 'draft')).toBeNull();
  expect(readDraft(null)).toBeUndefined();
});

test('no changes are not stored', () => {
  writeDraft('item', null);
  expect(readDraft('item')).toBeUndefined();
});
