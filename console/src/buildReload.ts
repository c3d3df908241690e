import { hasTypedInput } from './inputTracker';
import { currentSession } from './session';
import { hasUnsaved } from './unsavedChanges';

const reloadItem = 'rostrum.reloaded';

/** Returns the address of the page's main script, which differs between builds. */
function mainScript(): string {
  return document.querySelector('script[type=module][src]')?.getAttribute('src') ?? '';
}

/**
 * Reports whether the gateway serves another build than the one of this page; false if it does not
 * respond.
 */
export async function isReplaced(): Promise<boolean> {
  const response = await fetch(import.meta.env.BASE_URL, { cache: 'no-store' }).catch(() => null);
  return response?.ok === true && !(await response.text()).includes(mainScript());
}

/** Reloads the page if nothing is lost by it, once for each build, and reports whether it does. */
export function reloadIfSafe(): boolean {
  const script = mainScript();
  if (
    currentSession().key ||
    hasUnsaved() ||
    hasTypedInput() ||
    sessionStorage.getItem(reloadItem) === script
  ) {
    return false;
  }
  sessionStorage.setItem(reloadItem, script);
  window.location.reload();
  return true;
}
