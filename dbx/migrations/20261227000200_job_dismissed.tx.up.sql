ALTER TABLE job ADD COLUMN dismissed_at {{.Time}};
--bun:split
-- The failed jobs of documents that were deleted need nobody's attention.
UPDATE job SET dismissed_at = completed_at WHERE status = 'failed' AND document_id IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM document WHERE document.id = job.document_id);
