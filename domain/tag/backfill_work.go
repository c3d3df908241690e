package tag

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"golang.org/x/sync/errgroup"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/platform/job"
)

// backfillTimeout limits a backfill: 2,000 documents at the usual speed of a text model.
const backfillTimeout = 4 * time.Hour

// backfillBatch is the number of documents per transaction. backfillConcurrency limits concurrent
// model calls.
const (
	backfillBatch       = 50
	backfillConcurrency = 4
)

// backfillResult is the public result of a backfill job.
type backfillResult struct {
	TagID  string   `json:"tag_id"`
	DryRun bool     `json:"dry_run"`
	Looked int      `json:"looked"`
	Hidden []string `json:"hidden"` // documents that were hidden, or would be
	Model  string   `json:"model"`
}

// workBackfill reads the job's documents in batches. After an interruption it continues with the
// first batch that is not stored.
func (s *Service) workBackfill(ctx context.Context, run *job.Run) (any, error) {
	in, err := job.Parameters[backfillParameters](run.Job)
	if err != nil {
		return nil, err
	}
	tags, err := s.loadDefinitions(ctx, run.Job.WorkspaceID, []string{in.TagID})
	if err != nil {
		return nil, err
	}
	if len(tags) == 0 {
		return nil, job.Permanent(errs.New(errs.NotFound, "the filter was deleted"))
	}
	for {
		checks, err := s.queuedChecks(ctx, run.Job.ID, backfillBatch)
		if err != nil {
			return nil, err
		}
		if len(checks) == 0 {
			break
		}
		if err := s.processBatch(ctx, run, in, tags, checks); err != nil {
			return nil, err
		}
	}
	b, err := s.backfillByJob(ctx, s.db, run.Job.ID)
	if err != nil {
		return nil, err
	}
	return backfillResult{in.TagID, in.DryRun, b.Looked, b.Hidden, s.engine.Model()}, nil
}

// processBatch reads one batch and stores all findings. If the text model fails on a document, it
// still stores the others and then ends the job.
func (s *Service) processBatch(ctx context.Context, run *job.Run, in backfillParameters, tags []*tagDefinition,
	checks []*tagCheck) error {
	results, unread, failure := s.findAllValues(ctx, tags, checks)
	if err := s.postponeDocument(ctx, run, tags[0], failure); err != nil {
		return err
	}
	if len(results) == 0 && failure != nil {
		return failure
	}
	var hidden []string
	err := run.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		c, err := s.storeFindings(ctx, tx, run.Job.WorkspaceID, tags, results)
		if err != nil {
			return err
		}
		if hidden = c.hidden; in.DryRun {
			return errDryRun
		}
		return s.recordBatch(ctx, tx, run, in, checks, results, unread, hidden)
	})
	if errors.Is(err, errDryRun) {
		err = run.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
			if _, err := s.accounts.LockWorkspace(ctx, tx, run.Job.WorkspaceID); err != nil {
				return err
			}
			if err := savePreviews(ctx, tx, tags, results); err != nil {
				return err
			}
			return s.recordBatch(ctx, tx, run, in, checks, results, unread, hidden)
		})
	}
	return errors.Join(err, failure)
}

// recordBatch adds a batch to the job's progress in the same transaction. It removes checks of
// documents that were deleted or lost their text.
func (s *Service) recordBatch(
	ctx context.Context, tx dbx.Tx, run *job.Run, in backfillParameters, checks []*tagCheck,
	results []*documentFindings, unread int, hidden []string,
) error {
	if err := deleteUnreadChecks(ctx, tx, run.Job.ID, checks, results); err != nil {
		return err
	}
	b, err := s.backfillByJob(ctx, tx, run.Job.ID)
	if err != nil {
		return err
	}
	b.Looked, b.Spent, b.Hidden = b.Looked+len(results), b.Spent+unread, append(b.Hidden, hidden...)
	if err := saveBackfill(ctx, tx, b); err != nil {
		return err
	}
	progress := fmt.Sprintf("%d of %d documents", b.Looked, in.Documents)
	return run.Progress(ctx, 100*b.Looked/max(in.Documents, 1), progress)
}

