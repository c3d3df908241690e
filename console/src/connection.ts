import { useSyncExternalStore } from 'react';
import type { WorkspaceEventsSubscription } from './graph/graphql';

const listeners = new Set<() => void>();
// The socket of a former session may close after the next one has opened.
const openSockets = new Set<unknown>();

/** Adds an open socket. */
export function addSocket(socket: unknown): void {
  openSockets.add(socket);
  listeners.forEach((notify) => notify());
}

/** Removes a socket that has closed. */
export function removeSocket(socket: unknown): void {
  openSockets.delete(socket);
  listeners.forEach((notify) => notify());
}

export function useConnected(): boolean {
  return useSyncExternalStore(
    (notify) => {
      listeners.add(notify);
      return () => listeners.delete(notify);
    },
    () => openSockets.size > 0,
  );
}

/** An event of the workspace. */
export type WorkspaceEvent = WorkspaceEventsSubscription['workspaceEvents'];

const eventListeners = new Set<(event: WorkspaceEvent) => void>();

/** Passes on an event. The same event may be reported more than once. */
export function reportEvent(event: WorkspaceEvent): void {
  eventListeners.forEach((notify) => notify(event));
}

/** Calls notify with each event, until the returned function is called. */
export function onEvent(notify: (event: WorkspaceEvent) => void): () => void {
  eventListeners.add(notify);
  return () => void eventListeners.delete(notify);
}

const reloads = new Set<() => void>();

/** Loads the response of the shown screen again, as events about it are missing. */
export function reloadScreen(): void {
  reloads.forEach((reload) => reload());
}

/** Calls reload when the screen must be loaded again, until the returned function is called. */
export function onReload(reload: () => void): () => void {
  reloads.add(reload);
  return () => void reloads.delete(reload);
}
