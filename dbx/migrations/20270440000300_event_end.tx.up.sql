-- The percentage of the run budget that the period's last budget.reached told, or 0.
ALTER TABLE workspace ADD COLUMN budget_told integer NOT NULL DEFAULT 0;
--bun:split
UPDATE workspace SET budget_told = CASE WHEN run_limit <= 0 OR runs_used >= run_limit THEN 100
  WHEN runs_used * 100 >= run_limit * 80 THEN 80 WHEN runs_used * 100 >= run_limit * 50 THEN 50 ELSE 0 END;
--bun:split
-- How often a webhook was paused or resumed, and which of these changes the feed has.
ALTER TABLE webhook ADD COLUMN switches integer NOT NULL DEFAULT 0;
--bun:split
ALTER TABLE webhook ADD COLUMN announced integer NOT NULL DEFAULT 0;
--bun:split
-- When the feed told that a summary is stale; null while it is not.
ALTER TABLE audience_summary ADD COLUMN stale_since {{.Time}};
