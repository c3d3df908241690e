-- The version of a link's settings.
ALTER TABLE link ADD COLUMN version text NOT NULL DEFAULT '';
--bun:split
UPDATE link SET version = 'ver_' || substr(id, 5);
