// Links in a file of comma-separated values: a row of names, then a link in each row.
import Papa from 'papaparse';
import type { CreateLinkInput } from '../../graph/links/graphql';
import type { Values } from '../../i18n';
import { tagList } from '../../ui/tagList';

/** What the graph takes as inputs of one bulk mutation. */
export const limits = { lines: 100_000, megabytes: 50 };

/** The columns that a file may have, named as REST names the fields of a link. */
export const columns = [
  'destination_url',
  'title',
  'slug',
  'tags',
  'expires_at',
  'max_opens',
  'is_active',
] as const;
type Column = (typeof columns)[number];

/** Why a row or a file cannot be sent; the messages are `linkFile.problem.…`. */
export type Reason =
  | 'boolean'
  | 'cells'
  | 'column'
  | 'date'
  | 'empty'
  | 'long'
  | 'past'
  | 'quotes'
  | 'range'
  | 'repeated'
  | 'required'
  | 'size'
  | 'slug'
  | 'slugTwice'
  | 'tagCount'
  | 'tooMany'
  | 'url';

export interface Problem {
  readonly line: number;
  /** The name of the column, as the file has it; empty if it is about the whole line. */
  readonly column: string;
  readonly reason: Reason;
  readonly values?: Values;
}

export interface FileRow {
  /** The line of the file in which the row begins, from 1. */
  readonly line: number;
  readonly input: CreateLinkInput;
}

export interface LinkFile {
  readonly rows: readonly FileRow[];
  readonly problems: readonly Problem[];
}

interface Line {
  readonly line: number;
  readonly cells: readonly string[];
  readonly isBroken: boolean;
}

/** Reads a file. It refuses what it does not know, and names each cell that the graph would refuse. */
export function readLinkFile(content: string, now: Date): LinkFile {
  const [head, ...lines] = splitLines(content.replace(/^\ufeff/, ''));
  if (!head || lines.length === 0) {
    return { rows: [], problems: [{ line: 1, column: '', reason: 'empty' }] };
  }
  const names = head.cells.map(columnName);
  const problems = headProblems(head, names);
  if (lines.length > limits.lines) {
    problems.push({ line: lines[limits.lines]?.line ?? 1, column: '', reason: 'tooMany' });
  }
  if (problems.length > 0) {
    return { rows: [], problems };
  }
  const slugs = new Map<string, number>();
  const read = lines.map((line) => readRow(line, names as Column[], slugs, now));
  const rows = read.map(({ row }) => row);
  if (new Blob([jsonLines(rows)]).size > limits.megabytes * 1_000_000) {
    problems.push({ line: 1, column: '', reason: 'size' });
  }
  return { rows, problems: [...problems, ...read.flatMap((one) => one.problems)] };
}

/** Returns the inputs as a file for the bulk mutation: a JSON object in each line. */
export const jsonLines = (rows: readonly FileRow[]): string =>
  rows.map(({ input }) => `${JSON.stringify(input)}\n`).join('');

/**
 * Splits a file into its lines that are not empty. The header tells what separates cells, because
 * no name has a semicolon, a tab or a comma.
 */
function splitLines(text: string): Line[] {
  const lines: Line[] = [];
  const head = text.slice(0, text.search(/[\r\n]|$/));
  let line = 1;
  let end = 0;
  Papa.parse<string[]>(text, {
    delimiter: [';', '\t'].find((mark) => head.includes(mark)) ?? ',',
    step: ({ data, errors, meta }) => {
      const cells = data.map((cell) => cell.trim());
      if (cells.some(Boolean)) {
        lines.push({ line, cells, isBroken: errors.length > 0 });
      }
      line += text.slice(end, meta.cursor).match(/\r\n|\r|\n/g)?.length ?? 0;
      end = meta.cursor;
    },
  });
  return lines;
}

/** Returns the name of a column; the graph's spelling, such as destinationUrl, is taken too. */
const columnName = (cell: string) =>
  /^[a-z]+([A-Z][a-z]+)+$/.test(cell)
    ? cell.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    : cell;

function headProblems({ line, cells, isBroken }: Line, names: readonly string[]): Problem[] {
  if (isBroken) {
    return [{ line, column: '', reason: 'quotes' }];
  }
  const known: readonly string[] = columns;
  const problems = cells.flatMap((column, i): Problem[] => {
    const name = names[i] ?? '';
    if (!known.includes(name)) {
      return [{ line, column, reason: 'column' }];
    }
    return names.indexOf(name) < i ? [{ line, column, reason: 'repeated' }] : [];
  });
  return names.includes('destination_url')
    ? problems
    : [...problems, { line, column: 'destination_url', reason: 'required' }];
}

