-- Who may know a new document of which neither the request nor its text says it.
ALTER TABLE workspace ADD COLUMN default_visibility text NOT NULL DEFAULT 'public';
