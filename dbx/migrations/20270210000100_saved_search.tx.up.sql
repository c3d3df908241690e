-- Saved searches of documents, with the documents that they found.
CREATE TABLE saved_search (
  id text PRIMARY KEY,
  workspace_id text NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
  name text NOT NULL,
  filter {{.JSON}} NOT NULL,
  is_followed boolean NOT NULL,
  revision bigint NOT NULL DEFAULT 0,
  created_by_id text,
  created_at {{.Time}} NOT NULL,
  updated_at {{.Time}} NOT NULL,
  UNIQUE (workspace_id, name)
);
--bun:split
CREATE INDEX saved_search_workspace ON saved_search (workspace_id, created_at, id);
--bun:split
CREATE TABLE search_hit (
  search_id text NOT NULL REFERENCES saved_search (id) ON DELETE CASCADE,
  document_id text NOT NULL,
  position bigint NOT NULL,
  PRIMARY KEY (search_id, document_id)
);
--bun:split
CREATE INDEX search_hit_position ON search_hit (search_id, position) WHERE position > 0;
--bun:split
CREATE INDEX search_hit_document ON search_hit (document_id) WHERE position > 0;
--bun:split
CREATE TABLE search_progress (
  workspace_id text PRIMARY KEY REFERENCES workspace (id) ON DELETE CASCADE,
  position bigint NOT NULL
);
--bun:split
CREATE TABLE search_seen (
  search_id text NOT NULL REFERENCES saved_search (id) ON DELETE CASCADE,
  viewer_id text NOT NULL,
  position bigint NOT NULL,
  seen_at {{.Time}} NOT NULL,
  PRIMARY KEY (search_id, viewer_id)
);
--bun:split
ALTER TABLE webhook ADD COLUMN search_id text;
--bun:split
CREATE INDEX webhook_search ON webhook (workspace_id, search_id, created_at, id) WHERE search_id IS NOT NULL;
