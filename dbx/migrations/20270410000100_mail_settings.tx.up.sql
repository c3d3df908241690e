-- What a member gets by mail, and how far the mails have told it.
CREATE TABLE mail_settings (
  workspace_id text NOT NULL,
  user_id text NOT NULL,
  alerts {{.JSON}},
  briefing_hour integer,
  time_zone text NOT NULL,
  language text NOT NULL,
  alerted_position bigint NOT NULL,
  alerted_at {{.Time}},
  briefed_position bigint NOT NULL,
  briefing_at {{.Time}},
  PRIMARY KEY (workspace_id, user_id),
  FOREIGN KEY (workspace_id, user_id) REFERENCES membership (workspace_id, user_id) ON DELETE CASCADE
);
--bun:split
CREATE INDEX mail_settings_briefing ON mail_settings (briefing_at);
--bun:split
-- What a mail is composed of, besides its subject.
ALTER TABLE mail ADD COLUMN detail {{.JSON}};
