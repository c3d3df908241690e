import { useEffect, useRef } from 'react';
import { type Passage, cutText } from './passages';

interface MarkedTextProps {
  readonly text: string;
  readonly passages: readonly Passage[];
  readonly current: string | null;
  readonly choose: (id: string) => void;
}

/** A text with its passages marked; the current one is scrolled to. */
export function MarkedText({ text, passages, current, choose }: MarkedTextProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (current) {
      box.current
        ?.querySelector('[data-current]')
        ?.scrollIntoView({ block: 'center', behavior: 'smooth' });
    }
  }, [current]);
  return (
    <div ref={box} className="prose" dir="auto">
      {cutText(text, passages).map((piece, i) => {
        const first = piece.passages.find(({ id }) => id === current) ?? piece.passages[0];
        if (!first) {
          return piece.text;
        }
        return (
          <mark
            key={i}
            className="passage"
            style={
              { '--passage-color': `var(--mantine-color-${first.color}-5)` } as React.CSSProperties
            }
            data-current={first.id === current || undefined}
            title={piece.passages.map(({ label }) => label).join('\n')}
            onClick={() => choose(first.id)}
          >
            {piece.text}
          </mark>
        );
      })}
    </div>
  );
}
