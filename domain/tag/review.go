package tag

import (
	"context"
	"fmt"
	"strings"

	"github.com/uptrace/bun"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/llm/text"
	"rostrum/model"
	"rostrum/model/optional"
	"rostrum/platform/principal"
)

// oldestFirst is the order of pending reviews.
var oldestFirst = dbx.Order{Column: "created_at", Time: true}

// Reviews returns one page of pending reviews, optionally of one auto-tag or document. It returns
// errs.ValidationFailed for invalid arguments.
func (s *Service) Reviews(ctx context.Context, args model.PageArgs, autoTagID,
	documentID *string) (*model.AutoTagReviewConnection, error) {
	p := principal.Must(ctx)
	page, err := dbx.List[model.AutoTagReview]{
		Order: oldestFirst,
		Key:   func(r *model.AutoTagReview) (any, string) { return r.CreatedAt, r.ID },
		Where: func(q *bun.SelectQuery) *bun.SelectQuery {
			return wherePending(q, p.WorkspaceID, autoTagID, documentID)
		},
		Select: func(q *bun.SelectQuery) *bun.SelectQuery { return s.selectNames(q, p.WorkspaceID) },
	}.Page(ctx, s.db, args)
	if err != nil {
		return nil, err
	}
	return page, nil
}

// Accept applies a pending value. It returns errs.NotFound for an unknown or decided review.
func (s *Service) Accept(ctx context.Context, id string) (*api.AcceptAutoTagValuePayload, error) {
	row, err := s.decideValue(ctx, id, func(_ context.Context, _ dbx.Tx, c *decision) error {
		c.row.Source = model.AutoTagSourcePerson
		return nil
	})
	return &api.AcceptAutoTagValuePayload{AppliedAutoTag: row}, err
}

// Correct replaces a pending or applied value and stores the document as an example. It returns
// errs.NotFound, errs.ValidationFailed for a value that is not allowed, and errs.InvalidState for a
// manual filter.
func (s *Service) Correct(ctx context.Context, in api.CorrectAutoTagValueInput) (*api.CorrectAutoTagValuePayload,
	error) {
	p := principal.Must(ctx)
	row, err := s.decideValue(ctx, in.ReviewID, func(ctx context.Context, tx dbx.Tx, c *decision) error {
		if c.tag.Manual {
			return errs.New(errs.InvalidState, "a manual filter has a single value; unhide the document instead")
		}
		value, reason := readValue(c.tag, in.Value)
		if reason == notAllowed {
			reason = "is not an allowed value of the auto-tag"
		}
		if reason != "" {
			return errs.Invalid(errs.BodyField("value_error", reason, "value"))
		}
		c.replaceValue(value)
		e := newExample(c.tag, value, snippetOf(c.document, in.Snippet.Value()), model.AutoTagExampleSourceCorrection,
			p.Actor())
		e.DocumentID = &c.document.ID
		return saveExample(ctx, tx, e)
	})
	return &api.CorrectAutoTagValuePayload{AppliedAutoTag: row}, err
}

// Reject deletes a pending value and keeps models from finding another. It returns errs.NotFound
// for an unknown or decided review.
func (s *Service) Reject(ctx context.Context, id string) (*api.RejectAutoTagValuePayload, error) {
	p := principal.Must(ctx)
	if err := s.rejectReview(ctx, p.WorkspaceID, id); err != nil {
		return nil, fmt.Errorf("reject a value: %w", err)
	}
	return &api.RejectAutoTagValuePayload{DeletedID: id}, nil
}

// decision is an unsaved value that a person decides on.
type decision struct {
	tag      *model.AutoTag
	document *model.Document
	row      *model.AppliedAutoTag
}

// replaceValue sets a corrected value and clears the model's quote and example.
func (c *decision) replaceValue(value string) {
	c.row.ExtractedValue, c.row.ValueKey, c.row.Source = value, keyOf(value), model.AutoTagSourceCorrection
	markCertain(c.row)
	c.row.Quote, c.row.Start, c.row.End, c.row.ExampleID, c.row.Similarity = nil, nil, nil, nil, nil
	if place, ok := text.Locate(optional.ValueOr(c.document.Content, ""), value); ok {
		c.row.Quote, c.row.Start, c.row.End = &place.Text, &place.Start, &place.End
	}
}

