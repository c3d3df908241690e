-- The version of a source's settings, and how often a mail server has refused the sign-in.
ALTER TABLE source ADD COLUMN version text NOT NULL DEFAULT '';
--bun:split
UPDATE source SET version = 'ver_' || substr(id, 5);
--bun:split
ALTER TABLE source ADD COLUMN updated_at {{.Time}};
--bun:split
UPDATE source SET updated_at = created_at;
--bun:split
ALTER TABLE source ADD COLUMN refusals integer NOT NULL DEFAULT 0;
