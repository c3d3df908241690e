CREATE TABLE llm_call (
  id text PRIMARY KEY,
  workspace_id text NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
  job_id text,
  task text NOT NULL,
  prompt_version text NOT NULL,
  provider text NOT NULL,
  model text NOT NULL,
  prompt_tokens integer NOT NULL,
  answer_tokens integer NOT NULL,
  cost_nanos bigint,
  latency_ms integer NOT NULL,
  outcome text NOT NULL,
  created_at {{.Time}} NOT NULL
);
--bun:split
CREATE INDEX llm_call_page ON llm_call (workspace_id, created_at, id);
--bun:split
CREATE INDEX llm_call_job ON llm_call (job_id, created_at, id) WHERE job_id IS NOT NULL;
