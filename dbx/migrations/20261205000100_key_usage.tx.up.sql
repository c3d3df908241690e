CREATE TABLE key_usage (
  workspace_id text NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
  key_id text NOT NULL REFERENCES api_key (id) ON DELETE CASCADE,
  field text NOT NULL,
  requests bigint NOT NULL,
  last_used_at {{.Time}} NOT NULL,
  PRIMARY KEY (key_id, field)
);
--bun:split
CREATE INDEX key_usage_latest ON key_usage (workspace_id, last_used_at);
