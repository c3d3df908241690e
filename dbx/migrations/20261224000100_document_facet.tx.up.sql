-- The numbers of documents with each value of a facet, which a request without a filter need not count. A row is a change of a number, and the
-- number is the sum of its rows: transactions append rows only, so that none waits for another one. Triggers append them, so that an older version
-- of the program that uses this database keeps the numbers too. document.Service.Run replaces changes by their sum. There is no foreign key, because
-- its check takes as long as the row.
{{- define "trial"}}({{.}}.is_narrative_testing_upload IS TRUE OR replace(CAST({{.}}.tags AS text), '"generated"', '') <> CAST({{.}}.tags AS text)){{end}}
{{- define "state"}}CASE WHEN {{.}}.processing_status = 'failed' THEN 'failed' WHEN {{.}}.processing_status IS NOT NULL THEN 'processing' WHEN {{.}}.hidden THEN 'hidden' ELSE 'ready' END{{end}}
{{- define "values"}}('communicationTypes', {{.}}.communication_type), ('companies', {{.}}.company), ('executives', {{.}}.executive),
    ('languages', {{.}}.language), ('states', {{template "state" .}}){{end}}
{{- define "pairs"}}('communicationTypes', OLD.communication_type, NEW.communication_type), ('companies', OLD.company, NEW.company),
    ('executives', OLD.executive, NEW.executive), ('languages', OLD.language, NEW.language), ('states', {{template "state" "OLD"}}, {{template "state" "NEW"}}){{end}}
{{- define "valueRows"}}(SELECT 'communicationTypes' AS facet, {{.}}.communication_type AS value UNION ALL SELECT 'companies', {{.}}.company
    UNION ALL SELECT 'executives', {{.}}.executive UNION ALL SELECT 'languages', {{.}}.language UNION ALL SELECT 'states', {{template "state" .}}){{end}}
{{- define "append"}}INSERT INTO document_facet (workspace_id, facet, tag, value_key, value, is_trial, is_hidden, change){{end}}
{{- define "appendChange"}}INSERT INTO document_facet_change (workspace_id, facet, tag, value_key, value, is_trial, is_hidden, change){{end}}
{{- define "isCounted"}}coalesce({{.}}.tag_type, '') <> 'content_filter'{{end}}
{{- /* The difference between both versions of a value. */}}
{{- define "tagChange"}}SELECT changed.workspace_id, 'autoTags', changed.auto_tag_id, changed.value_key, changed.extracted_value, {{template "trial" "d"}}, d.hidden, sum(changed.change)
  FROM (SELECT NEW.workspace_id AS workspace_id, NEW.document_id AS document_id, NEW.auto_tag_id AS auto_tag_id, NEW.value_key AS value_key,
      NEW.extracted_value AS extracted_value, NEW.tag_type AS tag_type, 1 AS change
    UNION ALL SELECT OLD.workspace_id, OLD.document_id, OLD.auto_tag_id, OLD.value_key, OLD.extracted_value, OLD.tag_type, -1) AS changed
  JOIN document AS d ON d.id = changed.document_id WHERE {{template "isCounted" "changed"}}
  GROUP BY 1, 3, 4, 5, 6, 7 HAVING sum(changed.change) <> 0;{{end}}
{{- define "documentColumns"}}workspace_id, communication_type, company, executive, language, processing_status, hidden, is_narrative_testing_upload, tags{{end}}
{{- define "documentDiffers"}}OLD.workspace_id <> NEW.workspace_id OR OLD.communication_type IS DISTINCT FROM NEW.communication_type OR OLD.company IS DISTINCT FROM NEW.company
  OR OLD.executive IS DISTINCT FROM NEW.executive OR OLD.language IS DISTINCT FROM NEW.language OR OLD.processing_status IS DISTINCT FROM NEW.processing_status
  OR OLD.hidden <> NEW.hidden OR OLD.is_narrative_testing_upload IS DISTINCT FROM NEW.is_narrative_testing_upload OR OLD.tags <> NEW.tags{{end}}
{{- define "tagColumns"}}workspace_id, document_id, auto_tag_id, value_key, extracted_value, tag_type{{end}}
{{- define "tagDiffers"}}OLD.workspace_id <> NEW.workspace_id OR OLD.document_id <> NEW.document_id OR OLD.auto_tag_id <> NEW.auto_tag_id OR OLD.value_key <> NEW.value_key
  OR OLD.extracted_value <> NEW.extracted_value OR OLD.tag_type IS DISTINCT FROM NEW.tag_type{{end}}
{{- if .Functions}}
CREATE SEQUENCE document_facet_seq;
--bun:split
{{- end}}
CREATE TABLE document_facet (
  seq {{if .Functions}}bigint NOT NULL DEFAULT nextval('document_facet_seq'){{else}}{{.Serial}}{{end}},
  workspace_id text NOT NULL,
  facet text NOT NULL,
  tag text NOT NULL,
  value_key text NOT NULL,
  value text NOT NULL,
  is_trial boolean NOT NULL,
  is_hidden boolean NOT NULL,
  is_sum boolean NOT NULL DEFAULT false,
  change integer NOT NULL{{if .Functions}},
  PRIMARY KEY (workspace_id, seq, is_sum){{end}}
){{if .Functions}} PARTITION BY LIST (is_sum){{end}};
{{- if not .Functions}}
--bun:split
CREATE INDEX document_facet_workspace ON document_facet (workspace_id);
{{- else}}
--bun:split
ALTER SEQUENCE document_facet_seq OWNED BY document_facet.seq;
--bun:split
-- The sums are apart from the changes, of which many are deleted at a time, so that few pages are read for them.
CREATE TABLE document_facet_sum PARTITION OF document_facet FOR VALUES IN (true);
--bun:split
CREATE TABLE document_facet_change PARTITION OF document_facet FOR VALUES IN (false);
--bun:split
-- Writers wait until the documents are counted and the triggers exist, so that no change is between the two. A writer that has changed one of the
-- tables may wait for another one that is locked here: then all locks are released before the server detects a deadlock, and taken again later. The
-- longer wait is for an automatic vacuum, which the server ends for those that have waited for a second.
DO $$
DECLARE
  attempts integer := 0;
