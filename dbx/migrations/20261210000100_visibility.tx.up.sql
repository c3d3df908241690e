-- Who may know a text. Drafts are unpublished, so that only the organisation knows them.
ALTER TABLE document ADD COLUMN visibility text NOT NULL DEFAULT 'public';
--bun:split
ALTER TABLE document ADD COLUMN embargoed_until {{.Time}};
--bun:split
ALTER TABLE draft ADD COLUMN visibility text NOT NULL DEFAULT 'internal';
--bun:split
ALTER TABLE draft ADD COLUMN embargoed_until {{.Time}};
--bun:split
ALTER TABLE persona ADD COLUMN may_read_internal boolean NOT NULL DEFAULT false;
--bun:split
ALTER TABLE persona_interaction ADD COLUMN source_document_ids {{.JSON}} NOT NULL DEFAULT '[]';
--bun:split
ALTER TABLE reaction ADD COLUMN source_document_ids {{.JSON}} NOT NULL DEFAULT '[]';
--bun:split
ALTER TABLE audience_summary ADD COLUMN source_document_ids {{.JSON}} NOT NULL DEFAULT '[]';
--bun:split
CREATE INDEX document_embargoed ON document (workspace_id, embargoed_until) WHERE visibility = 'embargoed';
--bun:split
CREATE INDEX draft_embargoed ON draft (workspace_id, embargoed_until) WHERE visibility = 'embargoed';
--bun:split
CREATE INDEX document_communication ON document
  (workspace_id, created_at, id{{.Include "hidden" "is_narrative_testing_upload" "tags"}})
  WHERE NOT hidden AND NOT (is_narrative_testing_upload IS TRUE OR replace(CAST(tags AS text), '"generated"', '') <> CAST(tags AS text));
--bun:split
CREATE INDEX document_attributed ON document
  (workspace_id, executive, coalesce(extracted_date, created_at), id{{.Include "company" "communication_type" "is_narrative_testing_upload" "tags"}})
  WHERE executive IS NOT NULL AND NOT (is_narrative_testing_upload IS TRUE OR replace(CAST(tags AS text), '"generated"', '') <> CAST(tags AS text));
--bun:split
-- Texts under narrative test and texts that personas wrote, which the list of communications leaves out.
CREATE INDEX document_trial ON document (workspace_id, hidden)
  WHERE (is_narrative_testing_upload IS TRUE OR replace(CAST(tags AS text), '"generated"', '') <> CAST(tags AS text));
