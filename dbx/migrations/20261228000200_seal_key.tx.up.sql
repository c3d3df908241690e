-- The fingerprint of the key that encrypts the signing secrets of webhooks, which is not in the database.
CREATE TABLE seal_key (
  id integer PRIMARY KEY,
  fingerprint text NOT NULL,
  created_at {{.Time}} NOT NULL
);
