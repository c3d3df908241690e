import { useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();
let connected = false;

/** Notes whether the socket is open. */
export function setConnected(value: boolean): void {
  connected = value;
  listeners.forEach((notify) => notify());
}

export function useConnected(): boolean {
  return useSyncExternalStore(
    (notify) => {
      listeners.add(notify);
      return () => listeners.delete(notify);
    },
    () => connected,
  );
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
