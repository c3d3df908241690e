package executive

import (
	"context"
	"errors"
	"fmt"
	"github.com/uptrace/bun"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/llm"
	"rostrum/model"
	"rostrum/model/optional"
	"rostrum/platform/job"
	"rostrum/platform/principal"
)

// Signals extracts the signals of a document's text and stores them for this version of it. Stored
// signals cost nothing. It returns errs.WorkspaceMismatch for another workspace,
// errs.ValidationFailed for an unknown document, errs.InvalidState during ingestion or without
// text, errs.BudgetExhausted, and the text model's errors.
func (s *Service) Signals(ctx context.Context, in api.ExtractSignalsInput) (*model.ExtractSignalsPayload, error) {
	p := principal.Must(ctx)
	doc, kept, err := s.requestedDocument(ctx, p.WorkspaceID, in)
	if err != nil {
		return nil, err
	}
	if kept {
		if err := s.Accounts.ReportRunsRemaining(ctx, p.WorkspaceID); err != nil {
			return nil, err
		}
		return s.auditedPayload(ctx, doc)
	}
	err = s.Accounts.Spend(ctx, p.WorkspaceID, opSignals, oneRun, func(ctx context.Context) (Finish, error) {
		found, err := llm.Within(ctx, callTime, func(ctx context.Context) (*textExtraction,
			error) {
			return s.extractSignals(ctx, doc)
		})
		return func(ctx context.Context, tx dbx.Tx) error { return s.keepExtraction(ctx, tx, found) }, err
	})
	if err != nil && !errors.Is(err, errKept) {
		return nil, fmt.Errorf("find signals: %w", err)
	}
	return s.auditedPayload(ctx, doc)
}

// auditedPayload returns the stored signals of a document for the caller.
func (s *Service) auditedPayload(ctx context.Context, doc *model.Document) (*model.ExtractSignalsPayload, error) {
	payload, err := s.signalsPayload(ctx, doc)
	if err != nil {
		return nil, err
	}
	return payload, nil
}

// EstimateSignals returns the cost of Signals, and its errors for a document that cannot be read.
func (s *Service) EstimateSignals(ctx context.Context, in api.ExtractSignalsInput) (*model.Estimate, error) {
	_, kept, err := s.requestedDocument(ctx, principal.Must(ctx).WorkspaceID, in)
	if err != nil {
		return nil, err
	}
	return s.metered.Estimate(ctx, signalRuns(kept))
}

// StartSignals queues Signals as a job. It returns the same errors, except the text model's.
func (s *Service) StartSignals(ctx context.Context, in api.ExtractSignalsInput) (*model.StartedJob, error) {
	p := principal.Must(ctx)
	doc, kept, err := s.requestedDocument(ctx, p.WorkspaceID, in)
	if err != nil {
		return nil, err
	}
	return s.metered.Start(ctx, job.MeteredRequest{
		Request:   job.Request{Type: JobSignals, DocumentID: doc.ID, Parameters: signalsParameters{doc.ID}},
		Operation: opSignals, Runs: signalRuns(kept),
	})
}

// QueueSignals queues Signals in the caller's transaction for a document with its text, as the user.
// It reports false if the signals of the text are stored, which costs nothing, and returns
// errs.BudgetExhausted.
func (s *Service) QueueSignals(ctx context.Context, tx dbx.Tx, doc *model.Document, userID string) (bool, error) {
	version, err := s.keptVersion(ctx, tx, doc.ID)
	if err != nil || version == textVersion(optional.ValueOr(doc.Content, "")) {
		return false, err
	}
	_, err = s.metered.EnqueueTx(ctx, tx, job.MeteredRequest{
		Request: job.Request{Type: JobSignals, WorkspaceID: doc.WorkspaceID, UserID: userID, DocumentID: doc.ID,
			Parameters: signalsParameters{doc.ID}},
		Operation: opSignals, Runs: oneRun,
	})
	return true, err
}

// signalsParameters is the public input of an extraction job.
type signalsParameters struct {
	DocumentID string `json:"document_id"`
}

// signalRuns returns the runs that an extraction costs.
func signalRuns(kept bool) int {
	if kept {
		return 0
	}
	return oneRun
}

// requestedDocument returns the document of a request and whether its signals are stored.
func (s *Service) requestedDocument(ctx context.Context, workspaceID string,
	in api.ExtractSignalsInput) (*model.Document, bool, error) {
	if named := in.WorkspaceID.Value(); named != nil && *named != workspaceID {
		return nil, false, errs.New(errs.WorkspaceMismatch,
			"workspace_id names another workspace than the key's: leave it out, or use a key of that workspace")
	}
	doc, err := s.readableDocument(ctx, workspaceID, in.DocumentID)
	if errs.Is(err, errs.NotFound) {
		return nil, false, errs.Invalid(errs.BodyField("unknown_id", "names no document of this workspace",
			"documentId"))
	}
	if err != nil {
		return nil, false, err
	}
	kept, err := s.isKept(ctx, doc)
	return doc, kept, err
}

