-- The person who says a signal, as the text names him or her, also if the text does not prove it. Older signals have the proved ones.
ALTER TABLE signal ADD COLUMN speaker_name text;
--bun:split
UPDATE signal SET speaker_name = executive WHERE executive IS NOT NULL;
