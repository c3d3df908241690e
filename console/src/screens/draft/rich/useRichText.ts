import { Editor } from '@tiptap/core';
import { closeHistory } from '@tiptap/pm/history';
import { TextSelection } from '@tiptap/pm/state';
import {
  type RefObject,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import type { EditorProps, TextEditor } from '../markedEditor';
import { MarkdownText } from './markdownText';
import { markdownPlugins, marksKey } from './plugins';
import { offsetAt, partsOf } from './positions';
import { extensions } from './schema';

/** An editor of formatted text, and the Markdown that it writes. */
class RichText {
  readonly editor: Editor;
  private readonly markdown: MarkdownText;
  /** The texts that were reported and have not come back as the value yet. */
  private reported: string[] = [];

  constructor(
    element: HTMLElement,
    private readonly props: () => EditorProps,
    label: string,
  ) {
    const plugins = markdownPlugins(
      () => this.markdown,
      () => this.props().readOnly,
    );
    this.editor = new Editor({
      element,
      injectCSS: false, // which the page's policy refuses
      extensions: [...extensions, plugins],
      editorProps: {
        attributes: () => ({
          'aria-labelledby': label,
          'aria-multiline': 'true',
          'aria-readonly': String(this.props().readOnly),
          role: 'textbox',
          dir: 'auto',
        }),
        handleScrollToSelection: () => false,
      },
      onUpdate: () => this.report(),
      onSelectionUpdate: () => this.select(),
    });
    this.markdown = new MarkdownText(this.editor.schema);
    this.show(this.props().value, false);
  }

  get text(): string {
    return this.markdown.write(this.editor.state.doc).text;
  }

  /** Reports the text after a change by the person. */
  private report(): void {
    const { text } = this;
    if (text !== (this.reported.at(-1) ?? this.props().value)) {
      this.reported.push(text);
      this.props().change(text);
    }
  }

  private select(): void {
    const { doc, selection } = this.editor.state;
    const written = this.markdown.write(doc);
    const start = offsetAt(written, selection.from, 'after');
    const end = selection.empty ? start : offsetAt(written, selection.to, 'before');
    this.props().select({ start, end: Math.max(start, end) });
  }

  /** Takes a value: one that this editor reported, or a text from elsewhere, which is shown. */
  take(value: string): void {
    const at = this.reported.indexOf(value);
    if (at >= 0) {
      this.reported = this.reported.slice(at + 1);
    } else if (value !== this.text) {
      this.reported = [];
      this.show(value, false);
    }
  }

  /** Shows a text in place of the present one; blocks that are equal stay as they are. */
  show(text: string, isUndoable: boolean): void {
    const { state, view } = this.editor;
    const next = this.markdown.read(text, state.doc);
    const start = state.doc.content.findDiffStart(next.content);
    if (start !== null) {
      const before = state.doc.children;
      const after = next.children;
      let first = 0;
      while (first < before.length && before[first] === after[first]) {
        first += 1;
      }
      let last = 0;
      const most = Math.min(before.length, after.length) - first;
      while (last < most && before.at(-1 - last) === after.at(-1 - last)) {
        last += 1;
      }
      const size = (nodes: typeof before) => nodes.reduce((sum, { nodeSize }) => sum + nodeSize, 0);
      const transaction = state.tr.replaceWith(
        size(before.slice(0, first)),
        size(before.slice(0, before.length - last)),
        after.slice(first, after.length - last),
      );
      transaction.setMeta('stored', !isUndoable).setMeta('addToHistory', isUndoable);
      view.dispatch(isUndoable ? closeHistory(transaction) : transaction);
    }
    this.mark();
  }

  mark(): void {
    const { state, view } = this.editor;
    view.dispatch(state.tr.setMeta(marksKey, this.props().marks).setMeta('addToHistory', false));
  }

  /** Selects a part of the text and scrolls to it. */
  selectPart(start: number, end: number): void {
    const { state, view } = this.editor;
    const parts = partsOf(this.markdown.write(state.doc), start, end);
    const [first, last] = [parts[0], parts.at(-1)];
    view.focus();
    if (first && last) {
      view.dispatch(state.tr.setSelection(TextSelection.create(state.doc, first.from, last.to)));
      const { top } = view.coordsAtPos(first.from);
      window.scrollTo({ top: window.scrollY + top - window.innerHeight / 3 });
    }
  }

  /** Replaces a part of the text, which undo takes back in one step. */
  replace(start: number, end: number, instead: string): void {
    const { text } = this;
    this.show(text.slice(0, start) + instead + text.slice(end), true);
    this.selectPart(start, start + instead.length);
  }
}

/** Shows the text of an editor in an element, and returns the editor when it is there. */
export function useRichText(
  props: EditorProps,
  element: RefObject<HTMLElement | null>,
  label: string,
): Editor | null {
  const [rich, setRich] = useState<RichText | null>(null);
  const latest = useRef(props);
  useLayoutEffect(() => {
    latest.current = props;
  });
  useEffect(() => {
    if (!element.current) {
      return undefined;
    }
    const made = new RichText(element.current, () => latest.current, label);
    setRich(made);
    return () => made.editor.destroy();
  }, [element, label]);
  const { value, marks, handle } = props;
  useLayoutEffect(() => rich?.take(value), [rich, value]);
  useEffect(() => rich?.mark(), [rich, marks]);
  useImperativeHandle(
    handle,
    (): TextEditor => ({
      focus: () => rich?.editor.view.focus(),
      select: (start, end) => rich?.selectPart(start, end),
      replace: (start, end, instead) => rich?.replace(start, end, instead),
    }),
    [rich],
  );
  return rich?.editor ?? null;
}
