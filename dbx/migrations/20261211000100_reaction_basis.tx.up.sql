ALTER TABLE reaction ADD COLUMN basis text NOT NULL DEFAULT 'model';
--bun:split
ALTER TABLE reaction ADD COLUMN confidence {{.Float}};
--bun:split
UPDATE reaction SET basis = 'extract' WHERE model LIKE 'builtin-%';
