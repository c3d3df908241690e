-- The documents of bulk updates with their old values, until the updates can no longer be undone.
CREATE TABLE bulk_change (
  id text PRIMARY KEY,
  workspace_id text NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
  job_id text NOT NULL,
  undo_job_id text,
  position integer NOT NULL,
  document_id text NOT NULL,
  state text NOT NULL,
  reason text,
  message text,
  old {{.JSON}},
  new {{.JSON}},
  created_at {{.Time}} NOT NULL,
  UNIQUE (job_id, document_id)
);
--bun:split
CREATE INDEX bulk_change_state ON bulk_change (job_id, state, position);
--bun:split
CREATE INDEX bulk_change_undo ON bulk_change (undo_job_id, state, position) WHERE undo_job_id IS NOT NULL;
--bun:split
CREATE INDEX bulk_change_workspace ON bulk_change (workspace_id);
