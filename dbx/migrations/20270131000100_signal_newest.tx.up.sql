-- The list of all statements of a workspace.
CREATE INDEX signal_newest ON signal (workspace_id, created_at, id);
