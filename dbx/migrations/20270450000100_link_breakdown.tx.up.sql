-- The campaign of the address that a viewer session opened, and when the session first converted.
ALTER TABLE link_session ADD COLUMN utm_source text NOT NULL DEFAULT '';
--bun:split
ALTER TABLE link_session ADD COLUMN utm_medium text NOT NULL DEFAULT '';
--bun:split
ALTER TABLE link_session ADD COLUMN utm_campaign text NOT NULL DEFAULT '';
--bun:split
ALTER TABLE link_session ADD COLUMN utm_term text NOT NULL DEFAULT '';
--bun:split
ALTER TABLE link_session ADD COLUMN utm_content text NOT NULL DEFAULT '';
--bun:split
ALTER TABLE link_session ADD COLUMN converted_at {{.Time}};
--bun:split
UPDATE link_session SET converted_at = done.at
FROM (SELECT session_id, min(created_at) AS at FROM (
    SELECT session_id, created_at FROM link_conversion WHERE type NOT LIKE 'scroll%'
    UNION ALL SELECT session_id, created_at FROM link_submission WHERE session_id IS NOT NULL) AS converted
  GROUP BY session_id) AS done
WHERE link_session.id = done.session_id;
--bun:split
-- The sessions of a split test's variant with a conversion.
ALTER TABLE link_variant ADD COLUMN converted bigint NOT NULL DEFAULT 0;
--bun:split
UPDATE link_variant SET converted = (SELECT count(*) FROM link_session
  WHERE link_session.variant_id = link_variant.id AND converted_at IS NOT NULL);
--bun:split
-- The sessions of a link that began on a day, counted from 1970 in UTC, by a dimension: all (with an empty value), country, device, browser and so on. A row is written with what it counts, and
-- stays when old sessions are deleted.
CREATE TABLE link_breakdown (
  link_id text NOT NULL REFERENCES link (id) ON DELETE CASCADE,
  dimension text NOT NULL,
  day bigint NOT NULL,
  value text NOT NULL,
  workspace_id text NOT NULL,
  opens bigint NOT NULL,
  converted bigint NOT NULL,
  PRIMARY KEY (link_id, dimension, day, value)
);
--bun:split
{{define "day"}}{{if .Functions}}CAST(floor(extract(epoch FROM opened_at) / 86400) AS bigint){{else}}unixepoch(opened_at) / 86400{{end}}{{end -}}
{{define "host"}}{{if .Functions}}split_part(split_part(referrer, '://', 2), '/', 1){{else -}}
substr(substr(referrer, instr(referrer, '://') + 3), 1, instr(substr(referrer, instr(referrer, '://') + 3) || '/', '/') - 1){{end}}{{end -}}
INSERT INTO link_breakdown (link_id, dimension, day, value, workspace_id, opens, converted)
SELECT link_id, dimension, {{template "day" .}}, value, min(seen.workspace_id), count(*), count(converted_at)
FROM (SELECT link_id, workspace_id, opened_at, converted_at, 'all' AS dimension, '' AS value FROM link_session
  UNION ALL SELECT link_id, workspace_id, opened_at, converted_at, 'country', country FROM link_session WHERE country <> ''
  UNION ALL SELECT link_id, workspace_id, opened_at, converted_at, 'device', device FROM link_session WHERE device <> ''
  UNION ALL SELECT link_id, workspace_id, opened_at, converted_at, 'browser', browser FROM link_session WHERE browser <> ''
  UNION ALL SELECT link_id, workspace_id, opened_at, converted_at, 'os', os FROM link_session WHERE os <> ''
  UNION ALL SELECT link_id, workspace_id, opened_at, converted_at, 'referrer', {{template "host" .}} FROM link_session WHERE referrer <> '') AS seen
WHERE EXISTS (SELECT 1 FROM link WHERE link.id = seen.link_id)
GROUP BY 1, 2, 3, 4;
