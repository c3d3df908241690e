import { useEffect, useRef, useState } from 'react';
import { useQuery, useSubscription } from 'urql';
import { reloadScreen } from './connection';
import {
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

/** Reports whether the viewer's scopes allow changes; undefined before the first response. */
export function useMayWrite(): boolean | undefined {
  return useFrame()?.viewer?.scopes.includes('WRITE');
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
 * Keeps the cache up to date over one socket, with the events of the workspace since the first
 * response and the progress of jobs. If events are missing, the screen loads again.
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
    if (event?.__typename === 'EventsDropped') {
      reloadScreen();
    }
  }, [event]);
  useEffect(() => {
    if (!error) {
      return;
    }
    const timer = setTimeout(() => {
      setAfter(lastCursor.current);
      restart();
      reloadScreen();
    }, restartPause);
    return () => clearTimeout(timer);
  }, [error, restart]);
  useSubscription({ query: JobProgressDocument });
  useScopeStorage();
  return null;
}
