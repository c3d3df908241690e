CREATE TABLE app_user (
  id text PRIMARY KEY,
  email text NOT NULL UNIQUE,
  name text NOT NULL,
  password_hash text,
  oidc_issuer text,
  oidc_subject text,
  created_at {{.Time}} NOT NULL,
  UNIQUE (oidc_issuer, oidc_subject)
);
--bun:split
CREATE TABLE membership (
  workspace_id text NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
  user_id text NOT NULL REFERENCES app_user (id) ON DELETE CASCADE,
  role text NOT NULL,
  created_at {{.Time}} NOT NULL,
  PRIMARY KEY (workspace_id, user_id)
);
--bun:split
CREATE INDEX membership_user ON membership (user_id, created_at, workspace_id);
--bun:split
CREATE TABLE audit_entry (
  id text PRIMARY KEY,
  workspace_id text NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
  at {{.Time}} NOT NULL,
  actor_kind text NOT NULL,
  actor_id text,
  action text NOT NULL,
  subject_id text NOT NULL,
  details text NOT NULL
);
--bun:split
CREATE INDEX audit_entry_workspace ON audit_entry (workspace_id, at, id);
