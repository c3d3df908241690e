package audience

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	"rostrum/dbx"
	"rostrum/model"
	"rostrum/model/eventdata"
	"rostrum/model/optional"
	"rostrum/platform/job"
)

// readingWork is the state of a job in which personas read.
type readingWork struct {
	*Service
	run     *job.Run
	percent int // share of the job's progress for the reading
	failure error

	mu  sync.Mutex
	out *readingResult
}

// newWork counts the stored reactions, also the ones from an earlier attempt of the job.
func newWork(s *Service, run *job.Run, in readingPlan, kept []*model.Reaction) *readingWork {
	w := &readingWork{Service: s, run: run, percent: 100, out: &readingResult{
		DocumentID: in.DocumentID, DraftID: in.DraftID, Personas: len(in.PersonaIDs), Reactions: slices.Clone(kept),
	}}
	for _, one := range kept {
		if optional.ValueOr(one.OwedBy, "") == run.Job.ID {
			w.out.Reacted++
		} else {
			w.out.Kept++
		}
	}
	if len(in.Points) > 0 {
		w.percent = 90 // the coverage of points follows
	}
	return w
}

// readOne asks a persona unless it has reacted, and stores the reaction with the job's progress. It
// returns only errors that end the job.
func (w *readingWork) readOne(ctx context.Context, r personaReading) error {
	made, err := w.findReaction(ctx, w.DB, r)
	if err != nil {
		return err
	}
	if made == nil {
		err = recoverPanics(ctx, func() (err error) {
			made, err = w.askPersona(ctx, r)
			return err
		})
		if err != nil && (ctx.Err() != nil || !affectsOnePersona(err)) {
			return err
		}
		if err != nil {
			made = r.failedReaction(err, w.Engine.Model())
		}
		made.JobID, made.OwedBy = &w.run.Job.ID, &w.run.Job.ID
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.run.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		if err := w.storeReaction(ctx, tx, r, made, err); err != nil {
			return err
		}
		return w.reportProgress(ctx)
	})
}

// storeReaction stores and counts a reaction. If another job was first, its reaction counts. It
// returns a database error.
func (w *readingWork) storeReaction(ctx context.Context, tx dbx.Tx, r personaReading, made *model.Reaction,
	failure error) error {
	mine := optional.ValueOr(made.OwedBy, "") == w.run.Job.ID
	if mine {
		if err := w.saveReaction(ctx, tx, made); err != nil {
			return err
		}
	}
	there, err := w.findReaction(ctx, tx, r)
	switch {
	case err != nil:
		return err
	case there != nil && there.ID != made.ID:
		w.out.Kept++
		made = there
	case failure != nil:
		w.out.Failed++
		w.failure = failure
	case mine:
		w.out.Reacted++
	default:
		w.out.Kept++
	}
	w.out.Reactions = append(w.out.Reactions, made)
	return nil
}

// reportProgress reports how many personas are done. It returns job.ErrLost if the job was taken.
func (w *readingWork) reportProgress(ctx context.Context) error {
	note := fmt.Sprintf("%d of %d personas", w.out.Reacted+w.out.Kept, w.out.Personas)
	if w.out.Failed > 0 {
		note += fmt.Sprintf(", %d failed", w.out.Failed)
	}
	return w.run.Progress(ctx, w.percent*len(w.out.Reactions)/max(1, w.out.Personas), note)
}

// spentOnReactions returns the runs of the personas that reacted in this job. A job that did not
// complete gets a result with the stored reactions.
func (s *Service) spentOnReactions(ctx context.Context, tx dbx.Tx, of *model.Job, _ error) (int, error) {
	rows, err := takeOwedReactions(ctx, tx, of)
	if err != nil {
		return 0, err
	}
	left := &readingResult{Reactions: rows}
	for _, one := range rows {
		if one.Status == model.ReactionStatusCompleted {
			left.Reacted++
		}
	}
	left.Failed = len(rows) - left.Reacted
	if of.Status == model.JobStatusCompleted {
		return left.Reacted + coverageRuns(of), s.recordReactions(ctx, tx, of)
	}
	in, err := job.Parameters[readingPlan](of)
	if err != nil {
		return 0, err
	}
	known, err := s.countKept(ctx, tx, of.WorkspaceID, in)
	if err != nil {
		return 0, err
	}
	left.DocumentID, left.DraftID, left.Personas = in.DocumentID, in.DraftID, len(in.PersonaIDs)
	left.Kept = max(0, known-left.Reacted)
	left.Undone = max(0, left.Personas-left.Reacted-left.Failed-left.Kept)
	raw, err := json.Marshal(left)
	if err != nil {
		return 0, fmt.Errorf("encode what a job leaves: %w", err)
	}
	result := string(raw)
	of.ResultText = &result
	return left.Reacted, nil
}

// recordReactions tells the feed the figures of a completed job.
func (s *Service) recordReactions(ctx context.Context, tx dbx.Tx, of *model.Job) error {
	var done readingResult
	if of.ResultText == nil {
		return nil
	}
	if err := json.Unmarshal([]byte(*of.ResultText), &done); err != nil {
		return fmt.Errorf("read the result of job %s: %w", of.ID, err)
	}
	var doc *model.Document
	if of.DocumentID != nil {
		doc = new(model.Document)
		err := s.Documents.SelectIn(tx, of.WorkspaceID).Where("d.id = ?", *of.DocumentID).
			Column("d.id", "d.title", "d.source_url", "d.visibility", "d.embargoed_until").Scan(ctx, doc)
		if err != nil { // deleted since
			_, err = dbx.NilIfNotFound(doc, err)
			return err
		}
	}
	if doc != nil || of.DraftID != nil {
		s.RecordReactions(tx, of, doc, eventdata.ReactionsCompleted{Personas: done.Personas, Reacted: done.Reacted,
			Kept: done.Kept, Failed: done.Failed})
	}
	return nil
}

// coverageRuns returns the runs spent on coverage according to the job's result.
func coverageRuns(of *model.Job) int {
	var out struct{ Coverage []json.RawMessage }
	if of.ResultText == nil || json.Unmarshal([]byte(*of.ResultText), &out) != nil || len(out.Coverage) == 0 {
		return 0
	}
	return coverageRun
}

// reactionsRetryRuns returns one run for each persona that has not reacted yet.
func (s *Service) reactionsRetryRuns(ctx context.Context, failed *model.Job) (int, error) {
	in, err := job.Parameters[readingPlan](failed)
	if err != nil {
		return 0, err
	}
	of, err := s.jobSubject(ctx, in)
	if err != nil {
		return 0, err
	}
	readers, err := s.existingReaders(ctx, failed.WorkspaceID, in.PersonaIDs)
	if err != nil {
		return 0, err
	}
	due, _, err := s.dueReaders(ctx, of, readers)
	return len(due), err
}
