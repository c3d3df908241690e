ALTER TABLE reaction ADD COLUMN observed_rating {{.Float}};
--bun:split
CREATE INDEX reaction_observed ON reaction (persona_id) WHERE observed_rating IS NOT NULL;
