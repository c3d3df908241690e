-- The aliases that a person removed, which texts do not add again.
CREATE TABLE company_removed_alias (
  party_id text NOT NULL REFERENCES company (id) ON DELETE CASCADE,
  name_key text NOT NULL,
  PRIMARY KEY (party_id, name_key)
);
--bun:split
CREATE TABLE executive_removed_alias (
  party_id text NOT NULL REFERENCES executive (id) ON DELETE CASCADE,
  name_key text NOT NULL,
  PRIMARY KEY (party_id, name_key)
);
