-- The tags of links, in the order in which they were given.
CREATE TABLE link_tag (
  link_id text NOT NULL REFERENCES link (id) ON DELETE CASCADE,
  name text NOT NULL,
  workspace_id text NOT NULL,
  position integer NOT NULL,
  PRIMARY KEY (link_id, name)
);
--bun:split
CREATE INDEX link_tag_workspace ON link_tag (workspace_id, lower(name));
