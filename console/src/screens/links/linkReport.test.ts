import { expect, test } from 'vitest';
import { readReport, reportCsv } from './linkReport';

const rows = ['a', 'b', 'c'].map((title, i) => ({
  line: 2 * i + 2,
  input: { title: `=${title}`, destinationUrl: `https://example.com/${title}` },
}));
const lines = [
  { line: 2, errors: [{ message: 'is taken', extensions: { code: 'conflict' } }] },
  {
    line: 1,
    data: { createLink: { link: { id: 'lnk_1', shortUrl: 'https://example.com/l/a' } } },
  },
];
const report = readReport(
  lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
  rows,
  (code, message) => `${code}: ${message}`,
);

test('each line of a report is that of a row, and lines that were not run have neither', () => {
  expect(report.map(({ line, shortUrl, reason }) => [line, shortUrl, reason])).toEqual([
    [2, 'https://example.com/l/a', ''],
    [4, '', 'conflict: is taken'],
    [6, '', ''],
  ]);
});

test('a spreadsheet does not run the cells of a report', () => {
  expect(reportCsv(report).split('\r\n')).toEqual([
    'line,destination_url,title,short_url,reason',
    `2,https://example.com/a,"'=a",https://example.com/l/a,`,
    `4,https://example.com/b,"'=b",,conflict: is taken`,
    `6,https://example.com/c,"'=c",,`,
    '',
  ]);
});
