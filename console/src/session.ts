import { useSyncExternalStore } from 'react';

/**
 * How the console authenticates: with a pasted key, else with a user's cookie in the chosen
 * workspace.
 */
export interface Session {
  /** The key is in memory only: a reload forgets it. */
  readonly key: string | null;
  readonly workspaceId: string | null;
  /** Counts sign-ins and sign-outs; each has a client with an empty cache. */
  readonly generation: number;
}

const workspaceItem = 'rostrum.workspace';
const sessionPath = '/api/public/auth/session';

const listeners = new Set<() => void>();

/** A key from the address that waits for an answer, because a session may be open already. */
let offeredKey: string | null = null;

const scopesPrefix = 'rostrum.scopes ';

let session: Session = {
  key: openWithKey(),
  workspaceId: sessionStorage.getItem(workspaceItem),
  generation: 0,
};

/** Returns the key of the address, which is only offered if a user has signed in here before. */
function openWithKey(): string | null {
  const key = takeKeyFromAddress();
  if (key && Object.keys(localStorage).some((name) => name.startsWith(scopesPrefix))) {
    offeredKey = key;
    return null;
  }
  return key;
}

// A key that is pasted into the address of an open console.
window.addEventListener('hashchange', () => {
  const key = takeKeyFromAddress();
  if (key && key !== session.key) {
    offeredKey = key;
    listeners.forEach((notify) => notify());
  }
});

/** Returns the key of `#key=…` and removes it from the address and the history. */
function takeKeyFromAddress(): string | null {
  const key = new URLSearchParams(window.location.hash.slice(1)).get('key');
  if (key) {
    window.history.replaceState(null, '', window.location.pathname + window.location.search);
  }
  return key;
}

function setSession(change: Pick<Session, 'key' | 'workspaceId'>): void {
  session = { ...change, generation: session.generation + 1 };
  keyScopes = undefined;
  if (change.workspaceId) {
    sessionStorage.setItem(workspaceItem, change.workspaceId);
  } else {
    sessionStorage.removeItem(workspaceItem);
  }
  listeners.forEach((notify) => notify());
}

function subscribe(notify: () => void): () => void {
  listeners.add(notify);
  return () => listeners.delete(notify);
}

/** Returns the key of the address that waits for an answer, or null. */
export function useOfferedKey(): string | null {
  return useSyncExternalStore(subscribe, () => offeredKey);
}

/** Forgets the key of the address. */
export function declineOfferedKey(): void {
  offeredKey = null;
  listeners.forEach((notify) => notify());
}

export function currentSession(): Session {
  return session;
}

export function useSession(): Session {
  return useSyncExternalStore(subscribe, currentSession);
}

/** The scopes of the key, in memory only. */
let keyScopes: readonly string[] | undefined;

/** The storage item with the scopes of a signed-in user in the chosen workspace. */
const scopesItem = () => `${scopesPrefix}${session.workspaceId ?? ''}`;

/**
 * Stores the scopes of a response: a user's for the first screen of later pages, a key's in memory
 * only.
 */
export function rememberScopes(scopes: readonly string[]): void {
  if (session.key) {
    keyScopes = scopes;
  } else {
    localStorage.setItem(scopesItem(), scopes.join());
  }
}

/** Returns the stored scopes, or undefined if there are none. */
export function rememberedScopes(): readonly string[] | undefined {
  return session.key ? keyScopes : localStorage.getItem(scopesItem())?.split(',');
}

/** Headers that authenticate a request; the cookie is added by the browser. */
export function credentialHeaders(of: Session): Record<string, string> {
  if (of.key) {
    return { 'X-API-Key': of.key };
  }
  return of.workspaceId ? { 'X-Workspace-Id': of.workspaceId } : {};
}

export function signInWithKey(key: string): void {
  offeredKey = null;
  setSession({ key, workspaceId: null });
}

export function switchWorkspace(workspaceId: string): void {
  setSession({ key: null, workspaceId });
}

/** A field of a rejected input with the reason. */
export interface FieldProblem {
  readonly pointer: string;
  readonly msg: string;
  /** The kind of the reason, such as "missing". */
  readonly type: string;
}

/**
 * An error of the REST API (application/problem+json). Its code is empty if a proxy responded
 * instead.
 */
export class Problem extends Error {
  constructor(
    message: string,
    readonly code: string,
    readonly fields: readonly FieldProblem[],
  ) {
    super(message);
  }
}

/**
 * Sends a body to a route that needs no session, and returns the response's. It throws a Problem.
 */
export async function postPublic(
  path: string,
  sent: Readonly<Record<string, string>>,
): Promise<unknown> {
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(sent),
  });
  const body = (await response.json().catch(() => ({}))) as {
    detail?: string;
    code?: string;
    errors?: FieldProblem[];
  };
  if (!response.ok) {
    throw new Problem(body.detail ?? '', body.code ?? '', body.errors ?? []);
  }
  return body;
}

/** Goes on with the session of a cookie that a response has set. */
export function openSession(workspaceId: string | null): void {
  setSession({ key: null, workspaceId });
}

/** Opens a session; the response sets the cookie. It throws a Problem. */
export async function signInWithPassword(
  email: string,
  password: string,
  code: string,
): Promise<void> {
  await postPublic(sessionPath, { email, password, code });
  openSession(null);
}

/** Closes the session. It throws if the gateway did not: the cookie works on then. */
export async function signOut(): Promise<void> {
  if (!session.key) {
    const { ok, status } = await fetch(sessionPath, { method: 'DELETE' });
    if (!ok && status !== 401) {
      throw new Error(`the session was not closed: status ${status}`);
    }
  }
  setSession({ key: null, workspaceId: null });
}

const returnItem = 'rostrum.return';

/** Stores the address of the page in the tab, for the return from the identity provider. */
export function rememberPage(): void {
  sessionStorage.setItem(returnItem, window.location.pathname + window.location.search);
}

/**
 * Returns to the page that was left for the identity provider, if the tab is at Home, where the
 * provider leads to.
 */
export function returnToPage(home: string): void {
  const address = sessionStorage.getItem(returnItem);
  sessionStorage.removeItem(returnItem);
  if (address && window.location.pathname === home) {
    window.history.replaceState(null, '', address);
  }
}

/**
 * The address of the sign-in by the identity provider, from the page; undefined if there is none.
 */
export const oidcAddress = document.querySelector<HTMLMetaElement>('meta[name=oidc]')?.content;

/** Whether the gateway sends mails, from the page. */
export const sendsMail = document.querySelector('meta[name=mail]') !== null;
