import { Input } from '@mantine/core';
import { useId, useRef } from 'react';
import type { EditorProps } from '../markedEditor';
import { Toolbar } from './toolbar';
import { useRichText } from './useRichText';
import './rich.css';

/** An editor that shows a Markdown text as it is read, with marked passages. */
export default function RichEditor(props: EditorProps) {
  const { label, readOnly, error } = props;
  const id = useId();
  const element = useRef<HTMLDivElement>(null);
  const editor = useRichText(props, element, `${id}-label`);
  return (
    <Input.Wrapper id={id} label={label} labelElement="div" error={error}>
      <div className="rich-editor">
        {editor && !readOnly && <Toolbar editor={editor} />}
        <div ref={element} className="markdown rich-text" />
      </div>
    </Input.Wrapper>
  );
}
