-- The earlier texts of documents whose text a person replaced.
CREATE TABLE document_version (
  id text PRIMARY KEY,
  workspace_id text NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
  document_id text NOT NULL REFERENCES document (id) ON DELETE CASCADE,
  title text NOT NULL,
  content text NOT NULL,
  replaced_at {{.Time}} NOT NULL,
  replaced_by_id text
);
--bun:split
CREATE INDEX document_version_document ON document_version (workspace_id, document_id, replaced_at, id);
--bun:split
CREATE INDEX document_version_of ON document_version (document_id);
