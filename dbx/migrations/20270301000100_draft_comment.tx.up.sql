-- Comments on drafts and on passages of their texts. A reply has a parent_id. The offsets are those of the quote in the
-- draft's present text, in code points; null if the passage is gone.
CREATE TABLE draft_comment (
  id text PRIMARY KEY,
  workspace_id text NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
  draft_id text NOT NULL REFERENCES draft (id) ON DELETE CASCADE,
  parent_id text REFERENCES draft_comment (id) ON DELETE CASCADE,
  text text NOT NULL,
  quote text,
  start_offset integer,
  end_offset integer,
  mentioned_user_ids {{.JSON}},
  author_id text,
  author_key_id text,
  created_at {{.Time}} NOT NULL,
  edited_at {{.Time}},
  resolved_at {{.Time}},
  resolved_by_id text,
  resolved_by_key_id text
);
--bun:split
CREATE INDEX draft_comment_at ON draft_comment (workspace_id, draft_id, created_at, id);
--bun:split
CREATE INDEX draft_comment_of ON draft_comment (draft_id);
--bun:split
CREATE INDEX draft_comment_reply ON draft_comment (parent_id, created_at, id) WHERE parent_id IS NOT NULL;
--bun:split
CREATE INDEX draft_comment_mention ON draft_comment (workspace_id, created_at, id) WHERE mentioned_user_ids IS NOT NULL;
