-- Tokens that processes print while there is no workspace; one of them creates the first.
CREATE TABLE setup_token (
  hash {{.Bytes}} PRIMARY KEY
);
