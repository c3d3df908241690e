import type { Element, ElementContent, Root, RootContent, Text } from 'hast';
import type { Passage } from './passages';

/** Returns passages with offsets in UTF-16 units, as those of JavaScript and of parsers are. */
function inUnits(text: string, passages: readonly Passage[]): Passage[] {
  const units: number[] = [];
  let unit = 0;
  for (const point of text) {
    units.push(unit);
    unit += point.length;
  }
  const at = (point: number) => units[point] ?? unit;
  return passages.map((passage) => ({
    ...passage,
    start: at(passage.start),
    end: at(passage.end),
  }));
}

/**
 * Returns for each UTF-16 unit of a shown text where it is in the source, of which the text is the
 * part between start and end without its markup.
 */
export function sourceOffsets(source: string, start: number, end: number, shown: string): number[] {
  const offsets: number[] = [];
  let next = start;
  for (const unit of shown.split('')) {
    const at = source.indexOf(unit, next);
    const isFound = at >= 0 && at < end;
    offsets.push(isFound ? at : Math.min(next, end));
    next = isFound ? at + 1 : next;
  }
  return offsets;
}

/** Cuts a text where its passages begin and end, and puts the parts with passages into marks. */
function markText(node: Text, source: string, passages: readonly Passage[]): ElementContent[] {
  const [start, end] = [node.position?.start.offset, node.position?.end.offset];
  const near = passages.filter(
    (passage) => passage.start < (end ?? 0) && passage.end > (start ?? 0),
  );
  if (start === undefined || end === undefined || near.length === 0) {
    return [node];
  }
  const parts: { text: string; ids: string }[] = [];
  sourceOffsets(source, start, end, node.value).forEach((offset, i) => {
    const ids = near
      .filter((passage) => passage.start <= offset && offset < passage.end)
      .map(({ id }) => id)
      .join(' ');
    const last = parts.at(-1);
    if (last?.ids === ids) {
      last.text += node.value.charAt(i);
    } else {
      parts.push({ text: node.value.charAt(i), ids });
    }
  });
  return parts.map(({ text, ids }) => {
    const child: Text = { type: 'text', value: text };
    return ids
      ? { type: 'element', tagName: 'mark', properties: { dataPassages: ids }, children: [child] }
      : child;
  });
}

/** A rehype plugin that marks the passages of a Markdown text in what is shown of it. */
export function markPassages(source: string, passages: readonly Passage[]) {
  const units = inUnits(source, passages);
  const visit = (parent: Element | Root) => {
    const children: RootContent[] = parent.children;
    parent.children = children.flatMap<RootContent>((child) => {
      if (child.type === 'element') {
        visit(child);
      }
      return child.type === 'text' ? markText(child, source, units) : [child];
    });
  };
  return () => visit;
}
