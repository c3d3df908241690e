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

/** Marks that the page is left for the identity provider, so that editors that keep their text do not ask. */
export function leaveForSignIn(): void {
  isLeavingForSignIn = true;
}

/** Reports whether the browser asks before it leaves an editor with unsaved changes; isKept is true if they are there again after a sign-in. */
export function asksBeforeUnload(isKept: boolean): boolean {
  return !(isKept && isLeavingForSignIn);
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

/** Navigates to another screen, after the question if something is unsaved. It is the router's `aroundNav`. */
export function guardNavigation<Options>(navigate: (to: string, options?: Options) => void, to: string, options?: Options): void {
  if (new URL(to, window.location.href).pathname === window.location.pathname) {
    navigate(to, options);
  } else {
    confirmLeave(() => navigate(to, options));
  }
}

/**
 * Asks before Back and Forward leave unsaved changes. The browser has changed the address already, and the router is not notified: the address of
 * the editor is pushed again, and the entry before it is the one to go to.
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

window.addEventListener('popstate', guardHistory, { capture: true }); // registered earlier than the router's
window.addEventListener('pushState', rememberAddress); // an event of wouter
window.addEventListener('replaceState', rememberAddress);
