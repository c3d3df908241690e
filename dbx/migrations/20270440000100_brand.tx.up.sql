-- What readers see of a workspace on its hosted pages, and since when the text of a draft can be read.
CREATE TABLE brand (
  workspace_id text PRIMARY KEY REFERENCES workspace (id) ON DELETE CASCADE,
  name text,
  accent_color text,
  logo {{.JSON}},
  imprint text,
  imprint_url text,
  privacy_url text,
  newsroom_slug text,
  updated_at {{.Time}} NOT NULL
);
--bun:split
CREATE UNIQUE INDEX brand_newsroom ON brand (lower(newsroom_slug));
--bun:split
CREATE TABLE brand_logo (
  id text PRIMARY KEY,
  workspace_id text NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
  content {{.Bytes}} NOT NULL
);
--bun:split
CREATE INDEX brand_logo_workspace ON brand_logo (workspace_id);
--bun:split
ALTER TABLE link ADD COLUMN published_at {{.Time}};
--bun:split
UPDATE link SET published_at = CASE WHEN embargoed_until > created_at THEN embargoed_until ELSE created_at END
WHERE draft_id IS NOT NULL;
--bun:split
CREATE INDEX link_newsroom ON link (workspace_id, published_at, id) WHERE published_at IS NOT NULL;
