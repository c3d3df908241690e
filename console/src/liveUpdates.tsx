import { useEffect, useRef, useState } from 'react';
import { useQuery, useSubscription } from 'urql';
import {
  type Ability,
  FrameOfScreenDocument,
  JobProgressDocument,
  WorkspaceEventsDocument,
} from './graph/graphql';
import { rememberScopes } from './session';

/** How long a subscription rests after an error before it starts again, in milliseconds. */
const restartPause = 2_000;

/** Returns the frame's part of the screen's response. */
export function useFrame() {
  const [{ data }] = useQuery({ query: FrameOfScreenDocument, requestPolicy: 'cache-only' });
  return data;
}

/** Reports whether the viewer has the ability; undefined before the first response. */
export function useMay(ability: Ability): boolean | undefined {
  return useFrame()?.viewer?.can.includes(ability);
}

/** Reports whether the viewer may read and do nothing else; false before the first response. */
export function useMayOnlyRead(): boolean {
  const can = useFrame()?.viewer?.can;
  return can !== undefined && can.every((ability) => ability === 'READ');
}

/** Reports whether a text model is configured; undefined before the first response. */
export function useHasModel(): boolean | undefined {
  const model = useFrame()?.viewer?.workspace?.defaultModel;
  return model === undefined ? undefined : !model.startsWith('builtin-');
}

/** Stores the viewer's scopes for the first screen of a later page. */
function useScopeStorage(): void {
  const scopes = useFrame()?.viewer?.scopes;
  useEffect(() => {
    if (scopes) {
      rememberScopes(scopes);
    }
  }, [scopes]);
}

/**
 * Subscribes over one socket to the events of the workspace since the first response, which
 * followEvents reads, and to the progress of jobs, which the cache stores.
 */
export function LiveUpdates({ cursor }: { cursor: string }) {
  const lastCursor = useRef(cursor);
  // Only the first position counts: the subscription continues by itself.
  const [after, setAfter] = useState(cursor);
  const [{ data, error }, restart] = useSubscription({
    query: WorkspaceEventsDocument,
    variables: { after },
  });
  const event = data?.workspaceEvents;
  useEffect(() => {
    if (event) {
      lastCursor.current = event.cursor;
    }
  }, [event]);
  useEffect(() => {
    if (!error) {
      return;
    }
    const timer = setTimeout(() => {
      setAfter(lastCursor.current);
      restart();
    }, restartPause);
    return () => clearTimeout(timer);
  }, [error, restart]);
  useSubscription({ query: JobProgressDocument });
  useScopeStorage();
  return null;
}
