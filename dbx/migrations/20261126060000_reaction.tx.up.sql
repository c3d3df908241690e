ALTER TABLE document ADD COLUMN version text NOT NULL DEFAULT '';
--bun:split
CREATE TABLE reaction (
  id text PRIMARY KEY,
  workspace_id text NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
  persona_id text NOT NULL REFERENCES persona (id) ON DELETE CASCADE,
  subject_id text NOT NULL,
  document_id text REFERENCES document (id) ON DELETE CASCADE,
  draft_id text REFERENCES draft (id) ON DELETE CASCADE,
  version text NOT NULL,
  persona_version text NOT NULL,
  status text NOT NULL,
  rating {{.Float}},
  sentiment text,
  text text NOT NULL,
  themes {{.JSON}} NOT NULL,
  risks {{.JSON}} NOT NULL,
  actions {{.JSON}} NOT NULL,
  quotes {{.JSON}} NOT NULL,
  error_code text,
  error_message text,
  model text NOT NULL,
  owed_by text,
  created_at {{.Time}} NOT NULL,
  UNIQUE (persona_id, subject_id, version)
);
--bun:split
CREATE INDEX reaction_document ON reaction (workspace_id, document_id, created_at, id);
--bun:split
CREATE INDEX reaction_subject ON reaction (subject_id, version);
--bun:split
CREATE INDEX reaction_draft ON reaction (draft_id) WHERE draft_id IS NOT NULL;
--bun:split
CREATE INDEX reaction_owed ON reaction (owed_by) WHERE owed_by IS NOT NULL;
--bun:split
CREATE TABLE audience_group (
  id text PRIMARY KEY,
  workspace_id text NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
  name text NOT NULL,
  display_name text,
  sort_order integer NOT NULL,
  UNIQUE (workspace_id, name)
);
--bun:split
CREATE TABLE audience_summary (
  id text PRIMARY KEY,
  workspace_id text NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
  category text NOT NULL,
  filter_key text NOT NULL,
  filters {{.JSON}} NOT NULL,
  summary_json {{.JSON}} NOT NULL,
  status_counts {{.JSON}} NOT NULL,
  reaction_count integer NOT NULL,
  grade text,
  grade_score {{.Float}},
  grade_trend text,
  model text NOT NULL,
  digest text NOT NULL,
  made_by text,
  generated_at {{.Time}} NOT NULL,
  UNIQUE (workspace_id, category, filter_key)
);
--bun:split
CREATE INDEX audience_summary_generated ON audience_summary (workspace_id, generated_at, id);
--bun:split
CREATE INDEX audience_summary_job ON audience_summary (made_by) WHERE made_by IS NOT NULL;
