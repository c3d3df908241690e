ALTER TABLE job ADD COLUMN rescue_count integer NOT NULL DEFAULT 0;
