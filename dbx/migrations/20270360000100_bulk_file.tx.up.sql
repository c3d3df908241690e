-- The files that bulk queries and bulk mutations write, part by part, and how far their jobs are.
CREATE TABLE bulk_file (
  job_id text PRIMARY KEY,
  workspace_id text NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
  kind text NOT NULL,
  key_id text,
  user_id text,
  input_blob text,
  position text,
  cursor text,
  input_offset bigint NOT NULL,
  input_line integer NOT NULL,
  row_count bigint NOT NULL,
  failed_count integer NOT NULL,
  byte_count bigint NOT NULL,
  part_count integer NOT NULL,
  finished boolean NOT NULL,
  created_at {{.Time}} NOT NULL,
  ended_at {{.Time}}
);
--bun:split
CREATE INDEX bulk_file_workspace ON bulk_file (workspace_id, created_at);
--bun:split
CREATE INDEX bulk_file_ended ON bulk_file (ended_at);
--bun:split
CREATE TABLE bulk_part (
  job_id text NOT NULL REFERENCES bulk_file (job_id) ON DELETE CASCADE,
  number integer NOT NULL,
  blob_key text NOT NULL,
  byte_count bigint NOT NULL,
  PRIMARY KEY (job_id, number)
);
--bun:split
CREATE UNIQUE INDEX bulk_part_blob ON bulk_part (blob_key);