// decideValue stores a person's decision on a pending or applied value. It returns the applied
// value.
func (s *Service) decideValue(
	ctx context.Context, id string, change func(context.Context, dbx.Tx, *decision) error,
) (row *model.AppliedAutoTag, err error) {
	p := principal.Must(ctx)
	err = s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		if _, err := s.accounts.LockWorkspace(ctx, tx, p.WorkspaceID); err != nil {
			return err
		}
		c, err := s.loadDecision(ctx, tx, p.WorkspaceID, id)
		if err != nil {
			return err
		}
		if err := change(ctx, tx, c); err != nil {
			return err
		}
		c.row.Description = c.tag.Description
		row = c.row
		if err := s.saveDecision(ctx, tx, c.row); err != nil {
			return err
		}
		_, err = s.updateHidden(ctx, tx, p.WorkspaceID, []string{c.document.ID})
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("decide about a value: %w", err)
	}
	return row, nil
}

// loadDecision returns the review or applied value with this id, as a decision.
func (s *Service) loadDecision(ctx context.Context, tx dbx.Tx, workspaceID, id string) (*decision, error) {
	c := &decision{}
	var err error
	if strings.HasPrefix(id, model.AppliedPrefix+"_") {
		c.row, err = s.appliedByID(ctx, tx, workspaceID, id)
	} else {
		c.row, err = s.reviewAsApplied(ctx, tx, workspaceID, id)
	}
	if err != nil {
		return nil, err
	}
	if c.tag, err = s.tagByID(ctx, tx, workspaceID, c.row.AutoTagID); err != nil {
		return nil, err
	}
	c.document, err = s.documentByID(ctx, tx, workspaceID, c.row.DocumentID)
	return c, err
}

// reviewAsApplied returns a pending review as an unsaved applied value.
func (s *Service) reviewAsApplied(ctx context.Context, tx dbx.Tx, workspaceID, id string) (*model.AppliedAutoTag,
	error) {
	r, err := s.reviewByID(ctx, tx, workspaceID, id)
	if err != nil {
		return nil, err
	}
	t, err := s.tagByID(ctx, tx, workspaceID, r.AutoTagID)
	if err != nil {
		return nil, err
	}
	row := newAppliedTag(t, r.DocumentID, r.ExtractedValue, model.AutoTagSourcePerson)
	row.ConfidenceScore, row.Model, row.Quote, row.Start, row.End = r.ConfidenceScore, r.Model, r.Quote, r.Start, r.End
	row.ExampleID, row.Similarity = r.ExampleID, r.Similarity
	return row, nil
}

// ReviewPages returns a page of pending reviews per key in the column parent, newest first (see
// dbx.Nested).
func (s *Service) ReviewPages(
	ctx context.Context, workspaceID, parent string, keys []string, args model.PageArgs, columns ...string,
) ([]*model.Connection[model.AutoTagReview], error) {
	named := s.selectNames(s.db.NewSelect().Model((*model.AutoTagReview)(nil)), workspaceID)
	list := dbx.List[model.AutoTagReview]{
		Order: dbx.Order{Column: "created_at", Time: true, Desc: true}, Columns: columns,
		From: func() *bun.SelectQuery { return s.db.NewSelect().TableExpr("(?) AS review", named) },
		Key:  func(row *model.AutoTagReview) (any, string) { return row.CreatedAt, row.ID },
		Where: func(q *bun.SelectQuery) *bun.SelectQuery {
			return q.Where("workspace_id = ? AND state = 'pending'", workspaceID)
		},
	}
	return dbx.Nested[model.AutoTagReview]{List: list, Parent: parent}.Pages(ctx, s.db, keys, args)
}

// PendingReviews returns the workspace's pending values with the ids (see dbx.ByIDs).
func (s *Service) PendingReviews(ctx context.Context, workspaceID string, ids []string,
	columns ...string) ([]*model.AutoTagReview, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	named := s.selectNames(s.db.NewSelect().Model((*model.AutoTagReview)(nil)), workspaceID)
	q := s.db.NewSelect().TableExpr("(?) AS review", named)
	if len(columns) == 0 {
		q = q.ColumnExpr("*")
	}
	return dbx.ReadTogether[model.AutoTagReview](ctx, s.db, q.Column(columns...).
		Where("workspace_id = ? AND id ? AND state = ?", workspaceID, dbx.AnyOf(ids), model.ReviewPending))
}
