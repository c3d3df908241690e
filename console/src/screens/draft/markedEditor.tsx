import { Input, Textarea } from '@mantine/core';
import { type RefObject, useEffect, useId, useImperativeHandle, useMemo, useRef } from 'react';
import { type Passage, type Quote, cutText, locateQuote } from '../../ui/passages';

/** A passage to mark in the text area. */
export interface Mark extends Pick<Passage, 'id' | 'label' | 'color'> {
  readonly quote: Quote;
}

/** The selected part of a text, in UTF-16 units. */
export interface TextSelection {
  readonly start: number;
  readonly end: number;
}

/** What the screen does with the editor of a text. The offsets are of the text, in UTF-16 units. */
export interface TextEditor {
  readonly focus: () => void;
  /** Selects a part and scrolls to it. */
  readonly select: (start: number, end: number) => void;
  /** Replaces a part and selects what is there now. Undo takes it back in one step. */
  readonly replace: (start: number, end: number, instead: string) => void;
}

export interface EditorProps {
  readonly handle: RefObject<TextEditor | null>;
  readonly label: string;
  readonly value: string;
  readonly change: (value: string) => void;
  readonly select: (selected: TextSelection) => void;
  readonly marks: readonly Mark[];
  readonly readOnly: boolean;
  readonly error?: string | undefined;
}

/**
 * A text area with marked passages. The marks are in a copy of the text under it, which screen
 * readers skip.
 */
export function MarkedEditor({
  handle,
  label,
  value,
  change,
  select,
  marks,
  readOnly,
  error,
}: EditorProps) {
  const id = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  useImperativeHandle(
    handle,
    () => ({
      focus: () => area.current?.focus({ preventScroll: true }),
      select: (start, end) => selectPart(area.current, value, start, end),
      replace: (start, end, instead) => {
        selectPart(area.current, value, start, end);
        // So that the browser's undo has it; a browser without this sets the value.
        if (!document.execCommand('insertText', false, instead)) {
          change(value.slice(0, start) + instead + value.slice(end));
        }
        requestAnimationFrame(() => {
          const at = shownOffset(value, start);
          area.current?.setSelectionRange(at, at + shownLength(instead));
        });
      },
    }),
    [value, change],
  );
  useEffect(() => {
    const report = () => {
      const { current } = area;
      if (current && document.activeElement === current) {
        select({
          start: textOffset(value, current.selectionStart),
          end: textOffset(value, current.selectionEnd),
        });
      }
    };
    // React has no event for selections by scripts.
    document.addEventListener('selectionchange', report);
    return () => document.removeEventListener('selectionchange', report);
  }, [value, select]);
  const pieces = useMemo(() => {
    const points = Array.from(value);
    const passages = marks.flatMap(({ quote, ...mark }) => {
      const place = locateQuote(value, quote, points);
      return place ? [{ ...mark, ...place }] : [];
    });
    return cutText(value, passages);
  }, [value, marks]);
  return (
    <Input.Wrapper id={id} label={label} error={error}>
      <div className="marked-editor">
        <div className="marked-editor-text" aria-hidden dir="auto">
          {pieces.map(({ text, passages }, i) => {
            const first = passages[0];
            return first ? (
              <mark
                key={i}
                data-mark={first.id}
                style={
                  {
                    '--passage-color': `var(--mantine-color-${first.color}-5)`,
                  } as React.CSSProperties
                }
              >
                {text}
              </mark>
            ) : (
              text
            );
          })}
        </div>
        <Textarea
          ref={area}
          id={id}
          autosize
          minRows={12}
          dir="auto"
          value={value}
          onChange={(event) => change(event.currentTarget.value)}
          readOnly={readOnly}
          error={Boolean(error)}
        />
      </div>
    </Input.Wrapper>
  );
}

/**
 * Selects a quote in the editor of a text and scrolls to it. Returns false if the text no longer
 * has it.
 */
export function selectQuote(editor: TextEditor | null, text: string, quote: Quote): boolean {
  const points = Array.from(text);
  const place = locateQuote(text, quote, points);
  if (!place || !editor) {
    return false;
  }
  const start = points.slice(0, place.start).join('').length;
  editor.select(start, start + points.slice(place.start, place.end).join('').length);
  return true;
}

const shownLength = (text: string) => text.replaceAll('\r\n', '\n').length;

/** Returns where an offset of a text is in a text area's value, whose line breaks are one unit. */
const shownOffset = (text: string, offset: number) => shownLength(text.slice(0, offset));

/** Returns where an offset in a text area's value is in the text, whose line breaks may be CRLF. */
export function textOffset(text: string, offset: number): number {
  let at = 0;
  for (let left = offset; left > 0; left -= 1) {
    at += text.startsWith('\r\n', at) ? 2 : 1;
  }
  return at;
}

/** Selects a part of the text in the text area and scrolls to it. */
function selectPart(
  area: HTMLTextAreaElement | null,
  text: string,
  start: number,
  end: number,
): void {
  area?.focus({ preventScroll: true });
  area?.setSelectionRange(shownOffset(text, start), shownOffset(text, end));
  if (area) {
    scrollToOffset(area, text.slice(0, start));
  }
}

/**
 * Scrolls so that the end of `before` is a third down the window. The marked copy has the same
 * lines, so its position is measured.
 */
function scrollToOffset(area: HTMLTextAreaElement, before: string): void {
  const shown = area.closest('.marked-editor')?.querySelector('.marked-editor-text');
  const range = document.createRange();
  let left = before.length;
  for (const node of shown ? textNodes(shown) : []) {
    if (left <= node.data.length) {
      range.setStart(node, left);
      range.collapse(true);
      window.scrollTo({
        top: window.scrollY + range.getBoundingClientRect().top - window.innerHeight / 3,
      });
      return;
    }
    left -= node.data.length;
  }
}

function* textNodes(element: Element): Generator<Text> {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    yield walker.currentNode as Text;
  }
}
