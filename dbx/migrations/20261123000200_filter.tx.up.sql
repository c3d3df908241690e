ALTER TABLE workspace ADD COLUMN hidden_count integer NOT NULL DEFAULT 0;
--bun:split
ALTER TABLE document ADD COLUMN hidden boolean NOT NULL DEFAULT false;
--bun:split
CREATE INDEX document_shown ON document (workspace_id, created_at, id) WHERE NOT hidden;
--bun:split
CREATE TABLE comms_filter (
  auto_tag_id text PRIMARY KEY REFERENCES auto_tag (id) ON DELETE CASCADE,
  workspace_id text NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
  enabled boolean NOT NULL,
  only_values {{.JSON}} NOT NULL,
  created_at {{.Time}} NOT NULL
);
--bun:split
CREATE INDEX comms_filter_workspace ON comms_filter (workspace_id, created_at, auto_tag_id);
--bun:split
CREATE TABLE document_hidden (
  document_id text NOT NULL REFERENCES document (id) ON DELETE CASCADE,
  auto_tag_id text NOT NULL REFERENCES comms_filter (auto_tag_id) ON DELETE CASCADE,
  workspace_id text NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
  PRIMARY KEY (document_id, auto_tag_id)
);
--bun:split
CREATE INDEX document_hidden_tag ON document_hidden (workspace_id, auto_tag_id);
--bun:split
CREATE TABLE auto_tag_check (
  auto_tag_id text NOT NULL REFERENCES auto_tag (id) ON DELETE CASCADE,
  document_id text NOT NULL REFERENCES document (id) ON DELETE CASCADE,
  workspace_id text NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
  revision integer NOT NULL,
  state text NOT NULL,
  job_id text,
  verdict {{.JSON}},
  PRIMARY KEY (auto_tag_id, document_id)
);
--bun:split
CREATE INDEX auto_tag_check_job ON auto_tag_check (job_id, document_id) WHERE job_id IS NOT NULL;
--bun:split
CREATE INDEX auto_tag_check_document ON auto_tag_check (document_id);
--bun:split
CREATE TABLE tag_backfill (
  job_id text PRIMARY KEY REFERENCES job (id) ON DELETE CASCADE,
  workspace_id text NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
  looked integer NOT NULL,
  spent integer NOT NULL,
  hidden {{.JSON}} NOT NULL
);
