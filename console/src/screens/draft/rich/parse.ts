import type { Attrs, Mark, Node, Schema } from '@tiptap/pm/model';
import type { List, Nodes, Parents, PhrasingContent, RootContent, Table } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFootnoteFromMarkdown } from 'mdast-util-gfm-footnote';
import { gfmStrikethroughFromMarkdown } from 'mdast-util-gfm-strikethrough';
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table';
import { gfmFootnote } from 'micromark-extension-gfm-footnote';
import { gfmStrikethrough } from 'micromark-extension-gfm-strikethrough';
import { gfmTable } from 'micromark-extension-gfm-table';
import { sourceOffsets } from '../../../ui/markPassages';

/** Where a unit of an editor's text is in the Markdown: [start, end), in UTF-16 units. */
export type Range = readonly [start: number, end: number];

/** A block of a Markdown text, as the editor shows it. */
export interface Block {
  readonly node: Node;
  readonly source: string;
  /** The line breaks before it. */
  readonly before: string;
  /** Where each unit of the block's text, and each line break in it, is in the source. */
  readonly ranges: readonly Range[];
}

/** A Markdown text in blocks. Put together again they are the text. */
export interface ParsedText {
  readonly blocks: readonly Block[];
  /** What is after the last block. */
  readonly tail: string;
  /** The definitions of the text, which each block needs to be read. */
  readonly definitions: string;
}

/** Thrown for a block that the editor shows as its source. */
class NotShownError extends Error {}

/** A deeper list or quotation is shown as its source. */
const deepest = 12;

const byteOrderMark = '\ufeff';

const parseTree = (text: string) =>
  fromMarkdown(text, {
    extensions: [gfmTable(), gfmStrikethrough(), gfmFootnote()],
    mdastExtensions: [
      gfmTableFromMarkdown(),
      gfmStrikethroughFromMarkdown(),
      gfmFootnoteFromMarkdown(),
    ],
  });

function offsetsOf({ position }: Nodes): Range {
  return [position?.start.offset ?? 0, position?.end.offset ?? 0];
}

/** Reads a block of the tree as a node of the editor, and notes where its text is. */
class Reader {
  readonly ranges: Range[] = [];
  constructor(
    private readonly text: string,
    private readonly schema: Schema,
  ) {}

  private mark(name: string, attributes: Attrs | null): Mark {
    return this.schema.mark(name, attributes);
  }

  /** Creates a node. Code has its line breaks in the text. */
  private create(
    name: string,
    attributes: Attrs | null,
    content: readonly Node[],
    active: readonly Mark[] = [],
  ): Node {
    const type = this.schema.nodes[name];
    if (type?.spec.code) {
      const value = content.map((child) => (child.isText ? child.text : '\n')).join('');
      return type.create(attributes, value ? this.schema.text(value) : null);
    }
    return this.schema.node(
      name,
      attributes,
      type?.inlineContent ? joined(content) : content,
      active,
    );
  }

