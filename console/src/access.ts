import { createContext, useContext } from 'react';

/** Opens the sign-in after a response that refuses the credentials, by its code. */
export interface Access {
  readonly refuse: (code: string) => void;
}

export const AccessContext = createContext<Access>({ refuse: () => undefined });

export function useAccess(): Access {
  return useContext(AccessContext);
}

const refusals = new Set([
  'unauthenticated',
  'invalid_key',
  'key_expired',
  'key_revoked',
  'workspace_mismatch',
]);

/** Reports whether an error's code asks for a new sign-in. */
export function asksForSignIn(code: string | null): code is string {
  return code !== null && refusals.has(code);
}
