CREATE INDEX document_executive ON document
  (workspace_id, executive, coalesce(extracted_date, created_at), id{{.Include "company" "communication_type"}}) WHERE executive IS NOT NULL;
--bun:split
CREATE INDEX document_company ON document (workspace_id, company, created_at) WHERE company IS NOT NULL;
--bun:split
CREATE INDEX document_updated ON document (workspace_id, updated_at);
--bun:split
CREATE TABLE signal_extraction (
  document_id text PRIMARY KEY REFERENCES document (id) ON DELETE CASCADE,
  workspace_id text NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
  version text NOT NULL,
  model text NOT NULL,
  created_at {{.Time}} NOT NULL
);
--bun:split
CREATE INDEX signal_extraction_created ON signal_extraction (workspace_id, created_at);
--bun:split
CREATE TABLE signal (
  id text PRIMARY KEY,
  workspace_id text NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
  document_id text NOT NULL REFERENCES signal_extraction (document_id) ON DELETE CASCADE,
  executive text,
  company text,
  attributed boolean NOT NULL,
  theme text NOT NULL,
  statement text NOT NULL,
  quote text NOT NULL,
  span_start integer NOT NULL,
  span_end integer NOT NULL,
  stance text NOT NULL,
  created_at {{.Time}} NOT NULL
);
--bun:split
CREATE INDEX signal_document ON signal (document_id, span_start);
--bun:split
CREATE INDEX signal_executive ON signal (workspace_id, executive, created_at, id) WHERE executive IS NOT NULL;
--bun:split
CREATE INDEX signal_theme ON signal (workspace_id, executive, theme{{.Include "company"}}) WHERE executive IS NOT NULL;
--bun:split
CREATE INDEX signal_company ON signal (workspace_id, company, created_at, id) WHERE company IS NOT NULL;
--bun:split
CREATE TABLE executive_voice (
  persona_id text PRIMARY KEY REFERENCES persona (id) ON DELETE CASCADE,
  workspace_id text NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
  executive text NOT NULL,
  created_at {{.Time}} NOT NULL
);
--bun:split
CREATE UNIQUE INDEX executive_voice_name ON executive_voice (workspace_id, executive);
--bun:split
CREATE TABLE executive_auto_voice (
  workspace_id text PRIMARY KEY REFERENCES workspace (id) ON DELETE CASCADE,
  executive text,
  persona_id text REFERENCES persona (id) ON DELETE SET NULL,
  attempted_at {{.Time}} NOT NULL
);
--bun:split
CREATE TABLE insight (
  id text PRIMARY KEY,
  workspace_id text NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
  request_key text NOT NULL,
  sources {{.JSON}} NOT NULL,
  answer {{.JSON}} NOT NULL,
  created_at {{.Time}} NOT NULL
);
--bun:split
CREATE UNIQUE INDEX insight_request ON insight (workspace_id, request_key);
--bun:split
CREATE TABLE insight_source (
  insight_id text NOT NULL REFERENCES insight (id) ON DELETE CASCADE,
  document_id text NOT NULL,
  PRIMARY KEY (insight_id, document_id)
);
--bun:split
CREATE INDEX insight_source_document ON insight_source (document_id);
