import type { FrameFragment } from '../../graph/graphql';

/** Returns the storage item of an editor, for one user in one workspace. A key has none. */
export function draftItem(
  viewer: FrameFragment['viewer'] | undefined,
  editor: string,
): string | null {
  return viewer?.user && viewer.workspace
    ? `rostrum.unsaved ${viewer.workspace.id} ${viewer.user.id} ${editor}`
    : null;
}

/** Returns the changes in an item, or undefined if it has none. */
export function readDraft<State>(item: string | null): State | undefined {
  const text = item && sessionStorage.getItem(item);
  return text ? (JSON.parse(text) as State) : undefined;
}

/** Stores changes in an item; null changes are not stored. */
export function writeDraft(item: string, state: unknown): void {
  if (state !== null) {
    sessionStorage.setItem(item, JSON.stringify(state));
  }
}
