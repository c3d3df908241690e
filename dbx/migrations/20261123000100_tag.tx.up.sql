CREATE TABLE auto_tag (
  id text PRIMARY KEY,
  workspace_id text NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
  name text NOT NULL,
  name_key text NOT NULL,
  manual boolean NOT NULL,
  tag_type text NOT NULL,
  description text NOT NULL,
  allowed_values {{.JSON}} NOT NULL,
  min_confidence {{.Float}} NOT NULL,
  enabled boolean NOT NULL,
  revision integer NOT NULL,
  created_at {{.Time}} NOT NULL,
  updated_at {{.Time}} NOT NULL
);
--bun:split
CREATE UNIQUE INDEX auto_tag_name ON auto_tag (workspace_id, manual, name_key);
--bun:split
CREATE TABLE auto_tag_example (
  id text PRIMARY KEY,
  workspace_id text NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
  auto_tag_id text NOT NULL REFERENCES auto_tag (id) ON DELETE CASCADE,
  document_id text REFERENCES document (id) ON DELETE CASCADE,
  value text NOT NULL,
  snippet text NOT NULL,
  source text NOT NULL,
  added_by text,
  added_at {{.Time}} NOT NULL
);
--bun:split
CREATE UNIQUE INDEX auto_tag_example_document ON auto_tag_example (auto_tag_id, document_id);
--bun:split
CREATE INDEX auto_tag_example_of_document ON auto_tag_example (document_id);
--bun:split
ALTER TABLE document_auto_tag ADD COLUMN value_key text NOT NULL DEFAULT '';
--bun:split
ALTER TABLE document_auto_tag ADD COLUMN source text NOT NULL DEFAULT 'model';
--bun:split
ALTER TABLE document_auto_tag ADD COLUMN model text;
--bun:split
ALTER TABLE document_auto_tag ADD COLUMN quote text;
--bun:split
ALTER TABLE document_auto_tag ADD COLUMN span_start integer;
--bun:split
ALTER TABLE document_auto_tag ADD COLUMN span_end integer;
--bun:split
ALTER TABLE document_auto_tag ADD COLUMN example_id text;
--bun:split
ALTER TABLE document_auto_tag ADD COLUMN similarity {{.Float}};
--bun:split
CREATE UNIQUE INDEX document_auto_tag_once ON document_auto_tag (document_id, auto_tag_id);
--bun:split
CREATE INDEX document_auto_tag_value ON document_auto_tag (workspace_id, auto_tag_id, value_key);
--bun:split
CREATE TABLE auto_tag_review (
  id text PRIMARY KEY,
  workspace_id text NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
  document_id text NOT NULL REFERENCES document (id) ON DELETE CASCADE,
  auto_tag_id text NOT NULL REFERENCES auto_tag (id) ON DELETE CASCADE,
  state text NOT NULL,
  extracted_value text NOT NULL,
  confidence_score {{.Float}},
  model text,
  quote text,
  span_start integer,
  span_end integer,
  example_id text,
  similarity {{.Float}},
  created_at {{.Time}} NOT NULL
);
--bun:split
CREATE UNIQUE INDEX auto_tag_review_once ON auto_tag_review (document_id, auto_tag_id);
--bun:split
CREATE INDEX auto_tag_review_pending ON auto_tag_review (workspace_id, created_at, id) WHERE state = 'pending';
