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
	"rostrum/job"
	"rostrum/model"
)

// backfillTime bounds one backfill: 2,000 documents at a text model's usual pace.
const backfillTime = 4 * time.Hour

// sweepBatch is how many documents are looked through between two transactions, and sweepers how many at once.
const (
	sweepBatch = 50
	sweepers   = 4
)

// backfillResult is what comes of a backfill.
type backfillResult struct {
	TagID  string   `json:"tag_id"`
	DryRun bool     `json:"dry_run"`
	Looked int      `json:"looked"`
	Hidden []string `json:"hidden"` // documents that left the list, or would
	Model  string   `json:"model"`
}

// workBackfill looks through the job's documents batch by batch. What was kept before it was interrupted is not looked at again.
func (s *Service) workBackfill(ctx context.Context, run *job.Run) (any, error) {
	in, err := job.Parameters[backfillParameters](run.Job)
	if err != nil {
		return nil, err
	}
	tags, err := s.definitions(ctx, run.Job.WorkspaceID, []string{in.TagID})
	if err != nil {
		return nil, err
	}
	if len(tags) == 0 {
		return nil, job.Permanent(errs.New(errs.NotFound, "the filter was deleted"))
	}
	for {
		checks, err := s.waitingChecks(ctx, run.Job.ID, sweepBatch)
		if err != nil {
			return nil, err
		}
		if len(checks) == 0 {
			break
		}
		if err := s.sweep(ctx, run, in, tags, checks); err != nil {
			return nil, err
		}
	}
	b, err := s.backfillOf(ctx, s.db, run.Job.ID)
	if err != nil {
		return nil, err
	}
	return backfillResult{in.TagID, in.DryRun, b.Looked, b.Hidden, s.engine.Model()}, nil
}

// sweep looks through one batch and keeps all that was found, also when the text model failed on one document, which ends the job.
func (s *Service) sweep(ctx context.Context, run *job.Run, in backfillParameters, tags []*definition, checks []*check) error {
	verdicts, fresh, failure := s.lookAll(ctx, tags, checks)
	if err := s.postpone(ctx, run, tags[0], failure); err != nil {
		return err
	}
	if len(verdicts) == 0 && failure != nil {
		return failure
	}
	var hidden []string
	err := run.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		c, err := s.keep(ctx, tx, run.Job.WorkspaceID, tags, verdicts)
		if err != nil {
			return err
		}
		if hidden = c.hidden; in.DryRun {
			return errDry
		}
		return s.swept(ctx, tx, run, in, checks, verdicts, fresh, hidden)
	})
	if errors.Is(err, errDry) {
		err = run.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
			if _, err := s.lockWorkspace(ctx, tx, run.Job.WorkspaceID); err != nil {
				return err
			}
			if err := previewed(ctx, tx, run.Job.ID, tags, verdicts); err != nil {
				return err
			}
			return s.swept(ctx, tx, run, in, checks, verdicts, fresh, hidden)
		})
	}
	return errors.Join(err, failure)
}

// swept counts a batch in its transaction. Documents that are gone, or have no text any more, leave the job's checks.
func (s *Service) swept(
	ctx context.Context, tx dbx.Tx, run *job.Run, in backfillParameters, checks []*check, verdicts []*verdict, fresh int, hidden []string,
) error {
	if err := dropUnlooked(ctx, tx, run.Job.ID, checks, verdicts); err != nil {
		return err
	}
	b, err := s.backfillOf(ctx, tx, run.Job.ID)
	if err != nil {
		return err
	}
	b.Looked, b.Spent, b.Hidden = b.Looked+len(verdicts), b.Spent+fresh, append(b.Hidden, hidden...)
	if err := saveBackfill(ctx, tx, b); err != nil {
		return err
	}
	note := fmt.Sprintf("%d of %d documents", b.Looked, in.Documents)
	return run.Progress(ctx, 100*b.Looked/max(in.Documents, 1), note)
}

// lookAll looks through the documents of a batch, several at once; fresh counts those that a model was asked about. After the first
// failure no further one is begun.
func (s *Service) lookAll(ctx context.Context, tags []*definition, checks []*check) (verdicts []*verdict, fresh int, failure error) {
	docs, err := s.documentsOf(ctx, tags[0].WorkspaceID, checks)
	if err != nil {
		return nil, 0, err
	}
	found := make([]*verdict, len(checks))
	group, some := errgroup.WithContext(ctx)
	group.SetLimit(sweepers)
	for i, c := range checks {
		doc := docs[c.DocumentID]
		if doc == nil {
			continue
		}
		if c.Verdict != nil {
			found[i] = saved(c)
			continue
		}
		fresh++
		group.Go(func() (err error) {
			if found[i], err = s.look(some, doc, tags); err != nil {
				return &lookFailure{doc.ID, err}
			}
			return nil
		})
	}
	failure = group.Wait()
	for i, v := range found {
		if v != nil {
			verdicts = append(verdicts, v)
		} else if failure != nil && docs[checks[i].DocumentID] != nil {
			fresh--
		}
	}
	return verdicts, fresh, failure
}

// lookFailure says which document it was that a text model failed on first.
type lookFailure struct {
	documentID string
	cause      error
}

func (f *lookFailure) Error() string { return f.cause.Error() }

// Unwrap gives the text model's own failure.
func (f *lookFailure) Unwrap() error { return f.cause }

// postpone puts a document that a text model failed on behind all others, so that one that it cannot read does not stop every backfill.
func (s *Service) postpone(ctx context.Context, run *job.Run, t *definition, failure error) error {
	f, ok := errors.AsType[*lookFailure](failure)
	if !ok || !errs.Is(f, errs.ModelFailed) && !errs.Is(f, errs.ModelTimeout) {
		return nil
	}
	c := newCheck(t.AutoTag, f.documentID)
	c.State = checkFailed
	return run.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		if _, err := s.lockWorkspace(ctx, tx, run.Job.WorkspaceID); err != nil {
			return err
		}
		return saveChecks(ctx, tx, []*check{c})
	})
}

// saved is the verdict of a dry run.
func saved(c *check) *verdict {
	v := &verdict{documentID: c.DocumentID}
	var kept preview
	if json.Unmarshal(c.Verdict, &kept) == nil {
		v.found, v.model = kept.Found, kept.Model
	}
	return v
}

// preview is a verdict as a dry run keeps it.
type preview struct {
	Found []finding `json:"found"`
	Model string    `json:"model"`
}

// previewed keeps the verdicts of a dry run for the backfill that does as it says.
func previewed(ctx context.Context, tx dbx.Tx, jobID string, tags []*definition, verdicts []*verdict) error {
	rows := make([]*check, len(verdicts))
	for i, v := range verdicts {
		text, err := json.Marshal(preview{v.found, v.model})
		if err != nil {
			return fmt.Errorf("keep a dry run: %w", err)
		}
		rows[i] = newCheck(tags[0].AutoTag, v.documentID)
		rows[i].State, rows[i].Verdict = checkPreview, text
	}
	return saveChecks(ctx, tx, rows)
}

// endedBackfill spends the runs of the documents that were looked through, gives back the rest, and lets go of what was not reached.
func (s *Service) endedBackfill(ctx context.Context, tx dbx.Tx, j *model.Job, _ error) error {
	if _, err := s.lockWorkspace(ctx, tx, j.WorkspaceID); err != nil {
		return err
	}
	b, err := s.backfillOf(ctx, tx, j.ID)
	if err != nil {
		return err
	}
	if err := s.runs.Settle(ctx, tx, j.ID, b.Spent); err != nil {
		return err
	}
	return letGo(ctx, tx, j.ID)
}
