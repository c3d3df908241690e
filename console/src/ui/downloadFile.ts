import { credentialHeaders, currentSession } from '../session';
import { saveFile } from './saveFile';

/**
 * Downloads a file of the gateway with the session's rights, and reports whether it came. Its
 * address may name another host.
 */
export async function downloadFile(name: string, url: string): Promise<boolean> {
  try {
    const path = new URL(url, window.location.href).pathname;
    const response = await fetch(path, { headers: credentialHeaders(currentSession()) });
    if (response.ok) {
      saveFile(name, await response.blob());
    }
    return response.ok;
  } catch {
    return false;
  }
}
