ALTER TABLE job ADD COLUMN parent_id text;
--bun:split
CREATE INDEX job_parent ON job (parent_id, created_at, id) WHERE parent_id IS NOT NULL;
