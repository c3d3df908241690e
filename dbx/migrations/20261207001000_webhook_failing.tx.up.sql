ALTER TABLE webhook ADD COLUMN failing_since {{.Time}};
