package ingest

import (
	"context"
	"fmt"
	"strings"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
)

// Retry tries a failed document again, from its source or with text that the client supplies. A document that has not failed
// is refused with invalid_state, so good text is never fetched over; a run to fetch it with that is not left, with budget_exhausted.
func (s *Service) Retry(ctx context.Context, id string, in *model.DocumentRetryInput) (*model.JobRef, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	var text *string
	if in != nil {
		text = in.Content.Value()
	}
	var started *model.Job
	err = s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) (err error) {
		if err := s.lockWorkspace(ctx, tx, p.WorkspaceID); err != nil {
			return err
		}
		_, err = s.documents.Amend(ctx, tx, model.DocumentEventKindStatus, p.WorkspaceID, id, func(doc *model.Document) error {
			if !failed(doc) {
				return errs.New(errs.InvalidState, "only a failed document can be retried")
			}
			if text == nil && doc.SourceURL == nil {
				return errs.Invalid(errs.BodyField("missing", "is required, as the document has no source to fetch", "content"))
			}
			started, err = s.again(ctx, tx, p, doc, text)
			return err
		})
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("retry document: %w", err)
	}
	return &model.JobRef{JobID: started.ID, JobType: started.JobType, Status: started.Status}, nil
}

func (s *Service) again(ctx context.Context, tx dbx.Tx, p model.Principal, doc *model.Document, text *string) (*model.Job, error) {
	in := parameters{DocumentID: doc.ID, SourceURL: model.ValueOr(doc.SourceURL, ""), Supplied: text != nil}
	started, err := s.start(ctx, tx, opRetry, p.WorkspaceID, p.UserID, in)
	if err != nil {
		return nil, err
	}
	fetching(doc, started.ID)
	if text != nil {
		status := model.ProcessingStatusEnhancing
		doc.ProcessingStatus = &status
		setText(doc, strings.TrimSpace(*text))
	}
	return started, nil
}
