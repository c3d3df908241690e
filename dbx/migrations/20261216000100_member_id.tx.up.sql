ALTER TABLE membership ADD COLUMN id text;
--bun:split
UPDATE membership SET id = 'mbr_' || substr(workspace_id, 5) || substr(user_id, 5);
--bun:split
CREATE UNIQUE INDEX membership_id ON membership (id);
--bun:split
CREATE INDEX membership_joined ON membership (workspace_id, created_at, id);
