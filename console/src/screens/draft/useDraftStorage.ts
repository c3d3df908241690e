import { useEffect, useRef, useState } from 'react';
import { useFrame } from '../../liveUpdates';
import { draftItem, readDraft, writeDraft } from './draftStorage';

/** Unsaved changes of an editor in the tab's storage. */
interface StoredChanges<State> {
  /** Their item; null for a key, which has no user to restore them for. */
  readonly item: string | null;
  /** The changes that the page before this one stored, if there are some. */
  readonly restored: State | undefined;
}

/**
 * Returns the unsaved changes that the page before this one stored, for example when its user left
 * to sign in by the identity provider. Another user or workspace gets none.
 */
export function useDraftStorage<State>(editor: string): StoredChanges<State> {
  const viewer = useFrame()?.viewer;
  const [changes] = useState(() => {
    const item = draftItem(viewer, editor);
    return { item, restored: readDraft<State>(item) };
  });
  return changes;
}

/** Stores the state when the page is left. An editor that was closed before stores nothing. */
export function useDraftSaving(item: string | null, state: unknown): void {
  const current = useRef(state);
  useEffect(() => {
    current.current = state;
  });
  useEffect(() => {
    if (item === null) {
      return undefined;
    }
    sessionStorage.removeItem(item); // this page has it now
    const store = () => writeDraft(item, current.current);
    window.addEventListener('pagehide', store);
    return () => window.removeEventListener('pagehide', store);
  }, [item]);
}
