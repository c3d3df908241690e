ALTER TABLE membership ADD COLUMN last_seen_at {{.Time}};
--bun:split
-- Whether the user has made the account by an invite, so that nobody has verified the email.
ALTER TABLE app_user ADD COLUMN is_invited boolean NOT NULL DEFAULT false;
--bun:split
CREATE TABLE invite (
  id text PRIMARY KEY,
  workspace_id text NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
  email text NOT NULL,
  name text NOT NULL,
  role text NOT NULL,
  hash {{.Bytes}} NOT NULL UNIQUE,
  created_by text NOT NULL,
  created_at {{.Time}} NOT NULL,
  expires_at {{.Time}} NOT NULL,
  UNIQUE (workspace_id, email)
);
--bun:split
CREATE INDEX invite_created ON invite (workspace_id, created_at, id);
--bun:split
-- The sessions of signed-in users; a session without a row has ended.
CREATE TABLE sign_in (
  id text PRIMARY KEY,
  user_id text NOT NULL REFERENCES app_user (id) ON DELETE CASCADE,
  agent text NOT NULL,
  created_at {{.Time}} NOT NULL,
  last_seen_at {{.Time}} NOT NULL,
  expires_at {{.Time}} NOT NULL
);
--bun:split
CREATE INDEX sign_in_user ON sign_in (user_id, last_seen_at, id);
--bun:split
CREATE INDEX sign_in_expires ON sign_in (expires_at);
--bun:split
CREATE TABLE password_reset (
  user_id text PRIMARY KEY REFERENCES app_user (id) ON DELETE CASCADE,
  workspace_id text NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
  hash {{.Bytes}} NOT NULL UNIQUE,
  expires_at {{.Time}} NOT NULL
);
