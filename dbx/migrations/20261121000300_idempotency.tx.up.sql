CREATE TABLE idempotency (
  workspace_id text NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
  key_hash {{.Bytes}} NOT NULL,
  fingerprint {{.Bytes}} NOT NULL,
  attempt text NOT NULL,
  lease_until {{.Time}} NOT NULL,
  answer {{.Bytes}},
  created_at {{.Time}} NOT NULL,
  PRIMARY KEY (workspace_id, key_hash)
);
--bun:split
CREATE INDEX idempotency_created ON idempotency (created_at);
