import { type Access, asksForSignIn } from '../access';
import { credentialHeaders, currentSession } from '../session';
import { saveFile } from './saveFile';

/**
 * Downloads a file of the gateway with the session's rights, and reports whether it came or the
 * sign-in opens.
 */
export async function downloadFile(name: string, url: string, access: Access): Promise<boolean> {
  const file = await fetchFile(url, access);
  if (file instanceof Blob) {
    saveFile(name, file);
  }
  return file !== null;
}

/**
 * Returns a file of the gateway, read with the session's rights: "signIn" if the sign-in opens, null
 * if it did not come. Its address may name another host.
 */
export async function fetchFile(url: string, access: Access): Promise<Blob | 'signIn' | null> {
  try {
    const path = new URL(url, window.location.href).pathname;
    const response = await fetch(path, { headers: credentialHeaders(currentSession()) });
    if (response.ok) {
      return await response.blob();
    }
    const { code } = (await response.json()) as { code?: string };
    if (!asksForSignIn(code ?? null)) {
      return null;
    }
    access.refuse(code ?? '');
    return 'signIn';
  } catch {
    return null;
  }
}
