import type { Node, Schema } from '@tiptap/pm/model';
import { type Block, type ParsedText, parseBlocks, parseText, type Range } from './parse';
import { canonical, type MarkdownStyle, styleOf, writeBlock } from './write';

/** What is known of a block of the document: its Markdown, and where that came from. */
interface Entry extends Omit<Block, 'node'> {
  /** The block of the text that it is, or was before it was edited. */
  readonly origin: Block | null;
  /** The origin of the block before it in that text. */
  readonly previous: Block | null;
  /** True if it is as in the text. */
  readonly isStored: boolean;
}

/** A block of the written text. */
interface Placed {
  readonly node: Node;
  readonly entry: Entry;
  /** Where the block's source is in the text. */
  readonly start: number;
  /** Where the block is in the document. */
  readonly pos: number;
}

/** A document as Markdown, and where each of its blocks is in it. */
export interface Written {
  readonly doc: Node;
  readonly text: string;
  readonly blocks: readonly Placed[];
}

const hasBlankLine = (text: string) => /\n[ \t]*\r?\n/.test(text);
const sameNode = (a: Node, b: Node) =>
  a.eq(b) || JSON.stringify(canonical(a)) === JSON.stringify(canonical(b));

/**
 * A Markdown text and the document that the editor shows of it. A block that was not edited keeps
 * its source byte for byte; of an edited one only the changed words are written again, if the result
 * reads as the block.
 */
export class MarkdownText {
  private readonly entries = new WeakMap<Node, Entry>();
  /** The blocks of the texts that were read, by their words: undo makes equal nodes. */
  private readonly known = new Map<string, Node[]>();
  private style: MarkdownStyle = {};
  private parsed: ParsedText = { blocks: [], tail: '', definitions: '' };
  private lineBreak = '\n';
  private written: Written | null = null;

  constructor(private readonly schema: Schema) {}

  /** Reads a text, and returns its document, in which the equal blocks of a present one stay. */
  read(text: string, present?: Node): Node {
    this.parsed = parseText(text, this.schema);
    this.style = styleOf(text);
    this.lineBreak = text.includes('\r\n') ? '\r\n' : '\n';
    const { blocks } = this.parsed;
    const taken = new Set<Node>();
    const old = present?.children ?? [];
    const content = blocks.map((block, i) => {
      const kept = [old[i], old[i + old.length - blocks.length]].find(
        (node) => node && !taken.has(node) && this.isOf(node, block),
      );
      const node = kept ?? block.node;
      taken.add(node);
      const previous = blocks[i - 1] ?? null;
      this.entries.set(node, { ...block, origin: block, previous, isStored: true });
      this.remember(node);
      return node;
    });
    const doc = this.schema.topNodeType.create(
      null,
      content.length > 0 ? content : this.schema.nodes.paragraph?.create(),
    );
    this.written = { doc, text, blocks: this.placed(doc).blocks };
    return doc;
  }

  /** Returns the Markdown of a document. */
  write(doc: Node): Written {
    if (this.written?.doc !== doc) {
      this.enter(doc);
      this.written = this.placed(doc);
    }
    return this.written;
  }

  private isOf(node: Node, block: Block): boolean {
    return this.entries.get(node)?.source === block.source && node.eq(block.node);
  }

  private remember(node: Node): void {
    const alike = this.known.get(node.textContent) ?? [];
    if (!alike.includes(node)) {
      this.known.set(node.textContent, [...alike, node]);
    }
  }

  /** Gives each new block of the document its source. */
  private enter(doc: Node): void {
    const before = this.written?.doc.children ?? [];
    const after = doc.children;
    const most = Math.min(before.length, after.length);
    let start = 0;
    while (start < most && before[start] === after[start]) {
      start += 1;
    }
    let end = 0;
    while (end < most - start && before.at(-1 - end) === after.at(-1 - end)) {
      end += 1;
    }
    const isEdit = before.length === after.length;
    for (let i = start; i < after.length - end; i += 1) {
      const node = after[i] as Node;
      if (!this.entries.has(node)) {
        this.entries.set(node, this.entryOf(node, isEdit ? (before[i] ?? null) : null));
      }
    }
  }

