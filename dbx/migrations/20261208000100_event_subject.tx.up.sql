-- The session, conversion, submission, document or job that an event is about.
ALTER TABLE event ADD COLUMN subject_id text;
