import { cutText } from './passages';

interface MarkedLineProps {
  readonly text: string;
  readonly marks: readonly { readonly start: number; readonly end: number }[];
}

/** A line of text with the words that a search found marked. */
export function MarkedLine({ text, marks }: MarkedLineProps) {
  const passages = marks.map((mark, i) => ({ ...mark, id: String(i), label: '', color: '' }));
  return cutText(text, passages).map((piece, i) =>
    piece.passages.length > 0 ? <mark key={i}>{piece.text}</mark> : piece.text,
  );
}
