CREATE INDEX document_auto_tag_newest ON document_auto_tag (workspace_id, auto_tag_id, value_key, document_id);
--bun:split
DROP INDEX document_auto_tag_value;
