import { Extension } from '@tiptap/core';
import { closeHistory } from '@tiptap/pm/history';
import { type EditorState, Plugin, PluginKey, type Transaction } from '@tiptap/pm/state';

/** Emphasis that was just written with its markers, which the next character may show to be none. */
interface Written {
  readonly from: number;
  readonly to: number;
  /** The words with their markers. */
  readonly source: string;
  readonly marker: string;
}

const key = new PluginKey<Written | null>('emphasis');

const marks: Record<string, string> = {
  '*': 'italic',
  _: 'italic',
  '**': 'bold',
  __: 'bold',
  '~~': 'strike',
};

/**
 * Markers around words, as CommonMark's rules of left- and right-flanking delimiters have them: none
 * stands beside white space inside. They are emphasis once the last marker is written.
 */
const atMarker = [
  /(?<=^|\s)(?<marker>\*\*?)(?![\s*])(?<words>[^*\n]*[^\s*])\k<marker>$/u,
  /(?<=^|\s)(?<marker>~~)(?![\s~])(?<words>[^~\n]*[^\s~])\k<marker>$/u,
];

/** An underscore may be of a name, such as __init__.py: it is a marker once a space follows. */
const atSpace =
  /(?<=^|\s)(?<marker>__?)(?![\s_])(?<words>[^_\n]*[^\s_])\k<marker>(?<tail>[.,;:!?…]*[ \u00a0])$/u;

const isSpace = (text: string) => /^\s/.test(text);
const isPunctuation = (text: string) => /^[\p{P}\p{S}]/u.test(text);

/** Reports whether a marker after words ends emphasis if a text follows it. */
function closes(marker: string, words: string, next: string): boolean {
  return (
    next === '' ||
    isSpace(next) ||
    (!next.startsWith(marker[0] ?? '') &&
      (isPunctuation(next) || !isPunctuation(Array.from(words).at(-1) ?? '')))
  );
}

/** Returns the markers that end where a text is written, or null. */
function found(before: string, next: string) {
  for (const pattern of [...atMarker, atSpace]) {
    const match = pattern.exec(before);
    const { marker, words, tail = '' } = match?.groups ?? {};
    if (match && marker && words && (tail || closes(marker, words, next))) {
      return { at: match.index, marker, words, tail };
    }
  }
  return null;
}

/** Returns the change of a character that makes written markers emphasis, or null if it makes none. */
function emphasized(state: EditorState, text: string): Transaction | null {
  const { $from } = state.selection;
  const { parent } = $from;
  const before = parent.textBetween(0, $from.parentOffset, null, '\n') + text;
  const next = parent.textBetween($from.parentOffset, parent.content.size, null, '\n');
  const match = found(before, next);
  if (!match) {
    return null;
  }
  const { marker, words, tail } = match;
  const from = $from.start() + match.at;
  const mark = state.schema.marks[marks[marker] ?? ''];
  const isVerbatim = ['code', 'source'].some((name) => {
    const type = state.schema.marks[name];
    return type && state.doc.rangeHasMark(from, $from.pos, type);
  });
  if (!mark || isVerbatim) {
    return null;
  }
  const start = from + marker.length;
  const end = start + words.length;
  const { tr } = state;
  const present = state.storedMarks ?? $from.marks();
  if (tail) {
    tr.insert($from.pos, state.schema.text(text, present));
  }
  tr.delete(end, tail ? end + marker.length : $from.pos).delete(from, start);
  tr.addMark(from, from + words.length, mark.create()).removeStoredMark(mark);
  const source = marker + words + marker;
  const written = { from, to: from + words.length, source, marker };
  return closeHistory(tail ? tr : tr.setMeta(key, written));
}

/**
 * Returns the change of a character at the cursor if it makes emphasis of markers, or shows that
 * markers before it were none, which are words again then.
 */
export function typeEmphasis(state: EditorState, text: string): Transaction | null {
  const { empty, $from } = state.selection;
  if (!empty || !$from.parent.inlineContent || $from.parent.type.spec.code) {
    return null;
  }
  const last = key.getState(state);
  if (!last) {
    return emphasized(state, text);
  }
  const { from, to, source, marker } = last;
  const words = source.slice(marker.length, -marker.length);
  if ($from.pos !== to || closes(marker, words, text)) {
    return emphasized(state, text);
  }
  return state.tr.replaceWith(from, to, state.schema.text(source + text, state.storedMarks ?? []));
}

/** Makes emphasis of markers while they are written. */
export const emphasisPlugin = () =>
  new Plugin<Written | null>({
    key,
    state: {
      init: () => null,
      apply: (transaction, last) =>
        (transaction.getMeta(key) as Written | undefined) ??
        (transaction.docChanged || transaction.selectionSet ? null : last),
    },
    props: {
      handleTextInput: (view, from, to, text) => {
        const { selection } = view.state;
        const change =
          view.composing || from !== selection.from || to !== selection.to
            ? null
            : typeEmphasis(view.state, text);
        if (change) {
          view.dispatch(change.scrollIntoView());
        }
        return change !== null;
      },
    },
  });

export const Emphasis = Extension.create({
  name: 'emphasis',
  addProseMirrorPlugins: () => [emphasisPlugin()],
});
