import { useEffect, useRef, useState } from 'react';
import { useFrame } from '../live';

/** Unsaved changes that an editor keeps while the page is left. */
interface KeptChanges<State> {
  /** The item of the tab's storage; null for a key, which has no user to whom the changes could be shown again. */
  readonly item: string | null;
  /** The changes of the page before this one, if there are some. */
  readonly kept: State | undefined;
}

/**
 * Returns the unsaved changes that the page before this one kept for its user, as when the user left it to sign in by the identity provider. Those of
 * another user or of another workspace are not returned.
 */
export function useKeptChanges<State>(editor: string): KeptChanges<State> {
  const viewer = useFrame()?.viewer;
  const [changes] = useState(() => {
    const item = viewer?.user && viewer.workspace ? `rostrum.unsaved ${viewer.workspace.id} ${viewer.user.id} ${editor}` : null;
    const text = item && sessionStorage.getItem(item);
    return { item, kept: text ? (JSON.parse(text) as State) : undefined };
  });
  return changes;
}

/** Keeps the state in the item of the tab's storage when the page is left; null is kept no more. An editor that is closed keeps nothing. */
export function useKeeping(item: string | null, state: unknown): void {
  const latest = useRef(state);
  useEffect(() => {
    latest.current = state;
  });
  useEffect(() => {
    if (item === null) {
      return undefined;
    }
    sessionStorage.removeItem(item); // this page has it now
    const store = () => {
      if (latest.current !== null) {
        sessionStorage.setItem(item, JSON.stringify(latest.current));
      }
    };
    window.addEventListener('pagehide', store);
    return () => window.removeEventListener('pagehide', store);
  }, [item]);
}
