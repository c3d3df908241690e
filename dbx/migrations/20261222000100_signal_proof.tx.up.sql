-- How the text proves the speaker of a signal, and the place of the name that proves it. Signals found before have none.
ALTER TABLE signal ADD COLUMN speaker_proof text;
--bun:split
ALTER TABLE signal ADD COLUMN speaker_start integer;
--bun:split
ALTER TABLE signal ADD COLUMN speaker_end integer;
