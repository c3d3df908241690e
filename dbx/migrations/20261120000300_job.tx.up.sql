CREATE TABLE job (
  id text PRIMARY KEY,
  workspace_id text NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
  job_type text NOT NULL,
  document_id text,
  user_id text,
  parameters text,
  max_retries integer NOT NULL,
  priority integer NOT NULL,
  status text NOT NULL,
  progress integer NOT NULL,
  note text,
  result text,
  error_code text,
  error_message text,
  retry_count integer NOT NULL,
  cancelled_by text,
  cancel_reason text,
  position integer NOT NULL,
  queue_id bigint,
  lease_until {{.Time}},
  lease_token integer NOT NULL,
  created_at {{.Time}} NOT NULL,
  started_at {{.Time}},
  completed_at {{.Time}},
  updated_at {{.Time}} NOT NULL
);
--bun:split
CREATE INDEX job_created ON job (workspace_id, created_at, id);
--bun:split
CREATE INDEX job_updated ON job (workspace_id, updated_at);
--bun:split
CREATE INDEX job_open ON job (status) WHERE completed_at IS NULL;
--bun:split
CREATE INDEX job_lease ON job (lease_until) WHERE lease_until IS NOT NULL;
--bun:split
CREATE TABLE job_event (
  workspace_id text NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
  job_id text NOT NULL REFERENCES job (id) ON DELETE CASCADE,
  position integer NOT NULL,
  kind text NOT NULL,
  state {{.JSON}} NOT NULL,
  created_at {{.Time}} NOT NULL,
  PRIMARY KEY (job_id, position)
);
--bun:split
CREATE INDEX job_event_created ON job_event (created_at);
