package executive

import (
	"context"
	"errors"
	"fmt"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/job"
	"rostrum/llm"
	"rostrum/model"
)

// Signals finds what a document's text says and keeps it for the text as it is; what is kept costs nothing. It fails with workspace_mismatch when
// the request names another workspace, with validation_failed for an unknown document, with invalid_state while the document is being made or
// has no text, with budget_exhausted, and as the text model does.
func (s *Service) Signals(ctx context.Context, in model.WorkspaceSignalsInput, estimate bool) (*model.WorkspaceSignalsPayload, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	doc, kept, err := s.asked(ctx, p.WorkspaceID, in)
	if err != nil {
		return nil, err
	}
	switch {
	case estimate:
		costs, err := s.estimate(ctx, p.WorkspaceID, costOf(kept))
		return &model.WorkspaceSignalsPayload{Estimate: costs}, err
	case kept:
		if err := s.Accounts.TellBudget(ctx, p.WorkspaceID); err != nil {
			return nil, err
		}
		return s.signalsPayload(ctx, doc)
	}
	err = s.Accounts.Spend(ctx, p.WorkspaceID, opSignals, oneRun, func(ctx context.Context) (Finish, error) {
		found, err := llm.Within(ctx, callTime, func(ctx context.Context) (*extraction, error) { return s.extract(ctx, doc) })
		return func(ctx context.Context, tx dbx.Tx) error { return s.keepExtraction(ctx, tx, found) }, err
	})
	if err != nil && !errors.Is(err, errKept) {
		return nil, fmt.Errorf("find signals: %w", err)
	}
	return s.signalsPayload(ctx, doc)
}

// SignalsAsync is Signals by a job; it fails as that does, but for what the text model does.
func (s *Service) SignalsAsync(ctx context.Context, in model.WorkspaceSignalsInput) (*model.JobRef, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	doc, kept, err := s.asked(ctx, p.WorkspaceID, in)
	if err != nil {
		return nil, err
	}
	return s.enqueue(ctx, p, job.Request{Type: JobSignals, DocumentID: doc.ID, Parameters: signalsParameters{doc.ID}}, opSignals, costOf(kept))
}

// signalsParameters are the input of a job that finds signals, as callers see it.
type signalsParameters struct {
	DocumentID string `json:"document_id"`
}

// costOf is what looking through a document costs.
func costOf(kept bool) int {
	if kept {
		return 0
	}
	return oneRun
}

// asked reads the document of a request and tells whether its signals are kept.
func (s *Service) asked(ctx context.Context, workspaceID string, in model.WorkspaceSignalsInput) (*model.Document, bool, error) {
	if named := in.WorkspaceID.Value(); named != nil && *named != workspaceID {
		return nil, false, errs.New(errs.WorkspaceMismatch, "workspace_id names another workspace than the key's: leave it out, or use a key of that workspace")
	}
	doc, err := s.readable(ctx, workspaceID, in.DocumentID)
	if errs.Is(err, errs.NotFound) {
		return nil, false, errs.Invalid(errs.BodyField("unknown_id", "names no document of this workspace", "documentId"))
	}
	if err != nil {
		return nil, false, err
	}
	kept, err := s.isKept(ctx, doc)
	return doc, kept, err
}

// readable reads a document whose text can be looked through.
func (s *Service) readable(ctx context.Context, workspaceID, id string) (*model.Document, error) {
	docs, err := s.Documents.ByIDs(ctx, workspaceID, []string{id}, readColumns...)
	switch {
	case err != nil:
		return nil, err
	case len(docs) == 0:
		return nil, errs.New(errs.NotFound, "there is no document %s in this workspace", id)
	case docs[0].ProcessingStatus != nil && *docs[0].ProcessingStatus != model.ProcessingStatusFailed:
		return nil, errs.New(errs.InvalidState, "the document is still being made; wait until its processing_status is null")
	case model.ValueOr(docs[0].Content, "") == "":
		return nil, errs.New(errs.InvalidState, "the document has no text")
	}
	return docs[0], nil
}

// readColumns are what is read of a document that is looked through.
var readColumns = []string{"id", "workspace_id", "title", "content", "company", "executive", "processing_status"}

func (s *Service) signalsPayload(ctx context.Context, doc *model.Document) (*model.WorkspaceSignalsPayload, error) {
	rows, err := s.signalsOf(ctx, doc.WorkspaceID, doc.ID)
	return &model.WorkspaceSignalsPayload{DocumentID: doc.ID, Signals: rows, TotalSignals: len(rows)}, err
}

// workSignals finds the signals of a job's document; where another call has found them meanwhile its run is given back.
func (s *Service) workSignals(ctx context.Context, run *job.Run, p model.Principal) (any, error) {
	in, err := job.Parameters[signalsParameters](run.Job)
	if err != nil {
		return nil, err
	}
	doc, err := s.readable(ctx, p.WorkspaceID, in.DocumentID)
	if err != nil {
		return nil, err
	}
	kept, err := s.isKept(ctx, doc)
	if err != nil {
		return nil, err
	}
	if !kept {
		found, err := llm.Within(ctx, jobTime, func(ctx context.Context) (*extraction, error) { return s.extract(ctx, doc) })
		if err != nil {
			return nil, err
		}
		err = run.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error { return s.keepExtraction(ctx, tx, found) })
		if kept = errors.Is(err, errKept); err != nil && !kept {
			return nil, err
		}
	}
	if kept {
		err := run.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error { return s.Accounts.Return(ctx, tx, run.Job.ID) })
		if err != nil {
			return nil, err
		}
	}
	return s.signalsPayload(ctx, doc)
}

// Signal reads one signal; nil when the workspace has none of that id.
func (s *Service) Signal(ctx context.Context, id string) (*model.Signal, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	return s.signalByID(ctx, p.WorkspaceID, id)
}
