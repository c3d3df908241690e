import { expect, test } from 'vitest';
import { asksForSignIn } from './access';

test.each(['unauthenticated', 'invalid_key', 'key_expired', 'key_revoked', 'workspace_mismatch'])(
  'the code %s opens the sign-in',
  (code) => expect(asksForSignIn(code)).toBe(true),
);

test.each([null, 'insufficient_scope', 'not_found', 'network'])(
  'the code %s does not open the sign-in',
  (code) => expect(asksForSignIn(code)).toBe(false),
);