BEGIN
  LOOP
    BEGIN
      PERFORM set_config('lock_timeout', CASE WHEN attempts < 10 THEN '200ms' ELSE '2s' END, true);
      LOCK TABLE workspace, document, document_auto_tag IN SHARE ROW EXCLUSIVE MODE;
      SET LOCAL lock_timeout TO DEFAULT;
      EXIT;
    EXCEPTION WHEN lock_not_available OR deadlock_detected THEN
      attempts := attempts + 1;
      PERFORM pg_sleep(0.2);
    END;
  END LOOP;
END $$;
{{- end}}
--bun:split
WITH grouped AS (
  SELECT workspace_id, communication_type, company, executive, language, {{template "state" "document"}} AS state, {{template "trial" "document"}} AS is_trial, hidden AS is_hidden,
    count(*) AS documents
  FROM document GROUP BY 1, 2, 3, 4, 5, 6, 7, 8
)
INSERT INTO document_facet (workspace_id, facet, tag, value_key, value, is_trial, is_hidden, is_sum, change)
SELECT workspace_id, facet, '', '', value, is_trial, is_hidden, true, sum(documents)
FROM (SELECT workspace_id, 'communicationTypes' AS facet, communication_type AS value, is_trial, is_hidden, documents FROM grouped
  UNION ALL SELECT workspace_id, 'companies', company, is_trial, is_hidden, documents FROM grouped
  UNION ALL SELECT workspace_id, 'executives', executive, is_trial, is_hidden, documents FROM grouped
  UNION ALL SELECT workspace_id, 'languages', language, is_trial, is_hidden, documents FROM grouped
  UNION ALL SELECT workspace_id, 'states', state, is_trial, is_hidden, documents FROM grouped) AS counted
