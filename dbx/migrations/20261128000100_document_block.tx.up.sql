CREATE TABLE document_block (
  id {{.Serial}},
  workspace_id text NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
  level integer NOT NULL,
  first_at {{.Time}} NOT NULL,
  first_id text NOT NULL,
  documents integer NOT NULL,
  hidden integer NOT NULL
);
--bun:split
CREATE UNIQUE INDEX document_block_first ON document_block (workspace_id, level, first_at, first_id);
--bun:split
INSERT INTO document_block (workspace_id, level, first_at, first_id, documents, hidden)
SELECT workspace_id, level,
  CASE WHEN place / size = 0 THEN '0001-01-01 00:00:00+00:00' ELSE min(created_at) FILTER (WHERE place % size = 0) END,
  CASE WHEN place / size = 0 THEN '' ELSE min(id) FILTER (WHERE place % size = 0) END,
  count(*), count(*) FILTER (WHERE hidden)
FROM (
  SELECT workspace_id, created_at, id, hidden,
    row_number() OVER (PARTITION BY workspace_id ORDER BY created_at, id) - 1 AS place
  FROM document
) AS d
CROSS JOIN (SELECT 0 AS level, 128 AS size UNION ALL SELECT 1, 4096 UNION ALL SELECT 2, 131072) AS levels
GROUP BY workspace_id, level, place / size;
--bun:split
CREATE TABLE document_status (
  workspace_id text NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
  status text NOT NULL,
  documents integer NOT NULL,
  PRIMARY KEY (workspace_id, status)
);
--bun:split
INSERT INTO document_status (workspace_id, status, documents)
SELECT workspace_id, processing_status, count(*) FROM document WHERE processing_status IS NOT NULL GROUP BY workspace_id, processing_status;
