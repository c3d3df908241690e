-- A user's authenticator app. Until it is confirmed, only pending has a secret.
CREATE TABLE second_factor (
  user_id text PRIMARY KEY REFERENCES app_user (id) ON DELETE CASCADE,
  secret {{.Bytes}},
  pending {{.Bytes}},
  confirmed_at {{.Time}},
  last_step bigint NOT NULL DEFAULT 0
);
--bun:split
CREATE TABLE recovery_code (
  user_id text NOT NULL REFERENCES app_user (id) ON DELETE CASCADE,
  hash {{.Bytes}} NOT NULL,
  PRIMARY KEY (user_id, hash)
);
