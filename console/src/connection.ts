import { useSyncExternalStore } from 'react';

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
