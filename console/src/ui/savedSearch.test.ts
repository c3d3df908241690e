import { expect, test } from 'vitest';
import type { SavedConditionsFragment } from '../graph/graphql';
import { filterOf } from '../screens/documents/documentFilter';
import { addressOf } from './savedSearch';

/** Returns a filter as the gateway returns a saved one. */
const saved = (address: string): SavedConditionsFragment =>
  JSON.parse(JSON.stringify(filterOf(new URLSearchParams(address)))) as SavedConditionsFragment;

test('a search that was saved from the list opens the same list', () => {
  for (const address of [
    'q=harbour',
    'q=a%22b&state=READY&state=FAILED&company=Tidewall&executive=Ada&type=speech&language=de',
    'visibility=INTERNAL&tag=tag_1%3Aenergy',
    'createdFrom=2026-03-28&createdTo=2026-03-29',
    'publishedFrom=2026-10-24&publishedTo=2026-10-25',
    'createdTo=2026-12-31',
  ]) {
    const { search, isWhole } = addressOf(saved(address));
    expect(search.toString()).toBe(new URLSearchParams(address).toString());
    expect(isWhole).toBe(true);
  }
});

test('a search with conditions that the list cannot have is not whole', () => {
  for (const filter of [
    { q: 'a', contentType: 'pdf' },
    { q: 'a', hasReactions: false },
    { autoTags: [{ autoTagId: 'tag_1', value: null }] },
    { created: { from: '2026-10-24T11:12:13Z', to: null } },
  ]) {
    expect(addressOf(filter as never).isWhole).toBe(false);
  }
});
