// What became of each row of a file of links.
import Papa from 'papaparse';
import type { CreateLinkMutation } from '../../graph/links/graphql';
import type { FieldProblem } from '../../session';
import type { FileRow } from './linkFile';

/** A row with its short address, or the reason why it was refused; neither if it was not run. */
export interface ReportRow extends FileRow {
  readonly shortUrl: string;
  readonly reason: string;
}

/** A line of the report of a bulk mutation. */
interface ReportLine {
  readonly line: number;
  readonly data?: CreateLinkMutation | null;
  readonly errors?: readonly {
    readonly message: string;
    readonly extensions?: { readonly code?: string; readonly errors?: readonly FieldProblem[] };
  }[];
}

/** Returns the sentence of a refusal in the page's language. */
export type Explain = (code: string, message: string, fields: readonly FieldProblem[]) => string;

/** Joins the report with the rows that were sent; its line 1 is the first of them. */
export function readReport(
  report: string,
  rows: readonly FileRow[],
  explain: Explain,
): ReportRow[] {
  const lines = new Map<number, ReportLine>();
  for (const text of report.split('\n').filter(Boolean)) {
    const line = JSON.parse(text) as ReportLine;
    lines.set(line.line, line);
  }
  return rows.map((row, i) => {
    const line = lines.get(i + 1);
    const [error] = line?.errors ?? [];
    return {
      ...row,
      shortUrl: line?.data?.createLink?.link.shortUrl ?? '',
      reason: error
        ? explain(error.extensions?.code ?? '', error.message, error.extensions?.errors ?? [])
        : '',
    };
  });
}

/** Returns the report as CSV. Spreadsheets do not run cells that begin as formulas do. */
export function reportCsv(rows: readonly ReportRow[]): string {
  const fields = ['line', 'destination_url', 'title', 'short_url', 'reason'];
  const data = rows.map(({ line, input, shortUrl, reason }) => [
    ...[line, input.destinationUrl, input.title, shortUrl, reason],
  ]);
  return `${Papa.unparse({ fields, data }, { escapeFormulae: true })}\r\n`;
}