  /** Returns the entry of a new node, which took the place of another one in an edit. */
  private entryOf(node: Node, old: Node | null): Entry {
    const equal = this.known.get(node.textContent)?.find((one) => one.eq(node));
    const stored = equal && this.entries.get(equal);
    if (stored) {
      return stored;
    }
    const from = (old && this.entries.get(old)) ?? null;
    const source = (old && from && this.patched(old, from, node)) ?? this.rewritten(node);
    const origin = from?.origin ?? null;
    return {
      source,
      before: from?.before ?? '',
      ranges: this.rangesOf(node, source),
      origin,
      previous: from?.previous ?? null,
      isStored: source === origin?.source,
    };
  }

  /** Reports whether a source, read by itself, is the node. */
  private reads(source: string, node: Node): boolean {
    const [block, ...more] = parseBlocks(source, this.parsed.definitions, this.schema);
    return block !== undefined && more.length === 0 && sameNode(block.node, node);
  }

  /** Returns the source of an edited block with only the changed words written again. */
  private patched(old: Node, { source, ranges }: Entry, node: Node): string | null {
    const from = old.content.findDiffStart(node.content);
    const to = old.content.findDiffEnd(node.content);
    if (from === null || !to || old.type !== node.type) {
      return null;
    }
    // The two ends may overlap, where a letter is doubled.
    const overlap = Math.max(0, from - Math.min(to.a, to.b));
    const positions = unitPositions(old);
    const isUnwritten = (unit: number) => {
      const range = ranges[unit];
      return range !== undefined && range[0] === range[1];
    };
    const after = (pos: number) => {
      const unit = positions.findIndex((at) => at >= pos);
      return unit < 0 ? ranges.length : unit;
    };
    // White space that was typed before is written once words follow it.
    let [first, end] = [after(from), after(to.a + overlap)];
    while (isUnwritten(first - 1)) {
      first -= 1;
    }
    while (isUnwritten(end)) {
      end += 1;
    }
    const begin = Math.min(from, positions[first] ?? from);
    const added = (positions[end - 1] ?? -1) + 1 - (to.a + overlap);
    const words = node.textBetween(begin, to.b + overlap + Math.max(0, added), '\n', '\n');
    const written = ranges.slice(first, end).filter(([a, b]) => a < b);
    const starts = written[0]
      ? [written[0][0]]
      : [ranges[first - 1]?.[1], ranges.slice(end).find(([a, b]) => a < b)?.[0]];
    for (const start of starts) {
      if (start === undefined) {
        continue;
      }
      const candidate = source.slice(0, start) + words + source.slice(written.at(-1)?.[1] ?? start);
      if (this.reads(trimmed(candidate), node)) {
        return trimmed(candidate);
      }
    }
    return null;
  }

  /** Returns a block as Markdown with the markers of the text. */
  private rewritten(node: Node, style = this.style): string {
    const plain = writeBlock(node, style, false);
    const source = this.reads(plain, node) ? plain : writeBlock(node, style, true);
    return source.replace(/\r?\n/g, this.lineBreak);
  }

  private rangesOf(node: Node, source: string): readonly Range[] {
    const [block] = parseBlocks(source, this.parsed.definitions, this.schema);
    const count = unitPositions(node).length;
    if (block?.ranges.length === count) {
      return block.ranges;
    }
    // White space that Markdown does not have: the unit is where the last one ended.
    const read = block ? unitTexts(block.node) : [];
    let at = 0;
    return unitTexts(node).map((unit): Range => {
      const range = block?.ranges[at];
      if (range && read[at] === unit) {
        at += 1;
        return range;
      }
      const end = block?.ranges[at - 1]?.[1] ?? 0;
      return [end, end];
    });
  }

