import { type Access, asksForSignIn } from '../access';
import { credentialHeaders, currentSession } from '../session';
import { saveFile } from './saveFile';

/**
 * Downloads a file of the gateway with the session's rights, and reports whether it came or the
 * sign-in opens. Its address may name another host.
 */
export async function downloadFile(name: string, url: string, access: Access): Promise<boolean> {
  try {
    const path = new URL(url, window.location.href).pathname;
    const response = await fetch(path, { headers: credentialHeaders(currentSession()) });
    if (response.ok) {
      saveFile(name, await response.blob());
      return true;
    }
    const { code } = (await response.json()) as { code?: string };
    const isSignedOut = asksForSignIn(code ?? null);
    if (isSignedOut) {
      access.refuse(code ?? '');
    }
    return isSignedOut;
  } catch {
    return false;
  }
}
