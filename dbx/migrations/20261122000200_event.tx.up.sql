CREATE TABLE event_feed (
  workspace_id text PRIMARY KEY REFERENCES workspace (id) ON DELETE CASCADE,
  position bigint NOT NULL
);
--bun:split
CREATE TABLE event (
  id text PRIMARY KEY,
  workspace_id text NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
  position bigint NOT NULL,
  event text NOT NULL,
  link_id text,
  link text,
  viewer text,
  data text,
  timestamp {{.Time}} NOT NULL
);
--bun:split
CREATE UNIQUE INDEX event_position ON event (workspace_id, position);
--bun:split
CREATE INDEX event_timestamp ON event (timestamp);
