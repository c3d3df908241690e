import type { DiscussionFragment } from '../../graph/draft/graphql';
import { locateQuote, type Quote } from '../../ui/passages';
import type { Mark, TextSelection } from './markedEditor';

/** A passage to comment on, as the gateway takes it. */
export interface ChosenPassage {
  readonly start: number;
  readonly end: number;
  readonly quote: string;
}

const length = (text: string) => Array.from(text).length;

/** Returns the selected words of a stored text without white space at their ends; null for none. */
export function chosenPassage(text: string, { start, end }: TextSelection): ChosenPassage | null {
  const selected = text.slice(start, end);
  const quote = selected.trim();
  if (!quote) {
    return null;
  }
  const before = length(text.slice(0, start) + selected.slice(0, selected.indexOf(quote)));
  return { start: before, end: before + length(quote), quote };
}

/** Returns where the words of a passage are in a later text; null if it no longer has them. */
export function laterPassage(
  text: string,
  { quote, ...place }: ChosenPassage,
): ChosenPassage | null {
  const found = locateQuote(text, { ...place, text: quote });
  return found && { start: found.start, end: found.end, quote };
}

/** Returns the passage that a comment is about in the draft's text; null if there is none now. */
export function commentQuote(text: string, { start, end }: DiscussionFragment): Quote | null {
  return start == null || end == null
    ? null
    : { start, end, text: Array.from(text).slice(start, end).join('') };
}

/** Returns the marks of the passages that have comments. */
export function commentMarks(text: string, comments: readonly DiscussionFragment[]): Mark[] {
  return comments.flatMap((comment) => {
    const quote = commentQuote(text, comment);
    return quote ? [{ id: comment.id, label: comment.text, color: 'yellow', quote }] : [];
  });
}

/** Returns the marks whose passages are at an offset of a text, in UTF-16 units. */
export function marksAt(text: string, marks: readonly Mark[], offset: number): readonly Mark[] {
  const at = length(text.slice(0, offset));
  return marks.filter(({ quote }) => {
    const place = locateQuote(text, quote);
    return place !== null && place.start <= at && at < place.end;
  });
}
