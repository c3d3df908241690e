package ingest

import (
	"context"
	"fmt"
	"strings"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/model/optional"
	"rostrum/platform/principal"
)

// Retry retries a failed document, from its address, its original, or with text from the client. It returns
// invalid_state for a document that has not failed, so that text is never overwritten, and
// budget_exhausted if no run is left.
func (s *Service) Retry(ctx context.Context, in api.RetryDocumentInput) (*model.StartedJob, error) {
	p := principal.Must(ctx)
	text := in.Content.Value()
	var started *model.Job
	err := s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) (err error) {
		if _, err := s.accounts.LockWorkspace(ctx, tx, p.WorkspaceID); err != nil {
			return err
		}
		_, err = s.documents.Amend(ctx, tx, p.WorkspaceID, in.DocumentID, func(doc *model.Document) error {
			if !isFailed(doc) {
				return errs.New(errs.InvalidState, "only a failed document can be retried")
			}
			if text == nil && doc.SourceURL == nil && doc.Original == nil {
				return errs.Invalid(errs.BodyField("missing", "is required, as the document has no source to read",
					"content"))
			}
			started, err = s.requeueDocument(ctx, tx, p, doc, text)
			return err
		})
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("retry document: %w", err)
	}
	return &model.StartedJob{Job: started}, nil
}

func (s *Service) requeueDocument(ctx context.Context, tx dbx.Tx, p principal.Principal, doc *model.Document,
	text *string) (*model.Job, error) {
	in := jobParameters{DocumentID: doc.ID, SourceURL: optional.ValueOr(doc.SourceURL, ""), Supplied: text != nil}
	if text == nil && doc.SourceURL == nil {
		in.Filename = doc.Original.Name
	}
	started, err := s.enqueueJob(ctx, tx, opRetry, p.WorkspaceID, p.UserID, in)
	if err != nil {
		return nil, err
	}
	markFetching(doc, started.ID)
	if text != nil {
		status := model.ProcessingStatusEnhancing
		doc.ProcessingStatus = &status
		setText(doc, strings.TrimSpace(*text))
	}
	return started, nil
}
