CREATE TABLE persona_interaction (
  id text PRIMARY KEY,
  workspace_id text NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
  persona_id text NOT NULL REFERENCES persona (id) ON DELETE CASCADE,
  session_id text,
  interaction_type text NOT NULL,
  interaction_name text,
  input_content text NOT NULL,
  output_content text NOT NULL,
  document_id text,
  response_language text NOT NULL,
  model text NOT NULL,
  truncated boolean NOT NULL,
  created_by text NOT NULL,
  created_at {{.Time}} NOT NULL
);
--bun:split
CREATE INDEX persona_interaction_persona ON persona_interaction (workspace_id, persona_id, created_at, id);
--bun:split
CREATE INDEX persona_interaction_session ON persona_interaction (workspace_id, session_id, created_at, id);
