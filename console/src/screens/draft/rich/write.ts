import type { Mark, Node } from '@tiptap/pm/model';
import type {
  BlockContent,
  ListItem,
  Parents,
  PhrasingContent,
  RootContent,
  Table,
  Text,
} from 'mdast';
import { gfmStrikethroughToMarkdown } from 'mdast-util-gfm-strikethrough';
import { gfmTableToMarkdown } from 'mdast-util-gfm-table';
import { defaultHandlers, type Handle, type Options, toMarkdown } from 'mdast-util-to-markdown';

/** The markers that a text uses for what Markdown can write in several ways. */
export type MarkdownStyle = Pick<
  Options,
  'bullet' | 'bulletOrdered' | 'emphasis' | 'incrementListMarker' | 'strong'
>;

/** Returns the markers that a text uses. */
export function styleOf(text: string): MarkdownStyle {
  const bullet = /^ {0,3}([-*+]) +\S/m.exec(text)?.[1] ?? '-';
  const ordered = /^ {0,3}(\d+)([.)]) +\S.*\n(?: {0,3}(\d+)[.)] )?/m.exec(text);
  const emphasis = /(?<![\w*])([*_])[^\s*_]/.exec(text)?.[1] ?? '*';
  const strong = /(?<![\w*])([*_])\1[^\s*_]/.exec(text)?.[1] ?? '*';
  return {
    bullet: bullet as '-' | '*' | '+',
    bulletOrdered: ordered?.[2] === ')' ? ')' : '.',
    incrementListMarker: ordered?.[3] === undefined || ordered[3] !== ordered[1],
    emphasis: emphasis as '*' | '_',
    strong: strong as '*' | '_',
  };
}

/** Some words with their marks, or a line break. */
interface Piece {
  text: string;
  marks: readonly Mark[];
  readonly lineBreak?: 'soft' | 'hard';
}

const isSpace = (piece: Piece) =>
  piece.lineBreak !== undefined ||
  (/^[ \t]+$/.test(piece.text) && !piece.marks.some(({ type }) => type.spec.code));

/** Returns the units of a textblock one by one. */
function unitsOf(block: Node): Piece[] {
  const units: Piece[] = [];
  block.forEach((child) => {
    if (child.isText) {
      const isVerbatim = child.marks.some(({ type }) => ['code', 'source'].includes(type.name));
      const parts = isVerbatim ? [child.text ?? ''] : (child.text ?? '').split(/([ \t]+)/);
      units.push(...parts.filter(Boolean).map((text) => ({ text, marks: child.marks })));
    } else {
      const lineBreak = child.attrs.isSoft ? 'soft' : 'hard';
      units.push({ text: '', marks: child.marks, lineBreak });
    }
  });
  return units;
}

/** Takes a mark from the white space where it begins or ends, because Markdown cannot have it. */
function trimMarks(units: Piece[]): void {
  for (const step of [1, -1]) {
    let before: readonly Mark[] = [];
    for (let i = step > 0 ? 0 : units.length - 1; i >= 0 && i < units.length; i += step) {
      const unit = units[i] as Piece;
      if (isSpace(unit)) {
        unit.marks = unit.marks.filter((mark) => mark.isInSet(before));
      }
      before = unit.marks;
    }
  }
}

/**
 * Returns the pieces of a textblock as Markdown can have them: no white space at the ends, at line
 * breaks and inside the ends of marks.
 */
export function piecesOf(block: Node): Piece[] {
  const units = unitsOf(block);
  const kept = units.filter((unit, i) => {
    if (!isSpace(unit)) {
      return true;
    }
    const rest = units.slice(i + 1).find((other) => !isSpace(other));
    const isBetween = rest !== undefined && units.slice(0, i).some((other) => !isSpace(other));
    const isAtBreak = Boolean(units[i - 1]?.lineBreak ?? units[i + 1]?.lineBreak);
    return isBetween && (unit.lineBreak !== undefined || !isAtBreak);
  });
  trimMarks(kept);
  const pieces: Piece[] = [];
  for (const unit of kept) {
    const last = pieces.at(-1);
    if (last && !last.lineBreak && !unit.lineBreak && sameMarks(last.marks, unit.marks)) {
      last.text += unit.text;
    } else {
      pieces.push({ ...unit });
    }
  }
  return pieces;
}

const sameMarks = (a: readonly Mark[], b: readonly Mark[]) =>
  a.length === b.length && a.every((mark) => mark.isInSet(b));

/** The order of marks that cover the same words, the outer first. */
const order = ['link', 'bold', 'italic', 'strike'];

/** Returns the pieces as a tree, in which a mark that covers more is outside. */
function phrases(pieces: readonly Piece[], isCell: boolean): PhrasingContent[] {
  const all: PhrasingContent[] = [];
  for (let i = 0; i < pieces.length;) {
    const piece = pieces[i] as Piece;
    const spans = piece.marks
      .filter(({ type }) => order.includes(type.name))
      .map((mark) => {
        const length = pieces.slice(i).findIndex(({ marks }) => !mark.isInSet(marks));
        return { mark, end: length < 0 ? pieces.length : i + length };
      })
      .sort(
        (a, b) =>
          b.end - a.end || order.indexOf(a.mark.type.name) - order.indexOf(b.mark.type.name),
      );
    const outer = spans[0];
    if (!outer) {
      all.push(leaf(piece, isCell));
      i += 1;
      continue;
    }
    const inner = pieces
      .slice(i, outer.end)
      .map((one) => ({ ...one, marks: outer.mark.removeFromSet(one.marks) }));
    all.push(wrapped(outer.mark, phrases(inner, isCell)));
    i = outer.end;
  }
  return all;
}

