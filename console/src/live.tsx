import { useEffect, useRef, useState } from 'react';
import { useQuery, useSubscription } from 'urql';
import { reloadScreen } from './connection';
import { FrameOfScreenDocument, JobProgressDocument, WorkspaceEventsDocument } from './graph/graphql';
import { rememberScopes } from './session';

/** How long a subscription that ended with an error rests before it starts again, in milliseconds. */
const restartPause = 2_000;

/** Returns the frame's part of the screen's response. */
export function useFrame() {
  const [{ data }] = useQuery({ query: FrameOfScreenDocument, requestPolicy: 'cache-only' });
  return data;
}

/** Reports whether the viewer's scopes allow changes, or undefined before the first response has them. */
export function useMayWrite(): boolean | undefined {
  return useFrame()?.viewer?.scopes.includes('WRITE');
}

/** Stores the viewer's scopes for the first screen of a later page. */
function useStoredScopes(): void {
  const scopes = useFrame()?.viewer?.scopes;
  useEffect(() => {
    if (scopes) {
      rememberScopes(scopes);
    }
  }, [scopes]);
}

/**
 * Keeps the cache up to date over one socket: the events of the workspace from the position of the first response on, and the progress of jobs.
 * When events are missing, the screen is loaded again.
 */
export function LiveUpdates({ cursor }: { cursor: string }) {
  const latest = useRef(cursor);
  const [after, setAfter] = useState(cursor); // later responses have later positions, and the subscription continues by itself
  const [{ data, error }, restart] = useSubscription({ query: WorkspaceEventsDocument, variables: { after } });
  const event = data?.workspaceEvents;
  useEffect(() => {
    if (event) {
      latest.current = event.cursor;
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
      setAfter(latest.current);
      restart();
      reloadScreen();
    }, restartPause);
    return () => clearTimeout(timer);
  }, [error, restart]);
  useSubscription({ query: JobProgressDocument });
  useStoredScopes();
  return null;
}
