CREATE TABLE persona (
  seq {{.Serial}},
  id text NOT NULL UNIQUE,
  workspace_id text NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
  name text NOT NULL,
  category text NOT NULL,
  description text NOT NULL,
  communication_style text NOT NULL,
  concerns text NOT NULL,
  interests text NOT NULL,
  tone text NOT NULL,
  instructions text NOT NULL,
  template text NOT NULL,
  template_built boolean NOT NULL,
  avatar_prompt text,
  avatar_source text NOT NULL,
  avatar_url text NOT NULL,
  entity_kind text NOT NULL,
  entity_kind_resolved text NOT NULL,
  external_sources {{.JSON}} NOT NULL,
  social_links {{.JSON}} NOT NULL,
  grounded_statements {{.JSON}} NOT NULL,
  health_state {{.JSON}} NOT NULL,
  writing_sample_document_ids {{.JSON}} NOT NULL,
  default_voice_profile_id text,
  source_persona_id text,
  voice_visibility text NOT NULL,
  response_language text NOT NULL,
  include_in_audience boolean NOT NULL,
  include_in_voice_list boolean NOT NULL,
  is_active boolean NOT NULL,
  created_by text NOT NULL,
  created_at {{.Time}} NOT NULL,
  updated_at {{.Time}} NOT NULL
);
--bun:split
CREATE INDEX persona_created ON persona (workspace_id, created_at, id);
--bun:split
CREATE INDEX persona_name ON persona (workspace_id, name);
--bun:split
CREATE INDEX persona_category ON persona (workspace_id, category);
--bun:split
{{.Search "persona" "name" "description" "category"}}
--bun:split
CREATE TABLE persona_feedback (
  id text PRIMARY KEY,
  workspace_id text NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
  persona_id text NOT NULL REFERENCES persona (id) ON DELETE CASCADE,
  feedback_type text NOT NULL,
  description text NOT NULL,
  interaction_id text,
  message_content text,
  message_id text,
  persona_mode text,
  persona_name text,
  session_id text,
  metadata {{.JSON}},
  created_by text NOT NULL,
  created_at {{.Time}} NOT NULL
);
--bun:split
CREATE INDEX persona_feedback_persona ON persona_feedback (persona_id, created_at);
--bun:split
CREATE TABLE persona_refinement (
  id text PRIMARY KEY,
  workspace_id text NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
  persona_id text NOT NULL REFERENCES persona (id) ON DELETE CASCADE,
  feedback_id text NOT NULL REFERENCES persona_feedback (id) ON DELETE CASCADE,
  instruction text NOT NULL,
  created_at {{.Time}} NOT NULL
);
--bun:split
CREATE INDEX persona_refinement_persona ON persona_refinement (workspace_id, persona_id, created_at, id);
