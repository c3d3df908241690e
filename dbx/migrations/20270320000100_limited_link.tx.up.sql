-- Links that end by time or after a number of opens, and links with a password.
ALTER TABLE link ADD COLUMN expires_at {{.Time}};
--bun:split
ALTER TABLE link ADD COLUMN max_opens bigint;
--bun:split
ALTER TABLE link ADD COLUMN taken_opens bigint NOT NULL DEFAULT 0;
--bun:split
ALTER TABLE link ADD COLUMN password_hash text;
