CREATE TABLE document (
  seq {{.Serial}},
  id text NOT NULL UNIQUE,
  workspace_id text NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
  title text NOT NULL,
  content text,
  content_type text,
  communication_type text,
  company text,
  executive text,
  author text,
  language text,
  media_provenance text,
  processing_status text,
  processing_error {{.JSON}},
  source_url text,
  url text,
  canonical_url text,
  scrape_job_id text,
  word_count integer,
  character_count integer,
  is_narrative_testing_upload boolean,
  tags {{.JSON}} NOT NULL,
  created_at {{.Time}} NOT NULL,
  updated_at {{.Time}} NOT NULL,
  extracted_at {{.Time}},
  extracted_date {{.Time}}
);
--bun:split
CREATE INDEX document_created ON document (workspace_id, created_at, id);
--bun:split
CREATE INDEX document_canonical ON document (workspace_id, canonical_url) WHERE canonical_url IS NOT NULL;
--bun:split
CREATE INDEX document_processing ON document (workspace_id, processing_status) WHERE processing_status IS NOT NULL;
--bun:split
{{.Search "document" "title" "content"}}
--bun:split
CREATE TABLE document_auto_tag (
  id text PRIMARY KEY,
  workspace_id text NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
  document_id text NOT NULL REFERENCES document (id) ON DELETE CASCADE,
  auto_tag_id text NOT NULL,
  name text NOT NULL,
  tag_type text,
  extracted_value text NOT NULL,
  confidence_score {{.Float}},
  applied_at {{.Time}}
);
--bun:split
CREATE INDEX document_auto_tag_document ON document_auto_tag (workspace_id, document_id, applied_at, id);
