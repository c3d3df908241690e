-- Rules that the texts of a workspace keep to, and the score that a text needs to be approved.
CREATE TABLE house_rule (
  id text PRIMARY KEY,
  workspace_id text NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
  name text NOT NULL,
  kind text NOT NULL,
  level text NOT NULL,
  message text NOT NULL,
  language text,
  link text,
  source text NOT NULL,
  created_by_id text,
  created_at {{.Time}} NOT NULL,
  updated_at {{.Time}} NOT NULL,
  UNIQUE (workspace_id, name)
);
--bun:split
CREATE INDEX house_rule_workspace ON house_rule (workspace_id, created_at, id);
--bun:split
ALTER TABLE workspace ADD COLUMN required_house_score integer;
