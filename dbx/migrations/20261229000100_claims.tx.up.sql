-- A signal's statement is its quote; what a text model makes of it is kept as a paraphrase.
ALTER TABLE signal ADD COLUMN paraphrase text;
--bun:split
UPDATE signal SET paraphrase = statement, statement = quote WHERE statement <> quote;
--bun:split
ALTER TABLE signal_extraction ADD COLUMN dropped integer NOT NULL DEFAULT 0;
--bun:split
ALTER TABLE persona ADD COLUMN drafted_by_model boolean NOT NULL DEFAULT FALSE;
--bun:split
ALTER TABLE reaction ADD COLUMN stance text;
