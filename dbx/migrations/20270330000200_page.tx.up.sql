-- Pages as sources: the links that begin so are their entries.
ALTER TABLE source ADD COLUMN link_prefix text;
