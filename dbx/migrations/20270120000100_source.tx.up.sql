-- Feeds and sitemaps that are polled, with the entries that they had.
CREATE TABLE source (
  id text PRIMARY KEY,
  workspace_id text NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
  kind text NOT NULL,
  name text NOT NULL,
  url text NOT NULL,
  interval_minutes integer NOT NULL,
  visibility text NOT NULL,
  media_provenance text,
  title_includes {{.JSON}} NOT NULL,
  title_excludes {{.JSON}} NOT NULL,
  tags {{.JSON}} NOT NULL,
  takes_all boolean NOT NULL,
  paused_reason text,
  paused_at {{.Time}},
  created_by_id text,
  created_at {{.Time}} NOT NULL,
  last_polled_at {{.Time}},
  next_poll_at {{.Time}},
  last_error {{.JSON}},
  consecutive_failures integer NOT NULL DEFAULT 0,
  is_failing boolean NOT NULL DEFAULT FALSE,
  entries_seen integer NOT NULL DEFAULT 0,
  documents_created integer NOT NULL DEFAULT 0,
  waiting_count integer NOT NULL DEFAULT 0,
  is_known boolean NOT NULL DEFAULT FALSE,
  etag text NOT NULL DEFAULT '',
  last_modified text NOT NULL DEFAULT '',
  lease_until {{.Time}},
  lease_token bigint NOT NULL DEFAULT 0,
  is_snoozed boolean NOT NULL DEFAULT FALSE,
  UNIQUE (workspace_id, url)
);
--bun:split
CREATE INDEX source_workspace ON source (workspace_id, created_at, id);
--bun:split
CREATE INDEX source_due ON source (next_poll_at, id) WHERE next_poll_at IS NOT NULL;
--bun:split
CREATE TABLE source_entry (
  source_id text NOT NULL REFERENCES source (id) ON DELETE CASCADE,
  entry_key text NOT NULL,
  feed_key text NOT NULL,
  position bigint NOT NULL,
  url text NOT NULL,
  published {{.Time}},
  is_waiting boolean NOT NULL,
  document_id text,
  PRIMARY KEY (source_id, entry_key)
);
--bun:split
CREATE INDEX source_entry_waiting ON source_entry (source_id, position) WHERE is_waiting;
--bun:split
ALTER TABLE document ADD COLUMN source_id text;
--bun:split
CREATE INDEX document_source ON document (workspace_id, source_id, created_at, id) WHERE source_id IS NOT NULL;
