import { Anchor } from '@mantine/core';
import { type ReactNode, useEffect, useMemo, useRef } from 'react';
import Markdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { markPassages } from './markPassages';
import { type Passage, cutText } from './passages';

interface MarkedTextProps {
  readonly text: string;
  /** Whether headings, lists, tables and quotations are written as in Markdown. */
  readonly isMarkdown: boolean;
  readonly passages: readonly Passage[];
  readonly current: string | null;
  readonly choose: (id: string) => void;
}

/** A text with its passages marked; the current one is scrolled to. */
export function MarkedText({ text, isMarkdown, ...marks }: MarkedTextProps) {
  const box = useRef<HTMLDivElement>(null);
  const { current } = marks;
  useEffect(() => {
    if (current) {
      box.current
        ?.querySelector('[data-current]')
        ?.scrollIntoView({ block: 'center', behavior: 'smooth' });
    }
  }, [current]);
  return (
    <div ref={box} className={isMarkdown ? 'prose markdown' : 'prose'} dir="auto">
      {isMarkdown ? <MarkdownText text={text} {...marks} /> : <PlainText text={text} {...marks} />}
    </div>
  );
}

type TextProps = Omit<MarkedTextProps, 'isMarkdown'>;

function PlainText({ text, passages, ...marks }: TextProps) {
  return cutText(text, passages).map((piece, i) =>
    piece.passages.length === 0 ? (
      piece.text
    ) : (
      <Mark key={i} passages={piece.passages} {...marks}>
        {piece.text}
      </Mark>
    ),
  );
}

/** Headings stand below that of the panel. */
const headings: Components = { h1: 'h3', h2: 'h4', h3: 'h5', h4: 'h6', h5: 'h6', h6: 'h6' };

function MarkdownText({ text, passages, current, choose }: TextProps) {
  const plugins = useMemo(() => [markPassages(text, passages)], [text, passages]);
  const components = useMemo<Components>(
    () => ({
      ...headings,
      a: ({ href, children }) => (
        <Anchor href={href} rel="noreferrer noopener" target="_blank">
          {children}
        </Anchor>
      ),
      img: ({ alt }) => alt, // nothing is fetched from the text's sites
      table: ({ children }) => (
        <div className="table-box" tabIndex={0}>
          <table>{children}</table>
        </div>
      ),
      mark: ({ node, children }) => {
        const ids = String(node?.properties['dataPassages']).split(' ');
        return (
          <Mark
            passages={passages.filter(({ id }) => ids.includes(id))}
            current={current}
            choose={choose}
          >
            {children}
          </Mark>
        );
      },
    }),
    [passages, current, choose],
  );
  return (
    <Markdown remarkPlugins={[remarkGfm]} rehypePlugins={plugins} components={components}>
      {text}
    </Markdown>
  );
}

interface MarkProps extends Pick<MarkedTextProps, 'passages' | 'current' | 'choose'> {
  readonly children: ReactNode;
}

/** A part of the text that has passages. */
function Mark({ passages, current, choose, children }: MarkProps) {
  const first = passages.find(({ id }) => id === current) ?? passages[0];
  if (!first) {
    return children;
  }
  const style = { '--passage-color': `var(--mantine-color-${first.color}-5)` };
  return (
    <mark
      className="passage"
      style={style as React.CSSProperties}
      data-current={first.id === current || undefined}
      title={passages.map(({ label }) => label).join('\n')}
      onClick={() => choose(first.id)}
    >
      {children}
    </mark>
  );
}
