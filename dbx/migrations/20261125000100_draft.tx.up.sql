CREATE TABLE draft (
  id text PRIMARY KEY,
  workspace_id text NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
  title text NOT NULL,
  content text,
  content_type text NOT NULL,
  excerpt text NOT NULL,
  word_count integer NOT NULL,
  character_count integer NOT NULL,
  knowledgebase text NOT NULL,
  project_id text,
  source_url text,
  metadata {{.JSON}} NOT NULL,
  version text NOT NULL,
  created_at {{.Time}} NOT NULL,
  updated_at {{.Time}} NOT NULL
);
--bun:split
CREATE INDEX draft_updated ON draft (workspace_id, updated_at, id);
