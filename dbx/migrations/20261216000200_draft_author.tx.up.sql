ALTER TABLE draft ADD COLUMN author_id text;
