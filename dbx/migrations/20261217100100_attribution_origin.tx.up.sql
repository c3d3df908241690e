-- Where each part of a document's attribution comes from, and the language of the texts that a voice is tuned on.
ALTER TABLE document ADD COLUMN origins {{.JSON}} NOT NULL DEFAULT '{}';
--bun:split
ALTER TABLE executive_voice ADD COLUMN language text;
