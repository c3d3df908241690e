import { expect, test } from 'vitest';
import { jsonLines, limits, readLinkFile, sampleFile } from './linkFile';

const now = new Date('2026-12-01T12:00:00Z');
const read = (...lines: string[]) => readLinkFile(lines.join('\n'), now);
const inputs = (...lines: string[]) => {
  const { rows, problems } = read(...lines);
  expect(problems).toEqual([]);
  return rows.map(({ input }) => input);
};
/** The problems of a file, such as "3 slug slugTwice". */
const problems = (...lines: string[]) =>
  read(...lines).problems.map(({ line, column, reason }) => `${line} ${column} ${reason}`);

const address = 'https://example.com/a';

test('every column is read', () => {
  expect(
    inputs(
      'destination_url,title,slug,tags,expires_at,max_opens,is_active',
      `${address},Spring,spring,"press, spring",2027-01-31T18:00:00Z,5,FALSE`,
      `${address},,,,,,`,
    ),
  ).toEqual([
    {
      ...{ destinationUrl: address, title: 'Spring', slug: 'spring', tags: ['press', 'spring'] },
      ...{ expiresAt: '2027-01-31T18:00:00.000Z', maxOpens: 5, isActive: false },
    },
    { destinationUrl: address },
  ]);
});

test('quoted cells have separators, quotes and line ends, and later lines keep their numbers', () => {
  const { rows, problems: found } = read(
    'title,destination_url',
    '"A ""quoted"", long\ntitle",https://example.com/a?x=1,2',
    '',
    `"B, b",${address}`,
    'C,nowhere',
  );
  expect(found).toEqual([
    { line: 2, column: '', reason: 'cells' },
    { line: 6, column: 'destination_url', reason: 'url' },
  ]);
  expect(rows.map(({ line }) => line)).toEqual([2, 5, 6]);
  expect(inputs('title,destination_url', `"A ""quoted"", long\ntitle",${address}`)).toEqual([
    { title: 'A "quoted", long\ntitle', destinationUrl: address },
  ]);
});

test.each([
  ['semicolons', 'title;destination_url', `A, b;${address}`],
  ['tabs', 'title\tdestination_url', `A, b\t${address}`],
  ['the spelling of the graph', 'title,destinationUrl', `"A, b",${address}`],
])('%s are read', (_, ...lines) => {
  expect(inputs(...lines)).toEqual([{ title: 'A, b', destinationUrl: address }]);
});

test('a file of Windows has a mark at its start, and other line ends', () => {
  const { rows, problems: found } = readLinkFile(
    `\ufeffdestination_url;tags\r\n${address};press\r\n\r\n${address};"a, b"\r\n`,
    now,
  );
  expect(found).toEqual([]);
  expect(rows).toEqual([
    { line: 2, input: { destinationUrl: address, tags: ['press'] } },
    { line: 4, input: { destinationUrl: address, tags: ['a', 'b'] } },
  ]);
});

test('columns that are unknown, repeated or missing are named', () => {
  expect(problems('title,password,Title,title,', 'A,secret,B,C,')).toEqual([
    ...['1 password column', '1 Title column', '1 title repeated', '1  column'],
    '1 destination_url required',
  ]);
});

test('each bad cell is named with its line and column', () => {
  const far = Array.from({ length: 21 }, (_, i) => `t${i}`).join(', ');
  expect(
    problems(
      'destination_url,title,slug,tags,expires_at,max_opens,is_active',
      'ftp://example.com,,a b,,2027-02-30,0,yes',
      `,${'x'.repeat(301)},same,"${far}",2026-12-01T11:00:00Z,1.5,`,
      `https://,,Same,${'y'.repeat(51)},soon,1000001,`,
    ),
  ).toEqual([
    ...['2 destination_url url', '2 slug slug', '2 expires_at date', '2 max_opens range'],
    ...['2 is_active boolean', '3 title long', '3 tags tagCount', '3 expires_at past'],
    ...['3 max_opens range', '3 destination_url required', '4 destination_url url'],
    ...['4 tags long', '4 expires_at date', '4 max_opens range', '4 slug slugTwice'],
  ]);
});

test('a quote that does not end is named', () => {
  expect(problems('destination_url,title', `${address},"A`, `${address},B`)).toEqual(['2  quotes']);
});

test('a time without a zone is local', () => {
  const [first, second] = inputs(
    'destination_url,expires_at',
    `${address},2027-01-31 18:00`,
    `${address},2027-07-01`,
  );
  expect(first?.expiresAt).toBe('2027-01-31T17:00:00.000Z'); // the tests run in Berlin's time
  expect(second?.expiresAt).toBe('2027-06-30T22:00:00.000Z');
});

test('a file without a link is refused', () => {
  expect(problems('')).toEqual(['1  empty']);
  expect(problems('destination_url', '', '')).toEqual(['1  empty']);
});

test('10,000 lines become as many objects, each in its line', () => {
  const lines = Array.from({ length: 10_000 }, (_, i) => `${address}/${i},"Link\n${i}"`);
  const { rows, problems: found } = read(['destination_url,title', ...lines].join('\n'));
  expect(found).toEqual([]);
  expect(rows.at(-1)?.line).toBe(20_000);
  const sent = jsonLines(rows).trimEnd().split('\n');
  expect(sent).toHaveLength(10_000);
  expect(JSON.parse(sent[9_999] ?? '')).toEqual({
    destinationUrl: `${address}/9999`,
    title: 'Link\n9999',
  });
});

test('more lines or bytes than the graph takes are refused', () => {
  const many = Array.from({ length: limits.lines + 1 }, () => address);
  expect(problems(['destination_url', ...many].join('\n'))).toEqual([
    `${limits.lines + 2}  tooMany`,
  ]);
  const long = Array.from({ length: 15_000 }, () => `${address}/${'x'.repeat(4_000)}`);
  expect(problems(['destination_url', ...long].join('\n'))).toEqual(['1  size']);
});

test('the sample is taken', () => {
  const { rows, problems: found } = readLinkFile(sampleFile(now), now);
  expect(found).toEqual([]);
  expect(rows).toHaveLength(2);
});