// readableDocument returns a document with a text. It returns errs.InvalidState during ingestion or
// without text.
func (s *Service) readableDocument(ctx context.Context, workspaceID, id string) (*model.Document, error) {
	docs, err := s.Documents.ByIDs(ctx, workspaceID, []string{id}, readColumns...)
	switch {
	case err != nil:
		return nil, err
	case len(docs) == 0:
		return nil, errs.New(errs.NotFound, "there is no document %s in this workspace", id)
	case docs[0].ProcessingStatus != nil && *docs[0].ProcessingStatus != model.ProcessingStatusFailed:
		return nil, errs.New(errs.InvalidState, "the document is still being ingested; wait until its processing_status is null")
	case optional.ValueOr(docs[0].Content, "") == "":
		return nil, errs.New(errs.InvalidState, "the document has no text")
	}
	return docs[0], nil
}

// readColumns are the columns that an extraction reads.
var readColumns = []string{"id", "workspace_id", "title", "content", "company", "executive", "author", "origins",
	"communication_type", "processing_status"}

func (s *Service) signalsPayload(ctx context.Context, doc *model.Document) (*model.ExtractSignalsPayload, error) {
	rows, err := s.signalsOf(ctx, doc.WorkspaceID, doc.ID)
	if err != nil {
		return nil, err
	}
	of, err := s.extractionOf(ctx, doc.WorkspaceID, doc.ID)
	return &model.ExtractSignalsPayload{DocumentID: doc.ID, Signals: rows, TotalSignals: len(rows),
		OmittedStatements: of.Omitted, DroppedStatements: of.Dropped}, err
}

// workSignals extracts the signals of a job's document. If another call was faster, it returns the
// run.
func (s *Service) workSignals(ctx context.Context, run *job.Run) (any, error) {
	p := principal.Must(ctx)
	in, err := job.Parameters[signalsParameters](run.Job)
	if err != nil {
		return nil, err
	}
	doc, err := s.readableDocument(ctx, p.WorkspaceID, in.DocumentID)
	if err != nil {
		return nil, err
	}
	kept, err := s.isKept(ctx, doc)
	if err != nil {
		return nil, err
	}
	if !kept {
		found, err := llm.Within(ctx, jobTime, func(ctx context.Context) (*textExtraction,
			error) {
			return s.extractSignals(ctx, doc)
		})
		if err != nil {
			return nil, err
		}
		err = run.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error { return s.keepExtraction(ctx, tx, found) })
		if kept = errors.Is(err, errKept); err != nil && !kept {
			return nil, err
		}
	}
	if kept {
		err := run.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
			return s.Accounts.Return(ctx, tx, run.Job.ID)
		})
		if err != nil {
			return nil, err
		}
	}
	return s.signalsPayload(ctx, doc)
}

// SignalsByID returns the workspace's signals with the ids (see dbx.ByIDs).
func (s *Service) SignalsByID(ctx context.Context, workspaceID string, ids []string,
	columns ...string) ([]*model.Signal, error) {
	signals, err := dbx.ByIDs[model.Signal](ctx, s.DB, workspaceID, ids, columns...)
	if err != nil {
		return nil, err
	}
	return signals, nil
}

// SignalPages returns a page of signals per key in the column parent: of a document in the order of the text, else newest
// first (see dbx.Nested).
func (s *Service) SignalPages(
	ctx context.Context, workspaceID, parent string, keys []string, args model.PageArgs, columns ...string,
) ([]*model.Connection[model.Signal], error) {
	list := dbx.List[model.Signal]{
		Order: dbx.Order{Column: "created_at", Time: true, Desc: true}, Columns: columns,
		Key:   func(row *model.Signal) (any, string) { return row.CreatedAt, row.ID },
		Where: func(q *bun.SelectQuery) *bun.SelectQuery { return q.Where("workspace_id = ?", workspaceID) },
	}
	if parent == "document_id" {
		list.Order = dbx.Order{Column: "span_start", Number: true}
		list.Key = func(row *model.Signal) (any, string) { return row.Start, row.ID }
	}
	pages, err := dbx.Nested[model.Signal]{List: list, Parent: parent}.Pages(ctx, s.DB, keys, args)
	if err != nil {
		return nil, err
	}
	return pages, nil
}
