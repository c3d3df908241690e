-- Identity tokens that have opened a session: each opens one only.
CREATE TABLE used_identity_token (
  hash text PRIMARY KEY,
  expires_at {{.Time}} NOT NULL
);
