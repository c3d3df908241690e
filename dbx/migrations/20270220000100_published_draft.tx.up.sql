-- The hosted pages of approved drafts.
ALTER TABLE draft ADD COLUMN link_id text;
--bun:split
ALTER TABLE draft ADD COLUMN published_version_id text;
--bun:split
ALTER TABLE link ADD COLUMN draft_id text REFERENCES draft (id) ON DELETE SET NULL;
--bun:split
ALTER TABLE link ADD COLUMN language text;
--bun:split
ALTER TABLE link ADD COLUMN embargoed_until {{.Time}};
--bun:split
ALTER TABLE link ADD COLUMN withdrawn_at {{.Time}};
--bun:split
ALTER TABLE link ADD COLUMN withdrawal_reason text;
--bun:split
CREATE INDEX link_draft ON link (draft_id);
