import { diff3Merge } from 'node-diff3';
import { type DraftFields, isSamePoints } from './draftFields';

/** Whose words are taken. */
export type Side = 'mine' | 'theirs';

/** Something that two people changed in different ways. */
export interface MergeChoice {
  readonly field: 'title' | 'content' | 'points';
  readonly mine: string;
  readonly theirs: string;
}

/** Two changes of the same fields: what is decided already, and what a person must choose. */
export interface FieldMerge {
  readonly choices: readonly MergeChoice[];
  /** Returns the fields with the side that is taken for each choice, by its index. */
  readonly build: (taken: (choice: number) => Side) => DraftFields;
}

/** A part of a merged text. */
type MergePart = string | Pick<MergeChoice, Side>;

/** Returns the paragraphs of a text, and between them the line breaks. */
const paragraphs = (text: string) => text.split(/(\n+)/);

/** Merges two texts by paragraphs. A part that both changed differently has both sides. */
export function mergeTexts(mine: string, base: string, theirs: string): MergePart[] {
  const merged = diff3Merge(paragraphs(mine), paragraphs(base), paragraphs(theirs));
  return merged.map(({ ok, conflict }) =>
    conflict ? { mine: conflict.a.join(''), theirs: conflict.b.join('') } : (ok ?? []).join(''),
  );
}

/** Returns the value that one side changed, or null if both did. */
function changedValue<Value>(
  mine: Value,
  base: Value,
  theirs: Value,
  isSame: (a: Value, b: Value) => boolean,
): { readonly value: Value } | null {
  if (isSame(theirs, base) || isSame(mine, theirs)) {
    return { value: mine };
  }
  return isSame(mine, base) ? { value: theirs } : null;
}

const pointLines = ({ points }: DraftFields) => points.map(({ text }) => text).join('\n');

/** Merges the changes of two people: `mine` and `theirs` both began with `base`. */
export function mergeFields(mine: DraftFields, base: DraftFields, theirs: DraftFields): FieldMerge {
  const title = changedValue(mine.title, base.title, theirs.title, (a, b) => a === b);
  const parts = mergeTexts(mine.content, base.content, theirs.content);
  const points = changedValue(mine.points, base.points, theirs.points, isSamePoints);
  const choices: MergeChoice[] = [
    ...(title ? [] : [{ field: 'title' as const, mine: mine.title, theirs: theirs.title }]),
    ...parts.flatMap((part) =>
      typeof part === 'string' ? [] : [{ field: 'content' as const, ...part }],
    ),
    ...(points
      ? []
      : [{ field: 'points' as const, mine: pointLines(mine), theirs: pointLines(theirs) }]),
  ];
  const build = (taken: (choice: number) => Side): DraftFields => {
    let next = title ? 0 : 1;
    const content = parts
      .map((part) => (typeof part === 'string' ? part : part[taken(next++)]))
      .join('');
    const sides = { mine, theirs };
    return {
      title: title ? title.value : sides[taken(0)].title,
      content,
      points: points ? points.value : sides[taken(choices.length - 1)].points,
    };
  };
  return { choices, build };
}
