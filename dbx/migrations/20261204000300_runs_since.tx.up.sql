ALTER TABLE workspace ADD COLUMN runs_since {{.Time}};
