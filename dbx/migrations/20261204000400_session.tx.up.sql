CREATE TABLE user_session (
  token text PRIMARY KEY,
  data {{.Bytes}} NOT NULL,
  expires_at {{.Time}} NOT NULL
);
--bun:split
ALTER TABLE app_user ADD COLUMN sessions_since {{.Time}};
