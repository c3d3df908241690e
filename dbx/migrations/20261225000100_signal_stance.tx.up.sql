-- A signal has no stance without a text model. The older column may not be null; the release before reads it.
ALTER TABLE signal ADD COLUMN judged_stance text;
--bun:split
UPDATE signal SET judged_stance = stance WHERE stance_confidence IS NULL;
