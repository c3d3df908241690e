-- The words of documents as the program analyzes them, the same for both databases. document_word
-- is the list of a workspace's words. Documents are indexed in the background.
{{- define "bytewise"}}{{if .Functions}} COLLATE "C"{{end}}{{end}}
CREATE TABLE document_index (
  document_id text PRIMARY KEY REFERENCES document (id) ON DELETE CASCADE,
  workspace_id text NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
  version text NOT NULL{{if .Functions}},
  terms tsvector NOT NULL,
  sequence text{{end}}
);
--bun:split
CREATE INDEX document_index_workspace ON document_index (workspace_id);
--bun:split
CREATE TABLE document_word (
  workspace_id text NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
  form text{{template "bytewise" .}} NOT NULL,
  language text NOT NULL,
  stem text{{template "bytewise" .}} NOT NULL,
  reversed text{{template "bytewise" .}} NOT NULL,
  PRIMARY KEY (workspace_id, form, language, stem)
);
--bun:split
CREATE INDEX document_word_stem ON document_word (workspace_id, stem, language, form);
--bun:split
CREATE INDEX document_word_reversed ON document_word (workspace_id, reversed, form);
{{- if .Functions}}
--bun:split
CREATE INDEX document_index_terms ON document_index USING gin (terms);
--bun:split
DROP INDEX document_search;
--bun:split
-- The release before reads the column until it is stopped.
ALTER TABLE document ALTER COLUMN search DROP EXPRESSION;
{{- else}}
--bun:split
CREATE VIRTUAL TABLE document_index_text USING fts5(title, content, content='', contentless_delete=1, tokenize="ascii tokenchars '+#'");
--bun:split
CREATE TRIGGER document_index_delete AFTER DELETE ON document BEGIN DELETE FROM document_index_text WHERE rowid = old.seq; END;
--bun:split
DROP TRIGGER document_search_insert;
--bun:split
DROP TRIGGER document_search_delete;
--bun:split
DROP TRIGGER document_search_update;
--bun:split
DROP TABLE document_search;
{{- end}}
