-- What happened to a link and a side of its split test (empty without one) in a quarter of an hour, counted from 1970 in UTC: the days of every time zone begin at one. A row is written with what
-- it counts, and stays when old sessions are deleted.
{{- define "quarter"}}{{if .Functions}}CAST(floor(extract(epoch FROM at) / 900) AS bigint){{else}}unixepoch(at) / 900{{end}}{{end}}
CREATE TABLE link_activity (
  link_id text NOT NULL REFERENCES link (id) ON DELETE CASCADE,
  variant_id text NOT NULL,
  quarter bigint NOT NULL,
  workspace_id text NOT NULL,
  opens bigint NOT NULL,
  conversions bigint NOT NULL,
  submissions bigint NOT NULL,
  PRIMARY KEY (link_id, quarter, variant_id)
);
--bun:split
CREATE INDEX link_activity_workspace ON link_activity (workspace_id, quarter);
--bun:split
INSERT INTO link_activity (link_id, variant_id, quarter, workspace_id, opens, conversions, submissions)
SELECT link_id, variant_id, {{template "quarter" .}}, min(happened.workspace_id), sum(happened.opens), sum(happened.conversions), sum(happened.submissions)
FROM (SELECT link_id, coalesce(variant_id, '') AS variant_id, workspace_id, opened_at AS at, 1 AS opens, 0 AS conversions, 0 AS submissions FROM link_session
  UNION ALL SELECT link_id, coalesce(variant_id, ''), workspace_id, created_at, 0, 1, 0 FROM link_conversion WHERE type NOT LIKE 'scroll%'
  UNION ALL SELECT link_id, '', workspace_id, created_at, 0, 1, 1 FROM link_submission) AS happened
WHERE EXISTS (SELECT 1 FROM link WHERE link.id = happened.link_id)
GROUP BY 1, 2, 3;
