CREATE TABLE run_reservation (
  id text PRIMARY KEY,
  workspace_id text NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
  operation text NOT NULL,
  job_id text REFERENCES job (id) ON DELETE CASCADE,
  runs integer NOT NULL,
  state text NOT NULL,
  created_at {{.Time}} NOT NULL,
  settled_at {{.Time}}
);
--bun:split
CREATE UNIQUE INDEX run_reservation_open_job ON run_reservation (job_id) WHERE state = 'reserved';
--bun:split
CREATE INDEX run_reservation_open ON run_reservation (workspace_id) WHERE state = 'reserved';
