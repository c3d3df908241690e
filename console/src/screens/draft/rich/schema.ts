import { type AnyExtension, type Editor, Extension, Mark, Node } from '@tiptap/core';
import { TableKit } from '@tiptap/extension-table';
import StarterKit from '@tiptap/starter-kit';
import { Emphasis } from './emphasis';

/** A block that the editor shows as its Markdown source, for example HTML or a footnote. */
const SourceBlock = Node.create({
  name: 'sourceBlock',
  group: 'block',
  content: 'text*',
  marks: '',
  code: true,
  defining: true,
  parseHTML: () => [{ tag: 'pre[data-source]', preserveWhitespace: 'full', priority: 60 }],
  renderHTML: () => ['pre', { 'data-source': '' }, 0],
});

/** Words that the editor shows as their Markdown source, for example an image. */
const SourceMark = Mark.create({
  name: 'source',
  inclusive: false,
  parseHTML: () => [{ tag: 'span[data-source]' }],
  renderHTML: () => ['span', { 'data-source': '' }, 0],
});

/** Returns an attribute that is true or false, and in HTML there or not. */
const flag = (name: string, html: string) => ({
  default: false,
  parseHTML: (element: HTMLElement) => element.hasAttribute(html),
  renderHTML: (attributes: Record<string, unknown>) => (attributes[name] ? { [html]: '' } : {}),
});

/** What Markdown tells apart: lists with blank lines between their items, breaks of source lines. */
const MarkdownAttributes = Extension.create({
  name: 'markdownAttributes',
  addGlobalAttributes: () => [
    {
      types: ['bulletList', 'orderedList'],
      attributes: { isLoose: flag('isLoose', 'data-loose') },
    },
    { types: ['hardBreak'], attributes: { isSoft: flag('isSoft', 'data-soft') } },
  ],
});

/**
 * The rules of these marks do not follow CommonMark: emphasis.ts has those of typing, and what is
 * pasted is read as Markdown or has its marks already.
 */
const noRules = { addInputRules: () => [], addPasteRules: () => [] };

/** What some extensions have in Markdown that they do not have in HTML. */
const changes: Record<string, object> = {
  listItem: { content: 'block+' },
  bold: noRules,
  italic: noRules,
  strike: noRules,
  code: { excludes: '', addPasteRules: () => [] },
  table: {
    // As in forms, Tab leads out behind the last cell: the toolbar adds rows.
    addKeyboardShortcuts(this: { editor: Editor; parent?: () => object }) {
      return { ...this.parent?.(), Tab: () => this.editor.commands.goToNextCell() };
    },
  },
  tableCell: { content: 'paragraph' },
  tableHeader: { content: 'paragraph' },
};

/** Returns the extension of a kit with its parts changed. */
function changed(kit: AnyExtension): AnyExtension {
  return (kit as Extension).extend({
    addExtensions() {
      const parts: AnyExtension[] = this.parent?.() ?? [];
      return parts.map((part) =>
        changes[part.name] ? (part as Node).extend(changes[part.name]) : part,
      );
    },
  });
}

const starter = StarterKit.configure({
  underline: false, // Markdown has none
  trailingNode: false,
  link: { openOnClick: false, autolink: false, HTMLAttributes: { target: null, rel: 'noopener' } },
});

/** What a text can have: what Markdown has, and its source for the rest. */
export const extensions: AnyExtension[] = [
  changed(starter),
  changed(TableKit),
  SourceBlock,
  SourceMark,
  MarkdownAttributes,
  Emphasis,
];
