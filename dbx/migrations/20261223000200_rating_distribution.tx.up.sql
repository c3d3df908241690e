ALTER TABLE reaction ADD COLUMN rating_distribution {{.JSON}};
