-- The file or page that a document was read from: its name, media type, size, and key in the store of files.
ALTER TABLE document ADD COLUMN original {{.JSON}};
