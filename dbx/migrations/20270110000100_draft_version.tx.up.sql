-- The texts that drafts have and had, and the states of their review.
CREATE TABLE draft_version (
  id text PRIMARY KEY,
  workspace_id text NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
  draft_id text NOT NULL REFERENCES draft (id) ON DELETE CASCADE,
  number integer NOT NULL,
  title text NOT NULL,
  content text NOT NULL,
  content_type text NOT NULL,
  author_id text,
  author_key_id text,
  created_at {{.Time}} NOT NULL,
  saved_at {{.Time}} NOT NULL,
  restored_from_id text
);
--bun:split
CREATE UNIQUE INDEX draft_version_number ON draft_version (workspace_id, draft_id, number);
--bun:split
CREATE INDEX draft_version_of ON draft_version (draft_id);
--bun:split
CREATE TABLE draft_state_change (
  id text PRIMARY KEY,
  workspace_id text NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
  draft_id text NOT NULL REFERENCES draft (id) ON DELETE CASCADE,
  version_id text NOT NULL REFERENCES draft_version (id) ON DELETE CASCADE,
  action text NOT NULL,
  reason text,
  assignee_id text,
  due_at {{.Time}},
  by_id text,
  by_key_id text,
  at {{.Time}} NOT NULL
);
--bun:split
CREATE INDEX draft_state_change_at ON draft_state_change (workspace_id, draft_id, at, id);
--bun:split
CREATE INDEX draft_state_change_of ON draft_state_change (draft_id);
--bun:split
CREATE INDEX draft_state_change_version ON draft_state_change (version_id);
--bun:split
ALTER TABLE draft ADD COLUMN state text NOT NULL DEFAULT 'draft';
--bun:split
ALTER TABLE draft ADD COLUMN assignee_id text;
--bun:split
ALTER TABLE draft ADD COLUMN due_at {{.Time}};
--bun:split
ALTER TABLE draft ADD COLUMN current_version_id text;
--bun:split
CREATE INDEX draft_due ON draft (workspace_id, due_at, id);
--bun:split
CREATE INDEX draft_assignee ON draft (workspace_id, assignee_id, updated_at, id);
--bun:split
-- The text that a draft has is its first version. Who saved it last is not known; the author is the nearest.
INSERT INTO draft_version (id, workspace_id, draft_id, number, title, content, content_type, author_id, created_at, saved_at)
SELECT 'dvr_' || substr(id, 5), workspace_id, id, 1, title, coalesce(content, ''), content_type, author_id, updated_at, updated_at FROM draft;
--bun:split
UPDATE draft SET current_version_id = 'dvr_' || substr(id, 5);
