-- The filters and orders of lists. Titles may be longer than an entry of an index, and the opens of links change too often to be indexed.
CREATE INDEX document_company_lower ON document (workspace_id, lower(company));
--bun:split
CREATE INDEX document_executive_lower ON document (workspace_id, lower(executive));
--bun:split
CREATE INDEX document_published ON document (workspace_id, extracted_date, id);
--bun:split
CREATE INDEX document_latest_published ON document (workspace_id, (extracted_date IS NULL), extracted_date DESC, id DESC);
--bun:split
CREATE INDEX document_longest ON document (workspace_id, (word_count IS NULL), word_count DESC, id DESC);
--bun:split
CREATE INDEX reaction_created ON reaction (workspace_id, created_at, id);
--bun:split
CREATE INDEX job_status ON job (workspace_id, status, created_at, id);
--bun:split
CREATE INDEX job_latest_finished ON job (workspace_id, (completed_at IS NULL), completed_at DESC, id DESC);
