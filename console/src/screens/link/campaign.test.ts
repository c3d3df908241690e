import { expect, test } from 'vitest';
import { campaignAddress } from './campaign';

test.each([
  ['https://example.com', {}, 'https://example.com'],
  ['https://example.com', { source: 'mail' }, 'https://example.com?utm_source=mail'],
  [
    'https://example.com/a?x=1&y={session_id}#top',
    { content: 'a&b', source: ' Herbst ü ', medium: ' ' },
    'https://example.com/a?x=1&y={session_id}&utm_source=Herbst%20%C3%BC&utm_content=a%26b#top',
  ],
  [
    'https://example.com/?utm_source=old&utm_medium=post&q=a?b',
    { source: 'new' },
    'https://example.com/?utm_medium=post&q=a?b&utm_source=new',
  ],
  ['https://example.com/?#', { term: 'tide' }, 'https://example.com/?utm_term=tide#'],
])('the campaign of %s with %o is in its parameters', (address, campaign, want) => {
  expect(campaignAddress(address, campaign)).toBe(want);
});
