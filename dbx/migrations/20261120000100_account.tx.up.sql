CREATE TABLE workspace (
  id text PRIMARY KEY,
  name text NOT NULL,
  plan text NOT NULL,
  is_demo boolean NOT NULL,
  market_language text NOT NULL,
  default_model text NOT NULL,
  run_limit integer NOT NULL,
  runs_used integer NOT NULL,
  runs_reset_at {{.Time}},
  document_count integer NOT NULL,
  created_at {{.Time}} NOT NULL
);
--bun:split
CREATE TABLE api_key (
  id text PRIMARY KEY,
  workspace_id text NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
  name text NOT NULL,
  prefix text NOT NULL,
  hash {{.Bytes}} NOT NULL UNIQUE,
  scopes {{.JSON}} NOT NULL,
  created_by text NOT NULL,
  created_at {{.Time}} NOT NULL,
  expires_at {{.Time}},
  last_used_at {{.Time}},
  revoked_at {{.Time}},
  rotated_to text
);
--bun:split
CREATE INDEX api_key_workspace ON api_key (workspace_id, created_at, id);
