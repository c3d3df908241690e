ALTER TABLE job ADD COLUMN fetch_at {{.Time}};
--bun:split
CREATE INDEX job_waiting ON job (workspace_id, job_type, fetch_at) WHERE status IN ('queued', 'retrying');
