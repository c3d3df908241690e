/** A marked part of a text: signals, quotes of reactions and of tags, evidence of coverage. */
export interface Passage {
  readonly id: string;
  readonly label: string;
  readonly color: string;
  /** Offsets in code points; the end is exclusive. */
  readonly start: number;
  readonly end: number;
}

interface Piece {
  readonly text: string;
  readonly passages: readonly Passage[];
}

/** Cuts the text at the ends of the passages, which may overlap. */
export function cutText(text: string, passages: readonly Passage[]): Piece[] {
  const points = Array.from(text);
  const cuts = [
    ...new Set([0, points.length, ...passages.flatMap(({ start, end }) => [start, end])]),
  ]
    .filter((at) => at >= 0 && at <= points.length)
    .sort((one, other) => one - other);
  return cuts.slice(0, -1).map((start, i) => {
    const end = cuts[i + 1] ?? points.length;
    return {
      text: points.slice(start, end).join(''),
      passages: passages.filter((passage) => passage.start < end && passage.end > start),
    };
  });
}

/** A quoted part of a text, with offsets in code points. */
export type Quote = Pick<Passage, 'start' | 'end'> & { readonly text: string };

/** Returns where a quote is in a text that may have changed; null if the text no longer has it. */
export function locateQuote(
  text: string,
  quote: Quote,
  points = Array.from(text),
): Pick<Passage, 'start' | 'end'> | null {
  if (points.slice(quote.start, quote.end).join('') === quote.text) {
    return quote;
  }
  const at = text.indexOf(quote.text);
  if (at < 0) {
    return null;
  }
  const start = Array.from(text.slice(0, at)).length;
  return { start, end: start + quote.end - quote.start };
}
