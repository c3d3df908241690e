import { ActionIcon, Group, TextInput } from '@mantine/core';
import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconBlockquote,
  IconBold,
  IconCode,
  IconColumnInsertRight,
  IconColumnRemove,
  IconH1,
  IconH2,
  IconH3,
  IconItalic,
  IconLink,
  IconList,
  IconListNumbers,
  IconRowInsertBottom,
  IconRowRemove,
  IconSourceCode,
  IconStrikethrough,
  IconTable,
  IconTableMinus,
} from '@tabler/icons-react';
import type { ChainedCommands, Editor } from '@tiptap/core';
import {
  type FormEvent,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useReducer,
  useState,
} from 'react';
import { type MessageKey, useTranslator } from '../../../i18n';
import { FormButtons } from '../formButtons';
import { linkAddress } from './linkAddress';

/** The end of a message's key. */
type EditorWord = MessageKey extends infer K
  ? K extends `editor.${infer Word}`
    ? Word
    : never
  : never;

/** A button of the toolbar. */
interface Tool {
  readonly word: EditorWord;
  readonly icon: ReactNode;
  readonly run: (chain: ChainedCommands) => ChainedCommands;
  /** The node or mark that the button turns on and off. */
  readonly of?: readonly [name: string, attributes?: object];
  /** The keys that do the same, as in "Mod-b". */
  readonly keys?: string;
}

const icon = (Shown: typeof IconBold) => <Shown size={18} aria-hidden />;

const headings = ([1, 2, 3] as const).map((level): Tool => ({
  word: `heading${level}`,
  icon: icon([IconH1, IconH2, IconH3][level - 1] as typeof IconH1),
  run: (chain) => chain.toggleHeading({ level }),
  of: ['heading', { level }],
  keys: `Mod-Alt-${level}`,
}));

/** A tool for a mark or a block of the name. */
const toggle = (
  name:
    | 'bold'
    | 'italic'
    | 'strike'
    | 'code'
    | 'bulletList'
    | 'orderedList'
    | 'blockquote'
    | 'codeBlock',
  shown: typeof IconBold,
  keys: string,
  run: Tool['run'],
): Tool => ({ word: name, icon: icon(shown), of: [name], keys, run });

const formats: readonly Tool[] = [
  toggle('bold', IconBold, 'Mod-b', (chain) => chain.toggleBold()),
  toggle('italic', IconItalic, 'Mod-i', (chain) => chain.toggleItalic()),
  toggle('strike', IconStrikethrough, 'Mod-Shift-s', (chain) => chain.toggleStrike()),
  toggle('code', IconCode, 'Mod-e', (chain) => chain.toggleCode()),
  ...headings,
  toggle('bulletList', IconList, 'Mod-Shift-8', (chain) => chain.toggleBulletList()),
  toggle('orderedList', IconListNumbers, 'Mod-Shift-7', (chain) => chain.toggleOrderedList()),
  toggle('blockquote', IconBlockquote, 'Mod-Shift-b', (chain) => chain.toggleBlockquote()),
  toggle('codeBlock', IconSourceCode, 'Mod-Alt-c', (chain) => chain.toggleCodeBlock()),
];

const insertTable: Tool = {
  word: 'table',
  icon: icon(IconTable),
  run: (chain) => chain.insertTable({ rows: 3, cols: 3, withHeaderRow: true }),
};

/** What can be done with the table at the cursor. */
const ofTable: readonly Tool[] = [
  { word: 'addRow', icon: icon(IconRowInsertBottom), run: (chain) => chain.addRowAfter() },
  { word: 'addColumn', icon: icon(IconColumnInsertRight), run: (chain) => chain.addColumnAfter() },
  { word: 'deleteRow', icon: icon(IconRowRemove), run: (chain) => chain.deleteRow() },
  { word: 'deleteColumn', icon: icon(IconColumnRemove), run: (chain) => chain.deleteColumn() },
  { word: 'deleteTable', icon: icon(IconTableMinus), run: (chain) => chain.deleteTable() },
];

const steps: readonly Tool[] = [
  { word: 'undo', icon: icon(IconArrowBackUp), run: (chain) => chain.undo(), keys: 'Mod-z' },
  {
    word: 'redo',
    icon: icon(IconArrowForwardUp),
    run: (chain) => chain.redo(),
    keys: 'Mod-Shift-z',
  },
];

