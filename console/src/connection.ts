import { useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();
const openSockets = new Set<unknown>(); // that of a former session may close after the one of the next has opened

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

const newDocumentListeners = new Set<(id: string) => void>();

/** Passes on the event that a document was created. The same event may be reported more than once. */
export function reportNewDocument(id: string): void {
  newDocumentListeners.forEach((notify) => notify(id));
}

/** Calls notify with the id of each document that is created, until the returned function is called. */
export function onNewDocument(notify: (id: string) => void): () => void {
  newDocumentListeners.add(notify);
  return () => void newDocumentListeners.delete(notify);
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
