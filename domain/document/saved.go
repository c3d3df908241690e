package document

import (
	"context"
	"maps"
	"slices"

	"github.com/uptrace/bun"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/llm/text/search"
	"rostrum/model"
)

// CheckSearch reports whether events follow the documents that match a filter. It returns
// errs.ValidationFailed for an invalid filter, for one without a condition and for an auto-tag that
// does not exist.
func (s *Service) CheckSearch(ctx context.Context, workspaceID string, filter *api.DocumentFilter) (bool, error) {
	asked, err := s.readQuery(ctx, workspaceID, filter)
	if err != nil {
		return false, err
	}
	conditions := s.conditions(workspaceID, asked)
	if conditions.IsEmpty(filter) {
		return false, errs.Invalid(errs.BodyField("missing", "must have at least one condition", "filter"))
	}
	if err := conditions.Check(filter); err != nil {
		return false, err
	}
	return checkFollowed(filter, asked) == nil, s.checkTags(ctx, workspaceID, filter.AutoTags.Value())
}

// checkTags returns errs.ValidationFailed for auto-tags that do not exist: a list answers nothing for
// them, and a search that is kept would do so for ever.
func (s *Service) checkTags(ctx context.Context, workspaceID string, matches []*api.AutoTagMatch) error {
	ids := make([]string, len(matches))
	for i, match := range matches {
		ids[i] = match.AutoTagID
	}
	if len(ids) == 0 {
		return nil
	}
	var known []string
	if err := s.related.Tags(workspaceID, ids...).Scan(ctx, &known); err != nil {
		return dbx.Err(err)
	}
	var invalid errs.FieldErrors
	for i, id := range ids {
		if !slices.Contains(known, id) {
			invalid.Body("value_error", "is not an auto-tag of this workspace", "filter", "autoTags", i, "autoTagId")
		}
	}
	return invalid.Err()
}

// announceable restricts a query to the documents that may be told as new: they are complete and no
// trial texts.
func announceable(q *bun.SelectQuery) *bun.SelectQuery {
	return q.Where("processing_status IS NULL").Where("NOT ?", Trial("document"))
}

// Announceable returns those of the documents that may be told as new, the oldest first: they are
// complete and no trial texts, and comms filters hide either all or none of them. The caller must
// not tell the titles of those that are not public.
func (s *Service) Announceable(ctx context.Context, workspaceID string, ids []string, hidden bool) ([]*model.Document,
	error) {
	rows := []*model.Document{}
	if len(ids) == 0 {
		return rows, nil
	}
	q := s.db.NewSelect().Model(&rows).Column("id", "title", "source_url", "visibility", "embargoed_until").
		Where("workspace_id = ? AND id IN ? AND hidden = ?", workspaceID, bun.Tuple(ids), hidden)
	return rows, dbx.Err(announceable(q).Order("id").Scan(model.WithReads(ctx, nil)))
}

// SelectFound returns a query of the ids of the documents that match a filter and may be told as
// new. It returns errs.ValidationFailed for an invalid filter.
func (s *Service) SelectFound(ctx context.Context, workspaceID string, filter *api.DocumentFilter) (*bun.SelectQuery,
	error) {
	asked, err := s.readQuery(ctx, workspaceID, filter)
	if err != nil {
		return nil, err
	}
	conditions := s.conditions(workspaceID, asked)
	q := announceable(s.db.NewSelect().TableExpr("document").Column("document.id").
		Where("workspace_id = ?", workspaceID))
	if !ShowsHidden(filter) {
		q = q.Where("NOT hidden")
	}
	return conditions.Apply(q, filter), conditions.Check(filter)
}

// ShowsHidden reports whether a filter asks for documents that comms filters hide.
func ShowsHidden(filter *api.DocumentFilter) bool {
	asked := &askedQuery{}
	if q := filter.Q.Value(); q != nil {
		asked.query, _ = search.Parse(*q) // an invalid one is refused before
	}
	return slices.Contains(filter.States.Value(), model.DocumentStateHidden) || asked.asksFor(search.FieldIs, "hidden")
}

// PagesFound returns a page of documents per key: those that match the key's filter and the common
// one, newest first unless an order is given. It sends one statement for all pages, besides those
// that find the words which each query means. It returns errs.ValidationFailed for invalid
// arguments.
func (s *Service) PagesFound(
	ctx context.Context, workspaceID string, filters map[string]*api.DocumentFilter, keys []string, args model.PageArgs,
	filter *api.DocumentFilter, order *model.DocumentOrder, columns ...string,
) ([]*model.DocumentConnection, error) {
	if len(keys) == 0 {
		return nil, nil
	}
	var pairs *bun.SelectQuery
	for _, key := range slices.Sorted(maps.Keys(filters)) {
		asked, err := s.readQuery(ctx, workspaceID, filters[key])
		if err != nil {
			return nil, err
		}
		conditions := s.conditions(workspaceID, asked)
		if err := conditions.Check(filters[key]); err != nil {
			return nil, err
		}
		found := conditions.Apply(s.db.NewSelect().TableExpr("document").
			ColumnExpr("document.id AS document_id, CAST(? AS text) AS parent", key).
			Where("workspace_id = ?", workspaceID), filters[key])
		if pairs == nil {
			pairs = found
		} else {
			pairs = pairs.UnionAll(found)
		}
	}
	return s.PagesIn(ctx, workspaceID, pairs, keys, args, filter, order, columns...)
}
