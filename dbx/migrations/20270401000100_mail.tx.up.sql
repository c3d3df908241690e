CREATE TABLE mail (
  id text PRIMARY KEY,
  workspace_id text REFERENCES workspace (id) ON DELETE CASCADE,
  kind text NOT NULL,
  subject_id text NOT NULL,
  recipient text NOT NULL,
  secret {{.Bytes}},
  state text NOT NULL,
  created_at {{.Time}} NOT NULL,
  ended_at {{.Time}},
  error text
);
--bun:split
CREATE INDEX mail_created ON mail (coalesce(workspace_id, ''), created_at);
--bun:split
-- The mail with an invite's link.
ALTER TABLE invite ADD COLUMN mail_state text;
--bun:split
ALTER TABLE invite ADD COLUMN mail_error text;
--bun:split
-- Whether the user asked for the link, which was then mailed to them: it works in all their workspaces.
ALTER TABLE password_reset ADD COLUMN is_mailed boolean NOT NULL DEFAULT false;
