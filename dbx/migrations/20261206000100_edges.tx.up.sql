-- The nested lists of the graph: the rows of one parent in the order of their pages.
CREATE INDEX reaction_persona ON reaction (workspace_id, persona_id, created_at, id);
--bun:split
CREATE INDEX persona_interaction_document ON persona_interaction (workspace_id, document_id, created_at, id) WHERE document_id IS NOT NULL;
--bun:split
CREATE INDEX persona_source ON persona (workspace_id, source_persona_id) WHERE source_persona_id IS NOT NULL;
--bun:split
CREATE INDEX job_document ON job (document_id, created_at, id) WHERE document_id IS NOT NULL;
--bun:split
CREATE INDEX job_user ON job (user_id, created_at, id) WHERE user_id IS NOT NULL;
--bun:split
CREATE INDEX auto_tag_review_document ON auto_tag_review (document_id) WHERE state = 'pending';
--bun:split
CREATE INDEX link_session_variant ON link_session (variant_id, opened_at, id) WHERE variant_id IS NOT NULL;
--bun:split
CREATE INDEX link_conversion_variant ON link_conversion (variant_id, created_at, id) WHERE variant_id IS NOT NULL;
--bun:split
CREATE INDEX link_submission_session ON link_submission (session_id) WHERE session_id IS NOT NULL;
--bun:split
CREATE INDEX audit_entry_actor ON audit_entry (workspace_id, actor_id, at, id) WHERE actor_id IS NOT NULL;
--bun:split
CREATE INDEX webhook_delivery_event ON webhook_delivery (event_id);
