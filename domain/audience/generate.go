package audience

import (
	"context"
	"fmt"
	"time"

	"golang.org/x/sync/errgroup"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/job"
	"rostrum/model"
)

// reactors is how many personas of one job are asked at once.
const reactors = 4

// plan is the input of a job that has personas read a text.
type plan struct {
	DocumentID string   `json:"document_id,omitempty"`
	DraftID    string   `json:"draft_id,omitempty"`
	PersonaIDs []string `json:"persona_ids"`
	Points     []point  `json:"pull_through_priorities,omitempty"` // that the text is to make
}

// point is a pull-through priority as a job keeps it.
type point struct {
	Text  string `json:"text"`
	Level string `json:"level"`
}

// outcome is what a job that has personas react leaves, as callers see it.
type outcome struct {
	DocumentID string            `json:"document_id,omitempty"`
	DraftID    string            `json:"draft_id,omitempty"`
	Personas   int               `json:"personas"`
	Reacted    int               `json:"reacted"` // by this job
	Kept       int               `json:"kept"`    // from before
	Failed     int               `json:"failed"`
	Undone     int               `json:"undone"` // whom it did not come to
	Reactions  []*model.Reaction `json:"reactions"`
}

// GenerateReactions queues a job in which personas react to a document. It fails with budget_exhausted, and with invalid_state while the
// document has no text; a document, persona or category that is not there is a bad field.
func (s *Service) GenerateReactions(ctx context.Context, in model.GenerateReactionsInput, estimate bool) (*model.ReactionJobPayload, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	of, _, err := s.document(ctx, in.DocumentID)
	if err != nil {
		return nil, err
	}
	if of == nil {
		return nil, errs.Invalid(errs.BodyField("unknown_id", "names no document of this workspace", "documentId"))
	}
	readers, err := s.choose(ctx, p.WorkspaceID, choice{in.PersonaIds.Value(), in.Categories.Value()})
	if err != nil {
		return nil, err
	}
	due, _, err := s.due(ctx, of, readers)
	if err != nil {
		return nil, err
	}
	if estimate {
		return s.estimated(ctx, p.WorkspaceID, len(due))
	}
	parameters := plan{DocumentID: of.ID, PersonaIDs: idsOf(readers)}
	started, err := s.enqueue(ctx, p, job.Request{Type: JobReactions, DocumentID: of.ID, Parameters: parameters}, opReactions, len(due), nil)
	if err != nil {
		return nil, fmt.Errorf("generate reactions: %w", err)
	}
	return queued(started), nil
}

// enqueue makes a job together with the reservation of its runs, which locks the workspace, and then with what else belongs to it.
func (s *Service) enqueue(
	ctx context.Context, p model.Principal, r job.Request, operation string, runs int, with func(context.Context, dbx.Tx) error,
) (started *model.Job, err error) {
	r.WorkspaceID, r.UserID = p.WorkspaceID, p.UserID
	err = s.DB.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		if started, err = s.Jobs.Enqueue(ctx, tx, r); err != nil {
			return err
		}
		if err := s.reserve(ctx, tx, started, operation, runs); err != nil || with == nil {
			return err
		}
		return with(ctx, tx)
	})
	if err == nil && runs == 0 {
		err = s.Runs.TellBudget(ctx, p.WorkspaceID)
	}
	return started, err
}

func idsOf(readers []*reader) []string {
	ids := make([]string, len(readers))
	for i, r := range readers {
		ids[i] = r.ID
	}
	return ids
}

func (s *Service) workReactions(ctx context.Context, run *job.Run) (any, error) {
	in, err := job.Parameters[plan](run.Job)
	if err != nil {
		return nil, err
	}
	of, err := s.again(ctx, in)
	if err != nil {
		return nil, err
	}
	return s.readAll(ctx, run, of, in)
}

// readAll has personas react one by one, several at once, and keeps each reaction as soon as it is there. A persona that fails fails alone;
// where all that were asked do, the first failure is the job's.
func (s *Service) readAll(ctx context.Context, run *job.Run, of *subject, in plan) (*outcome, error) {
	readers, err := s.present(ctx, run.Job.WorkspaceID, in.PersonaIDs)
	if err != nil {
		return nil, err
	}
	due, kept, err := s.due(ctx, of, readers)
	if err != nil {
		return nil, err
	}
	w := newWork(s, run, in, kept)
	told := newStudy(of)
	group, some := errgroup.WithContext(ctx)
	group.SetLimit(reactors)
	begun := model.Now()
	for i, r := range due {
		at := begun.Add(time.Duration(i) * time.Microsecond) // so that a list has them in the order in which they were given the text
		group.Go(func() error { return w.one(some, reading{of, r, told, at}) })
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	if w.failure != nil && len(w.out.Reactions) == w.out.Failed {
		return nil, job.Permanent(w.failure)
	}
	w.out.Undone = w.out.Personas - len(w.out.Reactions) // who was deleted meanwhile
	sortBy(readers, w.out.Reactions)
	return w.out, nil
}

// present reads the job's personas; who was deleted meanwhile is left out.
func (s *Service) present(ctx context.Context, workspaceID string, ids []string) ([]*reader, error) {
	rows, err := s.Personas.ByIDs(ctx, workspaceID, ids)
	if err != nil {
		return nil, err
	}
	personas, _ := inOrder(ids, rows)
	return s.readers(ctx, personas)
}