// findAllValues reads a batch's documents concurrently and returns how many a model read. After the
// first error it starts no further calls.
func (s *Service) findAllValues(
	ctx context.Context, tags []*tagDefinition, checks []*tagCheck,
) (results []*documentFindings, unread int, failure error) {
	docs, err := s.documentsOfChecks(ctx, tags[0].WorkspaceID, checks)
	if err != nil {
		return nil, 0, err
	}
	found := make([]*documentFindings, len(checks))
	group, some := errgroup.WithContext(ctx)
	group.SetLimit(backfillConcurrency)
	for i, c := range checks {
		doc := docs[c.DocumentID]
		if doc == nil {
			continue
		}
		if c.Verdict != nil {
			found[i] = storedFindings(c)
			continue
		}
		unread++
		group.Go(errs.CatchPanic(func() (err error) {
			if found[i], err = s.findValues(some, doc, tags); err != nil {
				return &documentError{doc.ID, err}
			}
			return nil
		}))
	}
	failure = group.Wait()
	for i, v := range found {
		if v != nil {
			results = append(results, v)
		} else if failure != nil && docs[checks[i].DocumentID] != nil {
			unread--
		}
	}
	return results, unread, failure
}

// documentError is a text model's error with the id of its document.
type documentError struct {
	documentID string
	cause      error
}

func (f *documentError) Error() string { return f.cause.Error() }

// Unwrap returns the text model's error.
func (f *documentError) Unwrap() error { return f.cause }

// postponeDocument moves a document that a text model failed on to the end. Otherwise an unreadable
// document would stop every backfill.
func (s *Service) postponeDocument(ctx context.Context, run *job.Run, t *tagDefinition, failure error) error {
	f, ok := errors.AsType[*documentError](failure)
	if !ok || !errs.Is(f, errs.ModelFailed) && !errs.Is(f, errs.ModelTimeout) {
		return nil
	}
	c := newCheck(t.AutoTag, f.documentID)
	c.State = checkFailed
	return run.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		if _, err := s.accounts.LockWorkspace(ctx, tx, run.Job.WorkspaceID); err != nil {
			return err
		}
		return saveChecks(ctx, tx, []*tagCheck{c})
	})
}

// storedFindings returns the findings of a dry run.
func storedFindings(c *tagCheck) *documentFindings {
	v := &documentFindings{documentID: c.DocumentID}
	var stored storedPreview
	if json.Unmarshal(c.Verdict, &stored) == nil {
		v.findings, v.model = stored.Found, stored.Model
	}
	return v
}

// storedPreview is the JSON of a dry run's findings.
type storedPreview struct {
	Found []finding `json:"found"`
	Model string    `json:"model"`
}

// savePreviews stores the findings of a dry run for a later backfill.
func savePreviews(ctx context.Context, tx dbx.Tx, tags []*tagDefinition, results []*documentFindings) error {
	rows := make([]*tagCheck, len(results))
	for i, v := range results {
		text, err := json.Marshal(storedPreview{v.findings, v.model})
		if err != nil {
			return fmt.Errorf("encode the result of a dry run: %w", err)
		}
		rows[i] = newCheck(tags[0].AutoTag, v.documentID)
		rows[i].State, rows[i].Verdict = checkPreview, text
	}
	return saveChecks(ctx, tx, rows)
}

// spentRuns returns the runs that an ended backfill spent: one for each document that a model read.
func (s *Service) spentRuns(ctx context.Context, tx dbx.Tx, j *model.Job, _ error) (int, error) {
	if _, err := s.accounts.LockWorkspace(ctx, tx, j.WorkspaceID); err != nil {
		return 0, err
	}
	b, err := s.backfillByJob(ctx, tx, j.ID)
	return b.Spent, err
}
