-- Versions of front ends with the operations that they may send, and the schemas that these were written for.
CREATE TABLE operation_schema (
  hash text PRIMARY KEY,
  text text NOT NULL
);
--bun:split
CREATE TABLE app_version (
  id text PRIMARY KEY,
  workspace_id text NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
  app text NOT NULL,
  version text NOT NULL,
  digest text NOT NULL,
  schema_hash text NOT NULL REFERENCES operation_schema (hash),
  operation_count integer NOT NULL,
  text_bytes bigint NOT NULL,
  created_by_id text,
  created_at {{.Time}} NOT NULL,
  UNIQUE (workspace_id, app, version)
);
--bun:split
CREATE INDEX app_version_newest ON app_version (workspace_id, created_at, id);
--bun:split
CREATE TABLE registered_operation (
  id text PRIMARY KEY,
  workspace_id text NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
  app_version_id text NOT NULL REFERENCES app_version (id) ON DELETE CASCADE,
  name text NOT NULL,
  kind text NOT NULL,
  manifest_key text NOT NULL,
  hash text NOT NULL,
  text text NOT NULL,
  requests bigint NOT NULL DEFAULT 0,
  last_used_at {{.Time}},
  UNIQUE (app_version_id, manifest_key)
);
--bun:split
CREATE INDEX registered_operation_name ON registered_operation (app_version_id, name, id);
--bun:split
CREATE INDEX registered_operation_workspace ON registered_operation (workspace_id);
