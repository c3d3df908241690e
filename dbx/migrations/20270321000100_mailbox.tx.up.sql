-- Mailboxes as sources, with the position up to which each was read. The password is sealed.
ALTER TABLE source ADD COLUMN mailbox {{.JSON}};
--bun:split
ALTER TABLE source ADD COLUMN password {{.Bytes}};
--bun:split
ALTER TABLE source ADD COLUMN uid_validity bigint NOT NULL DEFAULT 0;
--bun:split
ALTER TABLE source ADD COLUMN uid_seen bigint NOT NULL DEFAULT 0;
--bun:split
ALTER TABLE source ADD COLUMN uid_old bigint NOT NULL DEFAULT 0;
