package tag

import (
	"context"
	"fmt"
	"strings"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/llm/text"
	"rostrum/model"
)

// oldestFirst is the order of values that wait for review.
var oldestFirst = dbx.Order{Column: "created_at", Time: true}

// Reviews reads one page of the values that wait for a person, of one auto-tag or one document when they are named.
func (s *Service) Reviews(ctx context.Context, args model.PageArgs, autoTagID, documentID *string) (*model.AutoTagReviewConnection, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	window, err := dbx.NewWindow(args, oldestFirst)
	if err != nil {
		return nil, err
	}
	rows, err := s.reviews(ctx, p.WorkspaceID, window, autoTagID, documentID)
	if err != nil {
		return nil, err
	}
	page := dbx.Connect(window, rows, func(r *model.AutoTagReview) (any, string) { return r.CreatedAt, r.ID })
	page.Count = func(ctx context.Context) (int, error) {
		return s.countReviews(ctx, p.WorkspaceID, autoTagID, documentID)
	}
	return &model.AutoTagReviewConnection{Connection: page}, nil
}

// Accept applies a value that waits. It fails with not_found when none of that id waits.
func (s *Service) Accept(ctx context.Context, id string) (*model.DecideAutoTagPayload, error) {
	return s.decide(ctx, id, func(_ context.Context, _ dbx.Tx, c *decision) error {
		c.row.Source = model.TagSourcePerson
		return nil
	})
}

// Correct gives a document another value than the one that waits or is applied, and takes it as an example. It fails with
// not_found, with validation_failed for a value that the auto-tag does not allow, and with invalid_state for a manual filter.
func (s *Service) Correct(ctx context.Context, id string, in model.CorrectAutoTagInput) (*model.DecideAutoTagPayload, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	return s.decide(ctx, id, func(ctx context.Context, tx dbx.Tx, c *decision) error {
		if c.tag.Manual {
			return errs.New(errs.InvalidState, "a manual filter has no other value; take the document out of it instead")
		}
		value, ok := allowed(c.tag, in.Value)
		if !ok {
			return errs.Invalid(errs.BodyField("value_error", "is none of the auto-tag's allowed values", "value"))
		}
		c.correct(value)
		e := example(c.tag, value, snippetOf(c.document, in.Snippet.Value()), model.TagSourceCorrection, p.Actor())
		e.DocumentID = &c.document.ID
		return learn(ctx, tx, e)
	})
}

// Reject drops a value that waits and keeps models from finding another. It fails with not_found when none of that id waits.
func (s *Service) Reject(ctx context.Context, id string) (*model.RejectAutoTagPayload, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	if err := s.reject(ctx, p.WorkspaceID, id); err != nil {
		return nil, fmt.Errorf("reject a value: %w", err)
	}
	return &model.RejectAutoTagPayload{ID: id}, nil
}

// decision is a value that a person decides about, as it is about to be written.
type decision struct {
	tag      *model.AutoTag
	document *model.Document
	row      *model.AppliedAutoTag
}

// correct replaces the value; what a model said of where it comes from no longer holds.
func (c *decision) correct(value string) {
	c.row.ExtractedValue, c.row.ValueKey, c.row.Source = value, keyOf(value), model.TagSourceCorrection
	certain(c.row)
	c.row.Quote, c.row.Start, c.row.End, c.row.ExampleID, c.row.Similarity = nil, nil, nil, nil, nil
	if place, ok := text.Locate(model.ValueOr(c.document.Content, ""), value); ok {
		c.row.Quote, c.row.Start, c.row.End = &place.Text, &place.Start, &place.End
	}
}

// decide writes what a person says of a value that waits, or of one that is applied.
func (s *Service) decide(
	ctx context.Context, id string, change func(context.Context, dbx.Tx, *decision) error,
) (*model.DecideAutoTagPayload, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	out := &model.DecideAutoTagPayload{}
	err = s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		if _, err := s.lockWorkspace(ctx, tx, p.WorkspaceID); err != nil {
			return err
		}
		c, err := s.undecided(ctx, tx, p.WorkspaceID, id)
		if err != nil {
			return err
		}
		if err := change(ctx, tx, c); err != nil {
			return err
		}
		c.row.Description = c.tag.Description
		out.AutoTag = c.row
		if err := s.settle(ctx, tx, c.row); err != nil {
			return err
		}
		_, err = s.refresh(ctx, tx, p.WorkspaceID, []string{c.document.ID})
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("decide about a value: %w", err)
	}
	return out, nil
}

// undecided reads what an id of a review or of an applied value stands for.
func (s *Service) undecided(ctx context.Context, tx dbx.Tx, workspaceID, id string) (*decision, error) {
	c := &decision{}
	var err error
	if strings.HasPrefix(id, model.AppliedPrefix+"_") {
		c.row, err = s.appliedByID(ctx, tx, workspaceID, id)
	} else {
		c.row, err = s.waiting(ctx, tx, workspaceID, id)
	}
	if err != nil {
		return nil, err
	}
	if c.tag, err = s.tagByID(ctx, tx, workspaceID, c.row.AutoTagID); err != nil {
		return nil, err
	}
	c.document, err = s.document(ctx, tx, workspaceID, c.row.DocumentID)
	return c, err
}

// waiting reads a review as the value that it would be.
func (s *Service) waiting(ctx context.Context, tx dbx.Tx, workspaceID, id string) (*model.AppliedAutoTag, error) {
	r, err := s.reviewByID(ctx, tx, workspaceID, id)
	if err != nil {
		return nil, err
	}
	t, err := s.tagByID(ctx, tx, workspaceID, r.AutoTagID)
	if err != nil {
		return nil, err
	}
	row := applied(t, r.DocumentID, r.ExtractedValue, model.TagSourcePerson)
	row.ConfidenceScore, row.Model, row.Quote, row.Start, row.End = r.ConfidenceScore, r.Model, r.Quote, r.Start, r.End
	row.ExampleID, row.Similarity = r.ExampleID, r.Similarity
	return row, nil
}