/** Returns a part that is Markdown already, for the handler of writeBlock. */
const verbatim = (value: string) => ({ type: 'verbatim', value }) as unknown as PhrasingContent;

function leaf({ text, marks, lineBreak }: Piece, isCell: boolean): PhrasingContent {
  if (lineBreak === 'soft' && !isCell) {
    return { type: 'text', value: '\n' };
  }
  if (lineBreak) {
    return isCell ? verbatim('<br>') : { type: 'break' };
  }
  const names = marks.map(({ type }) => type.name);
  if (names.includes('source')) {
    return verbatim(text);
  }
  return names.includes('code')
    ? { type: 'inlineCode', value: text }
    : { type: 'text', value: text };
}

function wrapped(mark: Mark, children: PhrasingContent[]): PhrasingContent {
  switch (mark.type.name) {
    case 'link':
      return {
        type: 'link',
        url: String(mark.attrs.href ?? ''),
        title: mark.attrs.title as string | null,
        children: children,
      };
    case 'bold':
      return { type: 'strong', children };
    case 'italic':
      return { type: 'emphasis', children };
    default:
      return { type: 'delete', children };
  }
}

const isBlank = (node: Node) => node.type.name === 'paragraph' && piecesOf(node).length === 0;

/** Returns the blocks in a node, without empty paragraphs, which Markdown does not have. */
function blocksIn(node: Node): BlockContent[] {
  return node.children
    .filter((child) => !isBlank(child))
    .map((child) => treeOf(child) as BlockContent);
}

function treeOf(node: Node): RootContent {
  switch (node.type.name) {
    case 'heading':
      return {
        type: 'heading',
        depth: node.attrs.level as 1,
        children: phrases(piecesOf(node), false),
      };
    case 'blockquote':
      return { type: 'blockquote', children: blocksIn(node) };
    case 'bulletList':
    case 'orderedList': {
      const spread = Boolean(node.attrs.isLoose);
      const children = node.children.map((item): ListItem => ({
        type: 'listItem',
        spread,
        children: blocksIn(item),
      }));
      const ordered = node.type.name === 'orderedList';
      const start = ordered ? Number(node.attrs.start ?? 1) : null;
      return { type: 'list', ordered, start, spread, children };
    }
    case 'table':
      return tableTree(node);
    case 'horizontalRule':
      return { type: 'thematicBreak' };
    case 'codeBlock': {
      const [lang, ...meta] = String(node.attrs.language ?? '').split(' ');
      return {
        type: 'code',
        lang: lang || null,
        meta: meta.join(' ') || null,
        value: node.textContent,
      };
    }
    case 'sourceBlock':
      return { type: 'html', value: node.textContent };
    default:
      return { type: 'paragraph', children: phrases(piecesOf(node), false) };
  }
}

function tableTree(node: Node): Table {
  const align = node.firstChild?.children.map(({ attrs }) => (attrs.align ?? null) as null) ?? [];
  return {
    type: 'table',
    align,
    children: node.children.map((row) => ({
      type: 'tableRow',
      children: row.children.map((cell) => ({
        type: 'tableCell',
        children: cell.firstChild ? phrases(piecesOf(cell.firstChild), true) : [],
      })),
    })),
  };
}

/** An underscore inside a word is one in Markdown too, and so is the box of a task. */
const unescaped = (text: string) =>
  text.replace(/(?<=[\p{L}\p{N}])\\_(?=[\p{L}\p{N}])/gu, '_').replace(/^\\(?=\[[ xX]\] )/, '');

/**
 * Writes a block as Markdown. Without `escape` its words are written as they are, which is right for
 * most: the caller reads the result again.
 */
export function writeBlock(node: Node, style: MarkdownStyle, escape: boolean): string {
  if (node.type.name === 'sourceBlock') {
    return node.textContent;
  }
  const handlers: Record<string, Handle> = {
    verbatim: (tree: { value: string }) => tree.value,
    text: (tree: Text, parent: Parents | undefined, state, info) =>
      escape ? unescaped(defaultHandlers.text(tree, parent, state, info)) : tree.value,
  };
  return toMarkdown(treeOf(node), {
    ...style,
    rule: '-',
    listItemIndent: 'one',
    extensions: [
      gfmStrikethroughToMarkdown(),
      gfmTableToMarkdown({ tablePipeAlign: false }),
      { handlers },
    ],
  }).replace(/\n$/, '');
}

/** Returns a node as Markdown has it, to compare two. */
export function canonical(node: Node): unknown {
  if (node.isTextblock && !node.type.spec.code) {
    const pieces = piecesOf(node).map(({ text, marks, lineBreak }) => [
      lineBreak ?? text,
      marks.map((mark) => JSON.stringify(mark.toJSON())).sort(),
    ]);
    return [node.type.name, node.attrs, pieces];
  }
  return node.isTextblock
    ? [node.type.name, node.attrs, node.textContent]
    : [node.type.name, node.attrs, node.children.filter((child) => !isBlank(child)).map(canonical)];
}
