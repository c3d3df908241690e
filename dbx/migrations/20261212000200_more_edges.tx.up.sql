-- The rows of one parent in the order of their pages: the ledger of a workspace, the drafts about a document, the key that a key replaces,
-- the events of a link.
CREATE INDEX run_reservation_page ON run_reservation (workspace_id, created_at, id);
--bun:split
CREATE INDEX draft_source ON draft (workspace_id, (metadata ->> 'source_document_id'), updated_at, id) WHERE metadata ->> 'source_document_id' IS NOT NULL;
--bun:split
CREATE INDEX api_key_replacement ON api_key (rotated_to) WHERE rotated_to IS NOT NULL;
--bun:split
CREATE INDEX event_link ON event (link_id, position) WHERE link_id IS NOT NULL;
--bun:split
ALTER TABLE reaction ADD COLUMN job_id text;