WHERE value <> '' GROUP BY workspace_id, facet, value, is_trial, is_hidden;
--bun:split
INSERT INTO document_facet (workspace_id, facet, tag, value_key, value, is_trial, is_hidden, is_sum, change)
SELECT applied.workspace_id, 'autoTags', applied.auto_tag_id, applied.value_key, applied.extracted_value, {{template "trial" "d"}}, d.hidden, true, count(*)
FROM document_auto_tag AS applied JOIN document AS d ON d.id = applied.document_id
WHERE {{template "isCounted" "applied"}} GROUP BY 1, 3, 4, 5, 6, 7;
{{- if .Functions}}
--bun:split
CREATE FUNCTION append_inserted_document() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  now_trial boolean := {{template "trial" "NEW"}};
BEGIN
  {{template "appendChange"}}
  SELECT NEW.workspace_id, added.facet, '', '', added.value, now_trial, NEW.hidden, 1
  FROM (VALUES {{template "values" "NEW"}}) AS added (facet, value) WHERE added.value <> '';
  RETURN NULL;
END $$;
--bun:split
CREATE TRIGGER document_facet_insert AFTER INSERT ON document FOR EACH ROW EXECUTE FUNCTION append_inserted_document();
--bun:split
-- A document that becomes a trial text or hidden, or is it no more, has moved: all of its values change. FOR SHARE waits for transactions that change the
-- auto-tags of the document, and keeps further ones waiting, so that each value is counted where the document belongs. The condition on the type is not
-- part of the locked query, as the type may be what such a transaction changes.
CREATE FUNCTION append_updated_document() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  was_trial boolean := {{template "trial" "OLD"}};
  now_trial boolean := {{template "trial" "NEW"}};
  is_moved boolean := was_trial <> now_trial OR OLD.hidden <> NEW.hidden OR OLD.workspace_id <> NEW.workspace_id;
BEGIN
  {{template "appendChange"}}
  SELECT side.workspace_id, pair.facet, '', '', CASE side.change WHEN 1 THEN pair.new_value ELSE pair.old_value END, side.is_trial, side.is_hidden, side.change
  FROM (VALUES {{template "pairs"}}) AS pair (facet, old_value, new_value)
  CROSS JOIN (VALUES (OLD.workspace_id, was_trial, OLD.hidden, -1), (NEW.workspace_id, now_trial, NEW.hidden, 1)) AS side (workspace_id, is_trial, is_hidden, change)
  WHERE (is_moved OR pair.old_value IS DISTINCT FROM pair.new_value) AND CASE side.change WHEN 1 THEN pair.new_value ELSE pair.old_value END <> '';
  IF is_moved THEN
    WITH locked AS (SELECT * FROM document_auto_tag WHERE document_id = NEW.id FOR SHARE)
    {{template "appendChange"}}
    SELECT applied.workspace_id, 'autoTags', applied.auto_tag_id, applied.value_key, applied.extracted_value, side.is_trial, side.is_hidden, side.change
    FROM locked AS applied CROSS JOIN (VALUES (was_trial, OLD.hidden, -1), (now_trial, NEW.hidden, 1)) AS side (is_trial, is_hidden, change)
    WHERE {{template "isCounted" "applied"}};
  END IF;
  RETURN NULL;
END $$;
--bun:split
CREATE TRIGGER document_facet_update AFTER UPDATE OF {{template "documentColumns"}} ON document FOR EACH ROW
  WHEN ({{template "documentDiffers"}}) EXECUTE FUNCTION append_updated_document();
