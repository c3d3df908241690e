CREATE TABLE link (
  id text PRIMARY KEY,
  workspace_id text NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
  slug text NOT NULL,
  title text NOT NULL,
  kind text NOT NULL,
  destination_url text,
  body text,
  form {{.JSON}},
  file {{.JSON}},
  is_active boolean NOT NULL,
  opens bigint NOT NULL,
  conversions bigint NOT NULL,
  submissions bigint NOT NULL,
  created_by text NOT NULL,
  created_at {{.Time}} NOT NULL,
  updated_at {{.Time}} NOT NULL
);
--bun:split
CREATE UNIQUE INDEX link_slug ON link (lower(slug));
--bun:split
CREATE INDEX link_created ON link (workspace_id, created_at, id);
--bun:split
CREATE TABLE link_variant (
  id text PRIMARY KEY,
  workspace_id text NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
  link_id text NOT NULL REFERENCES link (id) ON DELETE CASCADE,
  position integer NOT NULL,
  destination_url text NOT NULL,
  weight integer NOT NULL,
  opens bigint NOT NULL,
  conversions bigint NOT NULL
);
--bun:split
CREATE INDEX link_variant_link ON link_variant (workspace_id, link_id, position);
--bun:split
CREATE TABLE link_session (
  id text PRIMARY KEY,
  workspace_id text NOT NULL,
  link_id text NOT NULL,
  variant_id text,
  country text NOT NULL,
  city text NOT NULL,
  device text NOT NULL,
  browser text NOT NULL,
  os text NOT NULL,
  referrer text NOT NULL,
  opened_at {{.Time}} NOT NULL
);
--bun:split
CREATE INDEX link_session_link ON link_session (link_id, opened_at, id);
--bun:split
CREATE TABLE link_conversion (
  id text PRIMARY KEY,
  workspace_id text NOT NULL,
  link_id text NOT NULL REFERENCES link (id) ON DELETE CASCADE,
  session_id text NOT NULL,
  variant_id text,
  type text NOT NULL,
  value text NOT NULL,
  created_at {{.Time}} NOT NULL,
  UNIQUE (session_id, type, value)
);
--bun:split
CREATE INDEX link_conversion_link ON link_conversion (link_id, created_at, id);
--bun:split
CREATE TABLE link_submission (
  id text PRIMARY KEY,
  workspace_id text NOT NULL,
  link_id text NOT NULL REFERENCES link (id) ON DELETE CASCADE,
  session_id text,
  email text NOT NULL,
  name text NOT NULL,
  data {{.JSON}} NOT NULL,
  created_at {{.Time}} NOT NULL
);
--bun:split
CREATE INDEX link_submission_link ON link_submission (link_id, created_at, id);
--bun:split
CREATE TABLE link_removed (
  slug text PRIMARY KEY,
  workspace_id text NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
  removed_at {{.Time}} NOT NULL
);
--bun:split
CREATE TABLE link_key (
  id integer PRIMARY KEY,
  secret {{.Bytes}} NOT NULL
);
--bun:split
CREATE TABLE link_journal (
  id text PRIMARY KEY,
  sessions text NOT NULL,
  created_at {{.Time}} NOT NULL
);