/** Moves the focus with the arrow keys, as toolbars do. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  const buttons = [...event.currentTarget.querySelectorAll('button')];
  const at = buttons.findIndex((button) => button === document.activeElement);
  if (step && at >= 0) {
    event.preventDefault();
    const isMirrored = getComputedStyle(event.currentTarget).direction === 'rtl';
    const next = at + (isMirrored ? -step : step);
    buttons[(next + buttons.length) % buttons.length]?.focus();
  }
}

/** The formats of the editor as buttons; one of them is in the order of the Tab key. */
export function Toolbar({ editor }: { editor: Editor }) {
  const { t } = useTranslator();
  const [current, setCurrent] = useState<EditorWord>('bold');
  const [isLinking, setLinking] = useState(false);
  const [, update] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    const ask = (event: globalThis.KeyboardEvent) => {
      if ((event.metaKey || event.ctrlKey) && event.key === 'k') {
        event.preventDefault();
        setLinking(true);
      }
    };
    const { dom } = editor.view;
    editor.on('transaction', update);
    dom.addEventListener('keydown', ask);
    return () => {
      editor.off('transaction', update);
      dom.removeEventListener('keydown', ask);
    };
  }, [editor]);
  const inTable = editor.isActive('table');
  const shown = [...formats, linkTool, ...(inTable ? ofTable : [insertTable]), ...steps];
  const stop = shown.some(({ word }) => word === current) ? current : 'bold';
  return (
    <>
      <Group
        gap={2}
        role="toolbar"
        aria-label={t('editor.toolbar')}
        className="editor-toolbar"
        onKeyDown={moveFocus}
      >
        {shown.map((tool) => (
          <ActionIcon
            key={tool.word}
            size={34}
            variant={isOn(editor, tool) ? 'light' : 'subtle'}
            color={isOn(editor, tool) ? undefined : 'gray'}
            aria-label={t(`editor.${tool.word}`)}
            aria-pressed={tool.of ? isOn(editor, tool) : undefined}
            aria-keyshortcuts={tool.keys?.replace('Mod', 'Control').replaceAll('-', '+')}
            title={[t(`editor.${tool.word}`), tool.keys?.replace('Mod', 'Ctrl')]
              .filter(Boolean)
              .join(' ')}
            tabIndex={tool.word === stop ? 0 : -1}
            onFocus={() => setCurrent(tool.word)}
            onMouseDown={(event) => event.preventDefault()} // the text keeps its selection
            onClick={() =>
              tool === linkTool ? setLinking(true) : tool.run(editor.chain().focus()).run()
            }
          >
            {tool.icon}
          </ActionIcon>
        ))}
      </Group>
      {isLinking && (
        <LinkForm
          editor={editor}
          close={() => {
            setLinking(false);
            editor.commands.focus();
          }}
        />
      )}
    </>
  );
}

const linkTool: Tool = {
  word: 'link',
  icon: icon(IconLink),
  run: (chain) => chain,
  of: ['link'],
  keys: 'Mod-k',
};

const isOn = (editor: Editor, { of }: Tool) => of !== undefined && editor.isActive(...of);

/** Sets the address of the link at the cursor or of the selected words, or removes it. */
function setLink(editor: Editor, href: string): void {
  const chain = editor.chain().extendMarkRange('link');
  if (!href) {
    chain.unsetLink().run();
  } else if (editor.state.selection.empty && !editor.isActive('link')) {
    chain
      .insertContent({ type: 'text', text: href, marks: [{ type: 'link', attrs: { href } }] })
      .run();
  } else {
    chain.setLink({ href }).run();
  }
}

/** Asks for the address of a link; without one the link is removed. */
function LinkForm({ editor, close }: { editor: Editor; close: () => void }) {
  const { t } = useTranslator();
  const [before] = useState(() => String(editor.getAttributes('link').href ?? ''));
  const [address, setAddress] = useState(before);
  const [isRefused, setRefused] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const href = address === before ? before : address.trim() && linkAddress(address);
    if (href === null) {
      setRefused(true);
      return;
    }
    setLink(editor, href);
    close();
  };
  return (
    <form onSubmit={submit} onKeyDown={(event) => event.key === 'Escape' && close()}>
      <Group gap="xs" align="flex-end" pb="xs">
        <TextInput
          size="xs"
          label={t('editor.address')}
          value={address}
          onChange={(event) => {
            setAddress(event.currentTarget.value);
            setRefused(false);
          }}
          error={isRefused && t('editor.addressHint')}
          autoFocus
          style={{ flex: '1 1 12rem' }}
        />
        <FormButtons action={t('editor.setLink')} fetching={false} close={close} />
      </Group>
    </form>
  );
}
