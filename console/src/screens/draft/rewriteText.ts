import type { RewriteTextInput } from '../../graph/draft/graphql';
import type { TextSelection } from './markedEditor';

/** A new wording of a part of the text; `start` is in UTF-16 units. */
export interface Proposal {
  readonly start: number;
  readonly before: string;
  readonly after: string;
  readonly warning: string | null;
}

/** Returns where the text has a part that was at an offset; -1 if it no longer has it. */
export function placeOf(content: string, part: string, start: number): number {
  return content.startsWith(part, start) ? start : content.indexOf(part);
}

/**
 * Reports whether a part ends a sentence or a line. It is then rewritten as sentences, else as
 * words.
 */
export function hasSentenceEnd(part: string): boolean {
  return /[.!?…。！？]|\n/.test(part);
}

/**
 * Returns the offset to send the text from. The gateway rewrites the first occurrence of a part, so
 * a later one needs the text from there on.
 */
function sentFrom(content: string, { start, end }: TextSelection): number {
  return content.indexOf(content.slice(start, end)) === start ? 0 : start;
}

/** Returns the request for a new wording of the selection. */
export function rewriteInput(
  content: string,
  selected: TextSelection,
  action: string | null,
): RewriteTextInput {
  return {
    fullDraft: content.slice(sentFrom(content, selected)),
    segments: [
      {
        segmentText: content.slice(selected.start, selected.end),
        actions: action ? [action] : [],
      },
    ],
  };
}

/** Returns the new wording of the selection from the rewritten text of rewriteInput's request. */
export function rewrittenPart(content: string, selected: TextSelection, rewritten: string): string {
  const start = selected.start - sentFrom(content, selected);
  return rewritten.slice(start, rewritten.length - (content.length - selected.end));
}
