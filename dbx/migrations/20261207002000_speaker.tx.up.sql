ALTER TABLE signal_extraction ADD COLUMN omitted integer NOT NULL DEFAULT 0;

--bun:split

UPDATE signal SET executive = NULL WHERE attributed;

--bun:split

DELETE FROM insight;
