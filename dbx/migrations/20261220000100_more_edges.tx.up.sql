ALTER TABLE persona_interaction ADD COLUMN job_id text;
--bun:split
ALTER TABLE job ADD COLUMN draft_id text;
--bun:split
UPDATE job SET draft_id = CAST(parameters AS {{.JSON}}) ->> 'draft_id' WHERE job_type = 'narrative_test' AND parameters IS NOT NULL;
--bun:split
CREATE INDEX job_draft ON job (draft_id, created_at, id) WHERE draft_id IS NOT NULL;
--bun:split
ALTER TABLE audience_summary ADD COLUMN evidence {{.JSON}};
--bun:split
CREATE TABLE audience_summary_reaction (
  summary_id text NOT NULL REFERENCES audience_summary (id) ON DELETE CASCADE,
  reaction_id text NOT NULL REFERENCES reaction (id) ON DELETE CASCADE,
  workspace_id text NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
  PRIMARY KEY (summary_id, reaction_id)
);
--bun:split
CREATE INDEX audience_summary_reaction_reaction ON audience_summary_reaction (reaction_id);
