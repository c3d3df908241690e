import { Input, Textarea } from '@mantine/core';
import { type RefObject, useEffect, useId, useMemo } from 'react';
import { type Passage, type Quote, cutText, locateQuote } from '../../ui/passages';

/** A passage to mark in the text area. */
export interface Mark extends Pick<Passage, 'id' | 'label' | 'color'> {
  readonly quote: Quote;
}

/** The selected part of a text area, in UTF-16 units. */
export interface TextSelection {
  readonly start: number;
  readonly end: number;
}

interface MarkedEditorProps {
  readonly area: RefObject<HTMLTextAreaElement | null>;
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
  area,
  label,
  value,
  change,
  select,
  marks,
  readOnly,
  error,
}: MarkedEditorProps) {
  const id = useId();
  useEffect(() => {
    const report = () => {
      const { current } = area;
      if (current && document.activeElement === current) {
        select({ start: current.selectionStart, end: current.selectionEnd });
      }
    };
    // React has no event for selections by scripts.
    document.addEventListener('selectionchange', report);
    return () => document.removeEventListener('selectionchange', report);
  }, [area, select]);
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
 * Selects a quote in the text area and scrolls to it. Returns false if the text no longer has it.
 */
export function selectQuote(area: HTMLTextAreaElement | null, quote: Quote): boolean {
  const points = Array.from(area?.value ?? '');
  const place = area && locateQuote(area.value, quote, points);
  if (!place) {
    return false;
  }
  const start = points.slice(0, place.start).join('').length;
  area.focus({ preventScroll: true });
  area.setSelectionRange(start, start + points.slice(place.start, place.end).join('').length);
  scrollToOffset(area, points.slice(0, place.start).join(''));
  return true;
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