  /** Puts the blocks of a document together. */
  private placed(doc: Node): Written {
    const blocks: Placed[] = [];
    let text = '';
    doc.forEach((node, pos) => {
      const known = this.entries.get(node);
      if (!known || (known.source === '' && !known.isStored)) {
        return;
      }
      const last = blocks.at(-1);
      const entry = last ? this.apart(last, node, known) : known;
      text += last ? this.gap(last, node, entry) : this.lead(entry);
      blocks.push({ node, entry, start: text.length, pos });
      text += entry.source;
    });
    const isBlank = blocks.length === 0 && this.parsed.blocks.length > 0;
    return { doc, text: isBlank ? '' : text + this.parsed.tail, blocks };
  }

  /** Returns what is before the first block: what was before the first block of the text. */
  private lead(entry: Entry): string {
    const isFirst = entry.previous === null && entry.origin !== null;
    return isFirst ? entry.before : (this.parsed.blocks[0]?.before ?? '');
  }

  private gap(last: Placed, node: Node, entry: Entry): string {
    const isNext = entry.previous !== null && entry.previous === last.entry.origin;
    const { before } = entry;
    if (isNext && entry.isStored && last.entry.isStored) {
      return before;
    }
    if (entry.previous !== null && hasBlankLine(before)) {
      return before;
    }
    if (isNext && before) {
      const pair = parseBlocks(
        last.entry.source + before + entry.source,
        this.parsed.definitions,
        this.schema,
      );
      const [one, other] = pair;
      if (pair.length === 2 && one && other && sameNode(one.node, last.node)) {
        return sameNode(other.node, node) ? before : this.lineBreak.repeat(2);
      }
    }
    return this.lineBreak.repeat(2);
  }

  /** Returns the entry of a block that its new neighbour would change, in another form. */
  private apart(last: Placed, node: Node, entry: Entry): Entry {
    const isList = (one: Node) => one.type.name.endsWith('List');
    const wasNext = entry.previous !== null && entry.previous === last.entry.origin;
    if (!isList(last.node) || (wasNext && entry.isStored && last.entry.isStored)) {
      return entry;
    }
    const isIndented = /^( {4}|\t)/.test(entry.source);
    if (last.node.type !== node.type && !isIndented) {
      return entry;
    }
    const separate = `${last.entry.source}${this.lineBreak.repeat(2)}${entry.source}`;
    if (parseBlocks(separate, this.parsed.definitions, this.schema).length === 2 && !isIndented) {
      return entry;
    }
    const usesStar = last.entry.source.trimStart().startsWith('*');
    const usesBracket = /^\s*\d+\)/.test(last.entry.source);
    const source = this.rewritten(node, {
      ...this.style,
      bullet: usesStar ? '-' : '*',
      bulletOrdered: usesBracket ? '.' : ')',
    });
    return { ...entry, source, ranges: this.rangesOf(node, source), isStored: false };
  }
}

const trimmed = (source: string) => source.replace(/[ \t]+$/, '');

/** Returns where the units of a block are in it: those of its text, and its line breaks. */
export function unitPositions(block: Node): number[] {
  const positions: number[] = [];
  if (block.isTextblock) {
    pushUnits(block, 0, positions);
  } else {
    block.descendants((child, pos) => {
      if (child.isTextblock) {
        pushUnits(child, pos + 1, positions);
      }
      return !child.isTextblock;
    });
  }
  return positions;
}

function pushUnits(textblock: Node, start: number, positions: number[]): void {
  textblock.forEach((child, offset) => {
    for (let i = 0; i < child.nodeSize; i += 1) {
      positions.push(start + offset + i);
    }
  });
}

function unitTexts(block: Node): string[] {
  const texts: string[] = [];
  block.descendants((child) => {
    if (child.isText) {
      texts.push(...(child.text ?? '').split(''));
    } else if (child.isInline) {
      texts.push('\n');
    }
  });
  return texts;
}
