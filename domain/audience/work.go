package audience

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	"rostrum/dbx"
	"rostrum/job"
	"rostrum/model"
)

// work is a job in which personas read, as far as it has come.
type work struct {
	*Service
	run     *job.Run
	percent int // of the job's progress that the reading is
	failure error

	mu  sync.Mutex
	out *outcome
}

// newWork counts what is kept: from before, or from an earlier try of the same job.
func newWork(s *Service, run *job.Run, in plan, kept []*model.Reaction) *work {
	w := &work{Service: s, run: run, percent: 100, out: &outcome{
		DocumentID: in.DocumentID, DraftID: in.DraftID, Personas: len(in.PersonaIDs), Reactions: slices.Clone(kept),
	}}
	for _, one := range kept {
		if model.ValueOr(one.OwedBy, "") == run.Job.ID {
			w.out.Reacted++
		} else {
			w.out.Kept++
		}
	}
	if len(in.Points) > 0 {
		w.percent = 90 // the points come behind it
	}
	return w
}

// one asks a persona, unless another job has had it react by now, and keeps its reaction together with the job's progress.
func (w *work) one(ctx context.Context, r reading) error {
	made, err := w.standing(ctx, w.DB, r)
	if err != nil {
		return err
	}
	if made == nil {
		err = guarded(ctx, func() (err error) {
			made, err = w.react(ctx, r)
			return err
		})
		if err != nil && (ctx.Err() != nil || !alone(err)) {
			return err
		}
		if err != nil {
			made = r.failed(err, w.Engine.Model())
		}
		made.OwedBy = &w.run.Job.ID
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.run.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		if err := w.keep(ctx, tx, r, made, err); err != nil {
			return err
		}
		return w.tell(ctx)
	})
}

// keep stores a reaction and counts it. One that another job has stored meanwhile stays, and counts in its place.
func (w *work) keep(ctx context.Context, tx dbx.Tx, r reading, made *model.Reaction, failure error) error {
	mine := model.ValueOr(made.OwedBy, "") == w.run.Job.ID
	if mine {
		if err := keep(ctx, tx, made); err != nil {
			return err
		}
	}
	there, err := w.standing(ctx, tx, r)
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

// tell is the progress, persona by persona.
func (w *work) tell(ctx context.Context) error {
	note := fmt.Sprintf("%d of %d personas", w.out.Reacted+w.out.Kept, w.out.Personas)
	if w.out.Failed > 0 {
		note += fmt.Sprintf(", %d failed", w.out.Failed)
	}
	return w.run.Progress(ctx, w.percent*len(w.out.Reactions)/max(1, w.out.Personas), note)
}

// endedReactions spends the runs of the personas that reacted and gives back the rest. A job that did not end well tells what it leaves.
func (s *Service) endedReactions(ctx context.Context, tx dbx.Tx, of *model.Job) error {
	rows, err := settled(ctx, tx, of)
	if err != nil {
		return err
	}
	left := &outcome{Reactions: rows}
	for _, one := range rows {
		if one.Status == model.ReactionStatusCompleted {
			left.Reacted++
		}
	}
	left.Failed = len(rows) - left.Reacted
	if of.Status == model.JobStatusCompleted {
		return s.Runs.Settle(ctx, tx, of.ID, left.Reacted+coverageRuns(of))
	}
	in, err := job.Parameters[plan](of)
	if err != nil {
		return err
	}
	known, err := countKept(ctx, tx, of.WorkspaceID, in)
	if err != nil {
		return err
	}
	left.DocumentID, left.DraftID, left.Personas = in.DocumentID, in.DraftID, len(in.PersonaIDs)
	left.Kept = max(0, known-left.Reacted)
	left.Undone = max(0, left.Personas-left.Reacted-left.Failed-left.Kept)
	raw, err := json.Marshal(left)
	if err != nil {
		return fmt.Errorf("encode what a job leaves: %w", err)
	}
	result := string(raw)
	of.Result = &result
	return s.Runs.Settle(ctx, tx, of.ID, left.Reacted)
}

// coverageRuns is what a job spent on the points of its text, as its result tells.
func coverageRuns(of *model.Job) int {
	var out struct{ Coverage []json.RawMessage }
	if of.Result == nil || json.Unmarshal([]byte(*of.Result), &out) != nil || len(out.Coverage) == 0 {
		return 0
	}
	return coverageRun
}

// retriedReactions is what a job costs that a caller runs again: those who have not reacted meanwhile.
func (s *Service) retriedReactions(ctx context.Context, again *model.Job) (int, error) {
	in, err := job.Parameters[plan](again)
	if err != nil {
		return 0, err
	}
	of, err := s.again(ctx, in)
	if err != nil {
		return 0, err
	}
	readers, err := s.present(ctx, again.WorkspaceID, in.PersonaIDs)
	if err != nil {
		return 0, err
	}
	due, _, err := s.due(ctx, of, readers)
	return len(due), err
}