--bun:split
-- The auto-tags of the document are deleted after it. Without the workspace, which is deleted as a whole then, nothing is counted.
CREATE FUNCTION append_deleted_document() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  was_trial boolean := {{template "trial" "OLD"}};
BEGIN
  IF EXISTS (SELECT 1 FROM workspace WHERE id = OLD.workspace_id) THEN
    WITH locked AS (SELECT * FROM document_auto_tag WHERE document_id = OLD.id FOR SHARE)
    {{template "appendChange"}}
    SELECT OLD.workspace_id, removed.facet, '', '', removed.value, was_trial, OLD.hidden, -1
    FROM (VALUES {{template "values" "OLD"}}) AS removed (facet, value) WHERE removed.value <> ''
    UNION ALL SELECT applied.workspace_id, 'autoTags', applied.auto_tag_id, applied.value_key, applied.extracted_value, was_trial, OLD.hidden, -1
    FROM locked AS applied WHERE {{template "isCounted" "applied"}};
  END IF;
  RETURN OLD;
END $$;
--bun:split
CREATE TRIGGER document_facet_delete BEFORE DELETE ON document FOR EACH ROW EXECUTE FUNCTION append_deleted_document();
--bun:split
-- A document that another transaction is hiding, or deleting, is waited for, because that transaction does not see the new value.
CREATE FUNCTION append_inserted_tags() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM document WHERE id IN (SELECT document_id FROM inserted) ORDER BY id FOR NO KEY UPDATE;
  {{template "appendChange"}}
  SELECT applied.workspace_id, 'autoTags', applied.auto_tag_id, applied.value_key, applied.extracted_value, {{template "trial" "d"}}, d.hidden, count(*)
  FROM inserted AS applied JOIN document AS d ON d.id = applied.document_id WHERE {{template "isCounted" "applied"}} GROUP BY 1, 3, 4, 5, 6, 7;
  RETURN NULL;
END $$;
--bun:split
CREATE TRIGGER document_facet_tag_insert AFTER INSERT ON document_auto_tag REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION append_inserted_tags();
--bun:split
CREATE FUNCTION append_updated_tag() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  {{template "appendChange"}}
  {{template "tagChange"}}
  RETURN NULL;
END $$;
--bun:split
CREATE TRIGGER document_facet_tag_update AFTER UPDATE OF {{template "tagColumns"}} ON document_auto_tag FOR EACH ROW
  WHEN ({{template "tagDiffers"}}) EXECUTE FUNCTION append_updated_tag();
--bun:split
-- The values of a deleted document are counted by the trigger of the document, which does not exist any more when its values are deleted.
CREATE FUNCTION append_deleted_tags() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  {{template "appendChange"}}
  SELECT applied.workspace_id, 'autoTags', applied.auto_tag_id, applied.value_key, applied.extracted_value, {{template "trial" "d"}}, d.hidden, -count(*)
  FROM deleted AS applied JOIN document AS d ON d.id = applied.document_id JOIN workspace AS w ON w.id = applied.workspace_id
  WHERE {{template "isCounted" "applied"}} GROUP BY 1, 3, 4, 5, 6, 7;
  RETURN NULL;
END $$;
--bun:split
CREATE TRIGGER document_facet_tag_delete AFTER DELETE ON document_auto_tag REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION append_deleted_tags();
--bun:split
CREATE FUNCTION delete_workspace_facets() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM document_facet WHERE workspace_id = OLD.id;
  RETURN NULL;
END $$;
--bun:split
CREATE TRIGGER document_facet_workspace_delete AFTER DELETE ON workspace FOR EACH ROW EXECUTE FUNCTION delete_workspace_facets();
{{- else}}
--bun:split
CREATE TRIGGER document_facet_insert AFTER INSERT ON document BEGIN
  {{template "append"}}
  SELECT NEW.workspace_id, added.facet, '', '', added.value, {{template "trial" "NEW"}}, NEW.hidden, 1 FROM {{template "valueRows" "NEW"}} AS added WHERE added.value <> '';
