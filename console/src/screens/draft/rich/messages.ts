import type { Translator } from '../../../i18n';

const english = {
  mode: 'Editor',
  rich: 'Formatted',
  source: 'Markdown',
  tooLong: 'This text is too long for the formatted editor, so its Markdown is shown.',
  toolbar: 'Format',
  bold: 'Bold',
  italic: 'Italic',
  strike: 'Struck through',
  code: 'Code',
  heading1: 'Heading 1',
  heading2: 'Heading 2',
  heading3: 'Heading 3',
  bulletList: 'List',
  orderedList: 'Numbered list',
  blockquote: 'Quotation',
  codeBlock: 'Block of code',
  link: 'Link',
  address: 'Address of the link',
  setLink: 'Set the link',
  table: 'Insert a table',
  addRow: 'Add a row',
  addColumn: 'Add a column',
  deleteRow: 'Delete the row',
  deleteColumn: 'Delete the column',
  deleteTable: 'Delete the table',
  undo: 'Take back the last change',
  redo: 'Repeat the change',
};

/** The words of the editor, which are loaded with it. */
export type EditorWord = keyof typeof english;

const messages: Record<string, Record<EditorWord, string>> = {
  en: english,
  de: {
    mode: 'Editor',
    rich: 'Formatiert',
    source: 'Markdown',
    tooLong: 'Dieser Text ist zu lang für den formatierten Editor, daher sehen Sie sein Markdown.',
    toolbar: 'Format',
    bold: 'Fett',
    italic: 'Kursiv',
    strike: 'Durchgestrichen',
    code: 'Code',
    heading1: 'Überschrift 1',
    heading2: 'Überschrift 2',
    heading3: 'Überschrift 3',
    bulletList: 'Liste',
    orderedList: 'Nummerierte Liste',
    blockquote: 'Zitat',
    codeBlock: 'Codeblock',
    link: 'Link',
    address: 'Adresse des Links',
    setLink: 'Link setzen',
    table: 'Tabelle einfügen',
    addRow: 'Zeile hinzufügen',
    addColumn: 'Spalte hinzufügen',
    deleteRow: 'Zeile löschen',
    deleteColumn: 'Spalte löschen',
    deleteTable: 'Tabelle löschen',
    undo: 'Letzte Änderung zurücknehmen',
    redo: 'Änderung wiederholen',
  },
};

/** Returns the words of the editor in the reader's language, else in English. */
export function editorWords({ language }: Translator): (word: EditorWord) => string {
  const words = messages[language] ?? english;
  return (word) => words[word];
}