  block(tree: RootContent, depth: number): Node {
    if (depth > deepest) {
      throw new NotShownError();
    }
    switch (tree.type) {
      case 'paragraph':
        return this.create('paragraph', null, this.inline(tree.children, [], depth));
      case 'heading':
        return this.create('heading', { level: tree.depth }, this.inline(tree.children, [], depth));
      case 'thematicBreak':
        return this.create('horizontalRule', null, []);
      case 'blockquote':
        return this.create('blockquote', null, this.blocks(tree, depth));
      case 'list':
        return this.list(tree, depth);
      case 'table':
        return this.table(tree, depth);
      case 'code': {
        const [start, end] = offsetsOf(tree);
        const isFenced = /^[`~]{3}/.test(this.text.slice(start));
        const from = isFenced ? this.text.indexOf('\n', start) + 1 : start;
        const language = [tree.lang, tree.meta].filter(Boolean).join(' ') || null;
        return this.create('codeBlock', { language }, this.words(tree.value, from, end, []));
      }
      default:
        return this.source(tree, depth);
    }
  }

  /** Returns the source of a block that the editor cannot show otherwise. */
  source(tree: RootContent, depth: number): Node {
    const [start, end] = offsetsOf(tree);
    return this.create('sourceBlock', null, this.verbatim(start, end, [], depth));
  }

  private blocks(tree: Parents, depth: number): Node[] {
    const content = tree.children.map((child) => this.block(child, depth + 1));
    return content.length > 0 ? content : [this.create('paragraph', null, [])];
  }

  private list(tree: List, depth: number): Node {
    const items = tree.children.map((item) =>
      this.create('listItem', null, this.blocks(item, depth + 1)),
    );
    const isLoose = tree.spread === true || tree.children.some(({ spread }) => spread);
    return tree.ordered
      ? this.create('orderedList', { start: tree.start ?? 1, isLoose }, items)
      : this.create('bulletList', { isLoose }, items);
  }

  private table(tree: Table, depth: number): Node {
    const width = tree.children[0]?.children.length ?? 0;
    const rows = tree.children.map((row, r) => {
      if (row.children.length > width) {
        throw new NotShownError();
      }
      const cells = Array.from({ length: width }, (_, c) => {
        const content = this.inline(row.children[c]?.children ?? [], [], depth + 1, true);
        const align = tree.align?.[c] ?? null;
        const type = r === 0 ? 'tableHeader' : 'tableCell';
        return this.create(type, { align }, [this.create('paragraph', null, content)]);
      });
      return this.create('tableRow', null, cells);
    });
    return this.create('table', null, rows);
  }

  private inline(
    tree: readonly PhrasingContent[],
    active: readonly Mark[],
    depth: number,
    isCell = false,
  ): Node[] {
    return tree.flatMap((child) => this.phrase(child, active, depth, isCell));
  }

  private phrase(
    tree: PhrasingContent,
    active: readonly Mark[],
    depth: number,
    isCell: boolean,
  ): Node[] {
    const [start, end] = offsetsOf(tree);
    const within = (name: string, children: PhrasingContent[], attributes: Attrs | null = null) =>
      this.inline(children, this.mark(name, attributes).addToSet(active), depth, isCell);
    switch (tree.type) {
      case 'text':
        return this.words(tree.value, start, end, active);
      case 'strong':
        return within('bold', tree.children);
      case 'emphasis':
        return within('italic', tree.children);
      case 'delete':
        return within('strike', tree.children);
      case 'inlineCode':
        return this.words(tree.value, start, end, this.mark('code', null).addToSet(active));
      case 'break':
        this.ranges.push([start, end]);
        return [this.create('hardBreak', null, [], active)];
      case 'link': {
        const before = this.ranges.length;
        const shown = within('link', tree.children, { href: tree.url, title: tree.title ?? null });
        if (shown.length > 0) {
          return shown;
        }
        this.ranges.length = before;
        return this.verbatim(start, end, active, depth);
      }
      case 'html':
        if (isCell && /^<br *\/?>$/.test(tree.value)) {
          this.ranges.push([start, end]);
          return [this.create('hardBreak', null, [], active)];
        }
        return this.verbatim(start, end, active, depth);
      default:
        return this.verbatim(start, end, active, depth);
    }
  }

  /** Returns a part of the text as it is. A line of a list or quotation also has its marker. */
  private verbatim(start: number, end: number, active: readonly Mark[], depth: number): Node[] {
    const value = this.text.slice(start, end);
    if (depth > 0 && value.includes('\n')) {
      throw new NotShownError();
    }
    for (let at = start; at < end; at += 1) {
      this.ranges.push([at, at + 1]);
    }
    return value === ''
      ? []
      : [this.schema.text(value, this.mark('source', null).addToSet(active))];
  }

  /** Returns a text of the tree, whose line breaks are soft outside of code. */
  private words(value: string, start: number, end: number, active: readonly Mark[]): Node[] {
    const offsets = sourceOffsets(this.text, start, end, value);
    for (const at of offsets) {
      const isEscaped = this.text[at - 1] === '\\' && at > (this.ranges.at(-1)?.[1] ?? start);
      this.ranges.push([isEscaped ? at - 1 : at, at + 1]);
    }
    return value
      .split('\n')
      .flatMap((line, i) => [
        ...(i > 0 ? [this.create('hardBreak', { isSoft: true }, [], active)] : []),
        ...(line ? [this.schema.text(line, active)] : []),
      ]);
  }
}

/** Returns a text's nodes, of which equal neighbours are one, as in a document that was typed. */
function joined(content: readonly Node[]): Node[] {
  const all: Node[] = [];
  for (const child of content) {
    const last = all.at(-1);
    if (last?.isText && child.isText && last.sameMarkup(child)) {
      all[all.length - 1] = child.type.schema.text(`${last.text}${child.text}`, child.marks);
    } else {
      all.push(child);
    }
  }
  return all;
}

const isDefinition = ({ type }: RootContent) =>
  type === 'definition' || type === 'footnoteDefinition';

/** Reads a block at an offset of the text, or its source if the editor cannot show it. */
function readBlock(
  text: string,
  tree: RootContent,
  schema: Schema,
): Pick<Block, 'node' | 'ranges'> {
  for (const read of ['block', 'source'] as const) {
    try {
      const reader = new Reader(text, schema);
      return { node: reader[read](tree, 0), ranges: reader.ranges };
    } catch (error) {
      if (!(error instanceof NotShownError)) {
        throw error;
      }
    }
  }
  throw new NotShownError();
}

/** Reads a Markdown text. */
export function parseText(text: string, schema: Schema): ParsedText {
  if (text.startsWith(byteOrderMark)) {
    // The parser does not count it.
    const { blocks, tail, definitions } = parseText(text.slice(1), schema);
    const [first, ...others] = blocks;
    return first
      ? {
          blocks: [{ ...first, before: byteOrderMark + first.before }, ...others],
          tail,
          definitions,
        }
      : { blocks, tail: text, definitions };
  }
  const tree = parseTree(text);
  const blocks: Block[] = [];
  let end = 0;
  for (const child of tree.children) {
    const [from, to] = offsetsOf(child);
    // A heading begins with the definitions above it, which are blocks already.
    const at = from < end ? end + (/^\s*/.exec(text.slice(end, to))?.[0].length ?? 0) : from;
    const indent = /[ \t]*$/.exec(text.slice(end, at))?.[0].length ?? 0;
    const start = at - indent;
    const { node, ranges } = readBlock(text, child, schema);
    blocks.push({
      node,
      source: text.slice(start, to),
      before: text.slice(end, start),
      ranges: ranges.map(([a, b]) => [a - start, b - start]),
    });
    end = to;
  }
  const definitions = tree.children
    .filter(isDefinition)
    .map((child) => text.slice(...offsetsOf(child)))
    .join('\n\n');
  return { blocks, tail: text.slice(end), definitions };
}

/** Reads blocks of a text apart from the others, with the definitions that they need. */
export function parseBlocks(source: string, definitions: string, schema: Schema): Block[] {
  const { blocks } = parseText(definitions ? `${source}\n\n${definitions}` : source, schema);
  let length = 0;
  return blocks.filter((block) => {
    length += block.before.length + block.source.length;
    return length <= source.length;
  });
}
