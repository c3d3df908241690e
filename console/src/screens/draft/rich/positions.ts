import { type Written, unitPositions } from './markdownText';

/** Which unit's end counts at a position of the document: that of the one before, or after it. */
type Side = 'before' | 'after';

/** Returns where a position of the document is in its Markdown. */
export function offsetAt({ doc, text, blocks }: Written, pos: number, side: Side): number {
  const block = blocks.findLast((one) => one.pos <= pos);
  if (!block || doc.childCount === 0) {
    return 0;
  }
  const { entry, start, node } = block;
  const units = unitPositions(node).map((at) => block.pos + 1 + at);
  const next = units.findIndex((at) => at >= pos);
  const last = next < 0 ? units.length - 1 : next - 1;
  const [before, after] = [entry.ranges[last]?.[1], entry.ranges[next]?.[0]];
  const offset = side === 'before' ? (before ?? after) : (after ?? before);
  return Math.min(start + (offset ?? entry.source.length), text.length);
}

/** A part of the document. */
interface Part {
  readonly from: number;
  readonly to: number;
}

/** Returns the parts of the document that show a part of its Markdown, one in each block. */
export function partsOf({ blocks }: Written, start: number, end: number): Part[] {
  return blocks.flatMap(({ node, entry, start: at, pos }) => {
    if (at >= end || at + entry.source.length <= start) {
      return [];
    }
    const units = unitPositions(node);
    const shown = units.filter((_, i) => {
      const [from, to] = entry.ranges[i] ?? [0, 0];
      return at + from < end && at + to > start;
    });
    const [first, last] = [shown[0], shown.at(-1)];
    return first === undefined || last === undefined
      ? []
      : [{ from: pos + 1 + first, to: pos + 2 + last }];
  });
}
