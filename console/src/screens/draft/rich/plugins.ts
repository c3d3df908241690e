import { Extension } from '@tiptap/core';
import { Fragment, type Node, Slice } from '@tiptap/pm/model';
import { Plugin, PluginKey } from '@tiptap/pm/state';
import { Decoration, DecorationSet } from '@tiptap/pm/view';
import { locateQuote } from '../../../ui/passages';
import type { Mark } from '../markedEditor';
import type { MarkdownText, Written } from './markdownText';
import { parseText } from './parse';
import { cleanHtml } from './pastedHtml';
import { partsOf } from './positions';

/** The marks of the document; a transaction sets them by its meta of this key. */
export const marksKey = new PluginKey<DecorationSet>('marks');

/** Returns the marks as decorations of the parts that show their quotes. */
function decorations(written: Written, marks: readonly Mark[]): DecorationSet {
  const { doc, text } = written;
  const points = Array.from(text);
  const units: number[] = [];
  let unit = 0;
  for (const point of points) {
    units.push(unit);
    unit += point.length;
  }
  const all = marks.flatMap((mark) => {
    const place = locateQuote(text, mark.quote, points);
    if (!place) {
      return [];
    }
    const color = `var(--mantine-color-${mark.color}-5)`;
    return partsOf(written, units[place.start] ?? unit, units[place.end] ?? unit).map(
      ({ from, to }) =>
        Decoration.inline(from, to, {
          nodeName: 'mark',
          'data-mark': mark.id,
          style: `--passage-color: ${color}`,
        }),
    );
  });
  return DecorationSet.create(doc, all);
}

/** Returns what is pasted as text: Markdown, of which a single paragraph continues the words. */
function pastedText(text: string, schema: Node['type']['schema']): Slice {
  const nodes = parseText(text.replace(/\r\n?/g, '\n').trim(), schema).blocks.map(
    ({ node }) => node,
  );
  const isWords = (node: Node | undefined) => (node?.type.name === 'paragraph' ? 1 : 0);
  return new Slice(Fragment.from(nodes), isWords(nodes[0]), isWords(nodes.at(-1)));
}

/** Marks of a document, pasting of Markdown, and a text that can be read and not changed. */
export const markdownPlugins = (markdown: () => MarkdownText, isReadOnly: () => boolean) =>
  Extension.create({
    name: 'markdownPlugins',
    addProseMirrorPlugins: () => [
      new Plugin({
        key: marksKey,
        state: {
          init: () => DecorationSet.empty,
          apply(transaction, shown) {
            const marks = transaction.getMeta(marksKey) as readonly Mark[] | undefined;
            return marks
              ? decorations(markdown().write(transaction.doc), marks)
              : shown.map(transaction.mapping, transaction.doc);
          },
        },
        filterTransaction: (transaction) =>
          !transaction.docChanged || !isReadOnly() || transaction.getMeta('stored') === true,
        props: {
          decorations: (state) => marksKey.getState(state),
          transformPastedHTML: cleanHtml,
          clipboardTextParser: (text, _, isPlain, view) =>
            isPlain
              ? (null as unknown as Slice) // as it is
              : pastedText(text, view.state.schema),
          handleDOMEvents: {
            // Tab leads out of a text that cannot be changed, also from a list or a table.
            keydown: (_, { key }) => isReadOnly() && key === 'Tab',
            beforeinput: (_, event) => {
              if (isReadOnly()) {
                event.preventDefault();
              }
              return isReadOnly();
            },
          },
        },
      }),
    ],
  });
