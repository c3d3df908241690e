package audience

import (
	"context"
	"fmt"
	"time"

	"golang.org/x/sync/errgroup"

	"rostrum/api"
	"rostrum/errs"
	"rostrum/llm/offline"
	"rostrum/model"
	"rostrum/platform/job"
	"rostrum/platform/principal"
)

// reactors is the number of personas that one job asks concurrently.
const reactors = 4

// readingPlan is the input of a job in which personas read a text.
type readingPlan struct {
	DocumentID string       `json:"document_id,omitempty"`
	DraftID    string       `json:"draft_id,omitempty"`
	PersonaIDs []string     `json:"persona_ids"`
	Points     []pointInput `json:"pull_through_priorities,omitempty"` // that the text should cover
}

// pointInput is a stored pull-through priority.
type pointInput struct {
	Text  string `json:"text"`
	Level string `json:"level"`
}

// readingResult is the public result of a reactions job.
type readingResult struct {
	DocumentID string            `json:"document_id,omitempty"`
	DraftID    string            `json:"draft_id,omitempty"`
	Personas   int               `json:"personas"`
	Reacted    int               `json:"reacted"` // by this job
	Kept       int               `json:"kept"`    // stored before this job
	Failed     int               `json:"failed"`
	Undone     int               `json:"undone"` // personas without a reaction
	Reactions  []*model.Reaction `json:"reactions"`
}

// StartReactions queues a job in which personas react to a document. It returns
// errs.BudgetExhausted, errs.InvalidState while the document has no text, and errs.ValidationFailed
// for an unknown document, persona or category.
func (s *Service) StartReactions(ctx context.Context, in api.StartReactionsInput) (*model.StartedJob, error) {
	r, err := s.prepareReactions(ctx, in)
	if err != nil {
		return nil, err
	}
	out, err := s.metered.Start(ctx, r)
	if err != nil {
		return nil, fmt.Errorf("generate reactions: %w", err)
	}
	return out, nil
}

// EstimateReactions returns the cost of StartReactions, and its errors for an invalid request.
func (s *Service) EstimateReactions(ctx context.Context, in api.StartReactionsInput) (*model.Estimate, error) {
	r, err := s.prepareReactions(ctx, in)
	if err != nil {
		return nil, err
	}
	return s.metered.Estimate(ctx, r.Runs)
}

// prepareReactions returns the job of a request, errs.InvalidState or errs.ValidationFailed.
func (s *Service) prepareReactions(ctx context.Context, in api.StartReactionsInput) (job.MeteredRequest, error) {
	p := principal.Must(ctx)
	of, _, err := s.documentSubject(ctx, in.DocumentID)
	if err != nil {
		return job.MeteredRequest{}, err
	}
	if of == nil {
		return job.MeteredRequest{}, errs.Invalid(errs.BodyField("unknown_id", "names no document of this workspace",
			"documentId"))
	}
	readers, err := s.chooseReaders(ctx, p.WorkspaceID, readerChoice{in.PersonaIds.Value(), in.Categories.Value()})
	if err != nil {
		return job.MeteredRequest{}, err
	}
	due, _, err := s.dueReaders(ctx, of, readers)
	if err != nil {
		return job.MeteredRequest{}, err
	}
	return job.MeteredRequest{
		Request: job.Request{Type: JobReactions, DocumentID: of.ID,
			Parameters: readingPlan{DocumentID: of.ID, PersonaIDs: idsOf(readers)}},
		Operation: opReactions, Runs: len(due),
	}, nil
}

func idsOf(readers []*reader) []string {
	ids := make([]string, len(readers))
	for i, r := range readers {
		ids[i] = r.ID
	}
	return ids
}

func (s *Service) workReactions(ctx context.Context, run *job.Run) (any, error) {
	in, err := job.Parameters[readingPlan](run.Job)
	if err != nil {
		return nil, err
	}
	of, err := s.jobSubject(ctx, in)
	if err != nil {
		return nil, err
	}
	return s.readAll(ctx, run, of, in)
}

// readAll asks several personas at the same time and stores each reaction at once. It returns the
// first error if all personas fail.
func (s *Service) readAll(ctx context.Context, run *job.Run, of *subject, in readingPlan) (*readingResult, error) {
	readers, err := s.existingReaders(ctx, run.Job.WorkspaceID, in.PersonaIDs)
	if err != nil {
		return nil, err
	}
	due, kept, err := s.dueReaders(ctx, of, readers)
	if err != nil {
		return nil, err
	}
	w := newWork(s, run, in, kept)
	told := offline.NewStudy(of.Title, of.Read())
	group, some := errgroup.WithContext(ctx)
	group.SetLimit(reactors)
	begun := model.Now()
	for i, r := range due {
		at := begun.Add(time.Duration(i) * time.Microsecond) // distinct times keep the order of the personas in lists
		group.Go(errs.CatchPanic(func() error { return w.readOne(some, personaReading{of, r, told, at}) }))
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	if w.failure != nil && len(w.out.Reactions) == w.out.Failed {
		return nil, job.Permanent(w.failure)
	}
	w.out.Undone = w.out.Personas - len(w.out.Reactions) // deleted since the job was queued
	sortByReaders(readers, w.out.Reactions)
	if of.DocumentID == nil {
		return w.out, nil
	}
	return w.out, s.announceStale(ctx, run.Job.WorkspaceID)
}

// existingReaders returns the job's personas without the deleted ones.
func (s *Service) existingReaders(ctx context.Context, workspaceID string, ids []string) ([]*reader, error) {
	personas, err := s.existingPersonas(ctx, workspaceID, ids)
	if err != nil {
		return nil, err
	}
	return s.readersOf(ctx, personas)
}

// existingPersonas returns the workspace's personas in the order of the ids, without deleted ones.
func (s *Service) existingPersonas(ctx context.Context, workspaceID string, ids []string) ([]*model.Persona, error) {
	rows, err := s.Personas.ByIDs(ctx, workspaceID, ids)
	personas, _ := inOrder(ids, rows)
	return personas, err
}
