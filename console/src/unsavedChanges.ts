/** Asks whether to leave unsaved changes; it calls leave if the answer is yes. */
type Question = (leave: () => void) => void;

const questions = new Set<Question>(); // one for each editor with unsaved changes
let shownAddress = window.location.href;

/** Calls ask before the page is left, until the returned function is called. */
export function registerUnsaved(ask: Question): () => void {
  questions.add(ask);
  return () => void questions.delete(ask);
}

/** Reports whether an editor has unsaved changes. */
export function hasUnsaved(): boolean {
  return questions.size > 0;
}

let isLeavingForSignIn = false;

/**
 * Marks that the page is left for the identity provider. Editors that store their text do not ask
 * then.
 */
export function leaveForSignIn(): void {
  isLeavingForSignIn = true;
}

/**
 * Reports whether the browser asks before it leaves an editor. `isRestorable` changes are back
 * after a sign-in, so it does not ask then.
 */
export function asksBeforeUnload(isRestorable: boolean): boolean {
  return !(isRestorable && isLeavingForSignIn);
}

/** Forgets the unsaved changes, so that the page is left without a question. */
export function discardUnsaved(): void {
  questions.clear();
}

/** Calls leave at once if nothing is unsaved, else after the question is answered with yes. */
export function confirmLeave(leave: () => void): void {
  const [ask] = questions;
  if (!ask) {
    leave();
    return;
  }
  ask(() => {
    discardUnsaved();
    leave();
  });
}

/**
 * Navigates to another screen, after a question if something is unsaved: the router's `aroundNav`.
 */
export function guardNavigation<Options>(
  navigate: (to: string, options?: Options) => void,
  to: string,
  options?: Options,
): void {
  if (new URL(to, window.location.href).pathname === window.location.pathname) {
    navigate(to, options);
  } else {
    confirmLeave(() => navigate(to, options));
  }
}

/**
 * Asks before Back and Forward leave unsaved changes. The browser has changed the address already,
 * so the editor's address is pushed again; after a yes, Back goes on. The router is not notified.
 */
function guardHistory(event: PopStateEvent): void {
  if (!hasUnsaved() || new URL(shownAddress).pathname === window.location.pathname) {
    rememberAddress();
    return;
  }
  event.stopImmediatePropagation();
  window.history.pushState(null, '', shownAddress);
  confirmLeave(() => window.history.back());
}

function rememberAddress(): void {
  shownAddress = window.location.href;
}

// Registered before the router's listener.
window.addEventListener('popstate', guardHistory, { capture: true });
window.addEventListener('pushState', rememberAddress); // an event of wouter
window.addEventListener('replaceState', rememberAddress);