/** Reads a row, and notes its slug with its line. */
function readRow(
  { line, cells, isBroken }: Line,
  names: readonly Column[],
  slugs: Map<string, number>,
  now: Date,
): { row: FileRow; problems: Problem[] } {
  if (isBroken || cells.slice(names.length).some(Boolean)) {
    const reason = isBroken ? 'quotes' : 'cells';
    return { row: { line, input: {} }, problems: [{ line, column: '', reason }] };
  }
  const problems: Problem[] = [];
  const refuse = (column: Column, reason: Reason, values?: Values) =>
    problems.push({ line, column, reason, ...(values && { values }) });
  const cell = (name: Column) => cells[names.indexOf(name)] ?? '';
  const input: CreateLinkInput = {};
  for (const name of names) {
    if (cell(name)) {
      readCell[name](cell(name), input, (reason, values) => refuse(name, reason, values), now);
    }
  }
  if (!cell('destination_url')) {
    refuse('destination_url', 'required');
  }
  const slug = cell('slug').toLowerCase();
  const before = slugs.get(slug);
  if (slug && before) {
    refuse('slug', 'slugTwice', { line: before });
  }
  slugs.set(slug, before ?? line);
  return { row: { line, input }, problems };
}

type Refuse = (reason: Reason, values?: Values) => void;
type ReadCell = (text: string, input: CreateLinkInput, refuse: Refuse, now: Date) => void;

const isLonger = (text: string, max: number) => [...text].length > max;

/** Sets the field of a column that has a text, or refuses the text. */
const readCell: Record<Column, ReadCell> = {
  destination_url(text, input, refuse) {
    input.destinationUrl = text;
    if (isLonger(text, 4096)) {
      refuse('long', { max: 4096 });
    } else if (!/^https?:\/\/[^/?#]/i.test(text) || !URL.canParse(text)) {
      refuse('url');
    }
  },
  title(text, input, refuse) {
    input.title = text;
    if (isLonger(text, 300)) {
      refuse('long', { max: 300 });
    }
  },
  slug(text, input, refuse) {
    input.slug = text;
    if (!/^[A-Za-z0-9_-]{1,64}$/.test(text)) {
      refuse('slug');
    }
  },
  tags(text, input, refuse) {
    input.tags = tagList(text);
    if (input.tags.length > 20) {
      refuse('tagCount');
    } else if (input.tags.some((tag) => isLonger(tag, 50))) {
      refuse('long', { max: 50 });
    }
  },
  expires_at(text, input, refuse, now) {
    const time = readTime(text);
    if (!time) {
      refuse('date');
    } else if (time <= now) {
      refuse('past');
    } else {
      input.expiresAt = time.toISOString();
    }
  },
  max_opens(text, input, refuse) {
    input.maxOpens = Number(text);
    if (!/^\d+$/.test(text) || input.maxOpens < 1 || input.maxOpens > 1_000_000) {
      refuse('range');
    }
  },
  is_active(text, input, refuse) {
    input.isActive = text.toLowerCase() === 'true';
    if (!/^(true|false)$/i.test(text)) {
      refuse('boolean');
    }
  },
};

/** Returns the time of a text such as 2027-01-31 or 2027-01-31 18:00; it is local without a zone. */
function readTime(text: string): Date | null {
  const [, date, clock = '00:00', zone = ''] =
    /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(Z|[+-]\d\d:\d\d)?)?$/.exec(
      text,
    ) ?? [];
  const day = new Date(`${date}T00:00Z`);
  const time = new Date(`${date}T${clock}${zone}`);
  const isDay = !Number.isNaN(day.getTime()) && day.toISOString().startsWith(date ?? '');
  return isDay && !Number.isNaN(time.getTime()) ? time : null;
}

/** A file to begin with. Its end is a year away, so that the sample itself is taken. */
export function sampleFile(now: Date): string {
  const end = new Date(now);
  end.setFullYear(end.getFullYear() + 1);
  const rows = [
    ['https://example.com/letter', 'Spring letter', '', 'press, spring', '', '', ''],
    ['https://example.com/report', 'Annual report', '', 'report', isoDay(end), '500', 'true'],
  ];
  return `${Papa.unparse({ fields: [...columns], data: rows })}\r\n`;
}

const isoDay = (date: Date) => date.toISOString().slice(0, 10);
