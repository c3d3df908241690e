-- The vectors of the passages of documents. A set is the state of one document; its passages are deleted with it.
CREATE TABLE passage_set (
  document_id text PRIMARY KEY REFERENCES document (id) ON DELETE CASCADE,
  workspace_id text NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
  version text NOT NULL,
  model text NOT NULL,
  stored integer NOT NULL,
  is_complete boolean NOT NULL,
  failures integer NOT NULL,
  due_at {{.Time}} NOT NULL
);
--bun:split
CREATE INDEX passage_set_workspace ON passage_set (workspace_id);
--bun:split
CREATE INDEX passage_set_due ON passage_set (due_at) WHERE NOT is_complete;
--bun:split
CREATE TABLE passage (
  document_id text NOT NULL REFERENCES passage_set (document_id) ON DELETE CASCADE,
  position integer NOT NULL,
  workspace_id text NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
  span_start integer NOT NULL,
  span_end integer NOT NULL,
  scale {{.Float}} NOT NULL,
  vector {{.Bytes}} NOT NULL,
  PRIMARY KEY (document_id, position)
);
--bun:split
CREATE INDEX passage_workspace ON passage (workspace_id);
