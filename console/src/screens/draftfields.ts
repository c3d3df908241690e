import type { DraftTextFragment } from '../graph/draft/graphql';
import type { Stored } from '../ui/edited';
import { type Point, givenPoints } from './check';

/** The fields of a draft that a person edits. */
export interface DraftFields {
  readonly title: string;
  readonly content: string;
  readonly points: readonly Point[];
}

/** Returns the fields of a stored draft with the version that they belong to. */
export function storedFields({ title, content, metadata, version, updatedAt }: DraftTextFragment): Stored<DraftFields> {
  const points = metadata.pullThroughPriorities.map(({ key, ...point }) => ({ ...point, id: key, row: key }));
  return { value: { title, content: content ?? '', points }, version, updatedAt };
}

/** Returns the points as saveDraft takes them. */
export function pointInputs(points: readonly Point[]) {
  return givenPoints(points).map(({ id, text, level, fromKb }) => ({ text, level, fromKb, ...(id && { id }) }));
}

/** Returns the input of an analysis of the fields. */
export function analysisInput({ content, points }: DraftFields) {
  return { content, pullThroughPriorities: givenPoints(points).map(({ text, level }) => ({ text, level })) };
}

/** Reports whether two points lists are stored as the same. */
export function isSamePoints(a: readonly Point[], b: readonly Point[]): boolean {
  return JSON.stringify(pointInputs(a)) === JSON.stringify(pointInputs(b));
}

/** Reports whether the fields are stored as the same. */
export function isSameFields(a: DraftFields, b: DraftFields): boolean {
  return a.title === b.title && a.content === b.content && isSamePoints(a.points, b.points);
}

/** Returns the fields after they were saved: changes made since they were sent are kept, and new points have the ids of the stored ones. */
export function savedFields(present: DraftFields, sent: DraftFields, stored: DraftFields): DraftFields {
  const given = givenPoints(sent.points);
  return {
    title: present.title === sent.title ? stored.title : present.title,
    content: present.content === sent.content ? stored.content : present.content,
    points: present.points.map((point) => ({ ...point, id: stored.points[given.findIndex(({ row }) => row === point.row)]?.id ?? point.id })),
  };
}
