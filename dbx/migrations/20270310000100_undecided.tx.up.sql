-- Texts whose heads say that they are not public, until somebody decides.
CREATE INDEX document_undecided ON document (workspace_id, created_at, id) WHERE origins ->> 'visibility' = 'text';
