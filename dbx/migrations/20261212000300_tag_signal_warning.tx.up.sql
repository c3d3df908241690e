ALTER TABLE signal ADD COLUMN stance_confidence {{.Float}};
--bun:split
UPDATE signal SET stance = 'neutral', stance_confidence = 0 WHERE document_id IN (SELECT document_id FROM signal_extraction WHERE model LIKE 'builtin-%');
--bun:split
ALTER TABLE reaction ADD COLUMN warning text;
