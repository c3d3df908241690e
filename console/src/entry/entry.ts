import { openSession, postPublic } from '../session';

const invitePath = '/api/public/auth/invite';
const setupPath = '/api/public/setup';

/** The code of a refusal that asks for the code of a second factor. */
export const codeMissing = 'second_factor_required';

/** An invite as the person who has its link sees it. */
export interface OpenInvite {
  readonly workspace: string;
  readonly workspace_id: string;
  readonly email: string;
  readonly name: string;
  readonly role: string;
  readonly has_account: boolean;
}

/** Returns the secret of the address, which browsers do not send to the server. */
export const secretOfAddress = (): string => window.location.hash.slice(1);

/** Reads the invite of a link. It throws a Problem. */
export function readInvite(secret: string): Promise<OpenInvite> {
  return postPublic(invitePath, { secret }) as Promise<OpenInvite>;
}

/** Accepts an invite and opens a session in its workspace. It throws a Problem. */
export async function acceptInvite(
  invite: OpenInvite,
  body: { secret: string; name?: string; password?: string; code?: string },
): Promise<void> {
  await postPublic(`${invitePath}/accept`, body);
  openSession(invite.workspace_id);
}

/** Sets a password by a link and opens a session. It throws a Problem. */
export async function setPasswordByLink(
  secret: string,
  values: Readonly<Record<string, string>>,
): Promise<void> {
  await postPublic('/api/public/auth/password', { secret, ...values });
  openSession(null);
}

/** Asks for a mail with a link for a new password. It throws a Problem. */
export async function forgetPassword(email: string): Promise<void> {
  await postPublic('/api/public/auth/password/forgotten', { email });
}

/** Creates the first workspace and opens a session of its owner. It throws a Problem. */
export async function setUp(body: Readonly<Record<string, string>>): Promise<void> {
  await postPublic(setupPath, body);
  openSession(null);
}

/** Reports whether the first workspace is missing; false if the gateway does not answer. */
export async function needsSetup(): Promise<boolean> {
  const response = await fetch(setupPath).catch(() => null);
  const body = response?.ok ? ((await response.json()) as { needed: boolean }) : null;
  return body?.needed ?? false;
}
