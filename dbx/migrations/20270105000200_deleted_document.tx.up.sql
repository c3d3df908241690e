-- Deleted documents with the rows that belonged to them, until they are restored or erased.
CREATE TABLE deleted_document (
  id text PRIMARY KEY,
  workspace_id text NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
  title text NOT NULL,
  visibility text NOT NULL,
  embargoed_until {{.Time}},
  original {{.JSON}},
  document text NOT NULL,
  kept_rows text NOT NULL,
  deleted_at {{.Time}} NOT NULL,
  deleted_by_id text
);
--bun:split
CREATE INDEX deleted_document_workspace ON deleted_document (workspace_id, deleted_at, id);
--bun:split
CREATE INDEX deleted_document_time ON deleted_document (deleted_at);
