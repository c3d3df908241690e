import type { DraftTextFragment } from '../../graph/draft/graphql';
import type { StoredValue } from '../../ui/useFormState';

/** A point that the text must, should or may make, while it is edited. */
export interface Point {
  /** The key of the stored point; undefined for a new one. */
  readonly id?: string | undefined;
  readonly row: string;
  readonly text: string;
  readonly level: string;
  readonly fromKb: boolean;
}

/** Returns the points that have a text. */
export function filledPoints(points: readonly Point[]): Point[] {
  return points.map((point) => ({ ...point, text: point.text.trim() })).filter(({ text }) => text);
}

/** The fields of a draft that a person edits. */
export interface DraftFields {
  readonly title: string;
  readonly content: string;
  readonly points: readonly Point[];
}

/** Returns the fields of a stored draft with the version that they belong to. */
export function storedFields({
  title,
  content,
  metadata,
  version,
  updatedAt,
}: DraftTextFragment): StoredValue<DraftFields> {
  const points = metadata.pullThroughPriorities.map(({ key, ...point }) => ({
    ...point,
    id: key,
    row: key,
  }));
  return { value: { title, content: content ?? '', points }, version, updatedAt };
}

/** Returns the points as saveDraft takes them. */
export function pointInputs(points: readonly Point[]) {
  return filledPoints(points).map(({ id, text, level, fromKb }) => ({
    text,
    level,
    fromKb,
    ...(id && { id }),
  }));
}

/** Returns the input that saves the fields of a draft as a new one. */
export function copyInput(
  { contentType, metadata: { themes, audiencePersonaIds } }: DraftTextFragment,
  { title, content, points }: DraftFields,
) {
  return {
    title,
    content,
    contentType,
    themes,
    audiencePersonaIds,
    pullThroughPriorities: filledPoints(points).map(({ text, level, fromKb }) => ({
      text,
      level,
      fromKb,
    })),
  };
}

/** The greatest number of points that the gateway analyzes. */
const mostPoints = 100;

/** Returns the input of an analysis of the fields. */
export function analysisInput({ content, points }: DraftFields) {
  return {
    content,
    pullThroughPriorities: filledPoints(points)
      .slice(0, mostPoints)
      .map(({ text, level }) => ({ text, level })),
  };
}

/** Reports whether two points lists are stored as the same. */
export function isSamePoints(a: readonly Point[], b: readonly Point[]): boolean {
  return JSON.stringify(pointInputs(a)) === JSON.stringify(pointInputs(b));
}

/** Reports whether the fields are stored as the same. */
export function isSameFields(a: DraftFields, b: DraftFields): boolean {
  return a.title === b.title && a.content === b.content && isSamePoints(a.points, b.points);
}

/** Returns the fields after saving. Later changes stay, and new points get their stored ids. */
export function savedFields(
  present: DraftFields,
  sent: DraftFields,
  stored: DraftFields,
): DraftFields {
  const given = filledPoints(sent.points);
  return {
    title: present.title === sent.title ? stored.title : present.title,
    content: present.content === sent.content ? stored.content : present.content,
    points: present.points.map((point) => ({
      ...point,
      id: stored.points[given.findIndex(({ row }) => row === point.row)]?.id ?? point.id,
    })),
  };
}