END;
--bun:split
-- Values that did not change are left out, because both rows of such a value cancel each other.
CREATE TRIGGER document_facet_update AFTER UPDATE OF {{template "documentColumns"}} ON document WHEN {{template "documentDiffers"}} BEGIN
  {{template "append"}}
  SELECT workspace_id, facet, tag, value_key, value, is_trial, is_hidden, sum(change)
  FROM (SELECT NEW.workspace_id AS workspace_id, added.facet, '' AS tag, '' AS value_key, added.value, {{template "trial" "NEW"}} AS is_trial, NEW.hidden AS is_hidden, 1 AS change
      FROM {{template "valueRows" "NEW"}} AS added WHERE added.value <> ''
    UNION ALL SELECT OLD.workspace_id, removed.facet, '', '', removed.value, {{template "trial" "OLD"}}, OLD.hidden, -1
      FROM {{template "valueRows" "OLD"}} AS removed WHERE removed.value <> ''
    UNION ALL SELECT applied.workspace_id, 'autoTags', applied.auto_tag_id, applied.value_key, applied.extracted_value, {{template "trial" "NEW"}}, NEW.hidden, 1
      FROM document_auto_tag AS applied WHERE applied.document_id = NEW.id AND {{template "isCounted" "applied"}}
    UNION ALL SELECT applied.workspace_id, 'autoTags', applied.auto_tag_id, applied.value_key, applied.extracted_value, {{template "trial" "OLD"}}, OLD.hidden, -1
      FROM document_auto_tag AS applied WHERE applied.document_id = NEW.id AND {{template "isCounted" "applied"}}) AS changed
  GROUP BY workspace_id, facet, tag, value_key, value, is_trial, is_hidden HAVING sum(change) <> 0;
END;
--bun:split
-- The auto-tags of the document are deleted after it.
CREATE TRIGGER document_facet_delete BEFORE DELETE ON document BEGIN
  {{template "append"}}
  SELECT OLD.workspace_id, removed.facet, '', '', removed.value, {{template "trial" "OLD"}}, OLD.hidden, -1
  FROM {{template "valueRows" "OLD"}} AS removed WHERE removed.value <> ''
  UNION ALL SELECT applied.workspace_id, 'autoTags', applied.auto_tag_id, applied.value_key, applied.extracted_value, {{template "trial" "OLD"}}, OLD.hidden, -1
  FROM document_auto_tag AS applied WHERE applied.document_id = OLD.id AND {{template "isCounted" "applied"}};
END;
--bun:split
CREATE TRIGGER document_facet_tag_insert AFTER INSERT ON document_auto_tag BEGIN
  {{template "append"}}
  SELECT NEW.workspace_id, 'autoTags', NEW.auto_tag_id, NEW.value_key, NEW.extracted_value, {{template "trial" "d"}}, d.hidden, 1
  FROM document AS d WHERE d.id = NEW.document_id AND {{template "isCounted" "NEW"}};
END;
--bun:split
CREATE TRIGGER document_facet_tag_update AFTER UPDATE OF {{template "tagColumns"}} ON document_auto_tag WHEN {{template "tagDiffers"}} BEGIN
  {{template "append"}}
  {{template "tagChange"}}
END;
--bun:split
CREATE TRIGGER document_facet_tag_delete AFTER DELETE ON document_auto_tag BEGIN
  {{template "append"}}
  SELECT OLD.workspace_id, 'autoTags', OLD.auto_tag_id, OLD.value_key, OLD.extracted_value, {{template "trial" "d"}}, d.hidden, -1
  FROM document AS d WHERE d.id = OLD.document_id AND {{template "isCounted" "OLD"}};
END;
--bun:split
CREATE TRIGGER document_facet_workspace_delete AFTER DELETE ON workspace BEGIN
  DELETE FROM document_facet WHERE workspace_id = OLD.id;
END;
{{- end}}
