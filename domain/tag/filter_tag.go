package tag

import (
	"context"
	"strings"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/model"
	"rostrum/platform/principal"
)

// selectFilterTags selects the comms filters with their auto-tags' fields. It counts hidden
// documents only if the column is read.
func (s *Service) selectFilterTags(workspaceID string) *bun.SelectQuery {
	hidden := s.db.NewSelect().TableExpr("document_hidden AS h").ColumnExpr("count(*)").
		Where("h.workspace_id = f.workspace_id AND h.auto_tag_id = f.auto_tag_id")
	rows := s.db.NewSelect().TableExpr("comms_filter AS f").
		Join("JOIN auto_tag AS t ON t.id = f.auto_tag_id AND t.workspace_id = f.workspace_id").
		ColumnExpr("? || substr(f.auto_tag_id, ?) AS id", model.FilterPrefix, len(model.AutoTagPrefix)+1).
		ColumnExpr("f.workspace_id, f.auto_tag_id, f.enabled, f.only_values, f.created_at, t.name, t.description, t.tag_type").
		ColumnExpr("(?) AS hidden_count", hidden).Where("f.workspace_id = ?", workspaceID)
	return s.db.NewSelect().TableExpr("(?) AS filter_tag", rows)
}

// FilterPage returns one page of the caller's comms filters, oldest first (see dbx.List).
func (s *Service) FilterPage(ctx context.Context, args model.PageArgs,
	columns ...string) (*model.CommsFilterTagConnection, error) {
	p := principal.Must(ctx)
	return dbx.List[model.CommsFilterTag]{
		Order: dbx.Order{Column: "created_at", Time: true}, Columns: columns,
		Key:  func(f *model.CommsFilterTag) (any, string) { return f.CreatedAt, f.ID },
		From: func() *bun.SelectQuery { return s.selectFilterTags(p.WorkspaceID) },
	}.Page(ctx, s.db, args)
}

// tagIDOf returns the id of a filter's auto-tag, by that id or by the filter's own.
func tagIDOf(id string) string {
	if rest, ok := strings.CutPrefix(id, model.FilterPrefix+"_"); ok {
		return model.AutoTagPrefix + "_" + rest
	}
	return id
}

// FiltersByID returns the workspace's comms filters with the ids (see dbx.ByIDs).
func (s *Service) FiltersByID(ctx context.Context, workspaceID string, ids []string,
	columns ...string) ([]*model.CommsFilterTag, error) {
	tags := make([]string, len(ids))
	for i, id := range ids {
		tags[i] = tagIDOf(id)
	}
	return s.filtersByTag(ctx, workspaceID, tags, columns)
}

// FiltersOf returns each auto-tag's comms filter, with one statement; nil for one without. If
// columns are named, it reads only these.
func (s *Service) FiltersOf(ctx context.Context, workspaceID string, tags []string,
	columns ...string) ([]*model.CommsFilterTag, error) {
	found, err := s.filtersByTag(ctx, workspaceID, tags, columns)
	byTag := make(map[string]*model.CommsFilterTag, len(found))
	for _, filter := range found {
		byTag[filter.AutoTagID] = filter
	}
	out := make([]*model.CommsFilterTag, len(tags))
	for i, id := range tags {
		out[i] = byTag[id]
	}
	return out, err
}

func (s *Service) filtersByTag(ctx context.Context, workspaceID string, tags,
	columns []string) ([]*model.CommsFilterTag, error) {
	if len(tags) == 0 {
		return nil, nil
	}
	q := s.selectFilterTags(workspaceID).Where("auto_tag_id IN ?", bun.Tuple(tags))
	if len(columns) == 0 {
		q = q.ColumnExpr("*")
	}
	return dbx.Read[model.CommsFilterTag](ctx, s.db, q.Column(columns...))
}

// ExamplePages returns a page of the documents excluded with each filter, oldest first. The keys
// are the filters' auto-tags. It returns errs.ValidationFailed for invalid page arguments.
func (s *Service) ExamplePages(
	ctx context.Context, workspaceID, parent string, keys []string, args model.PageArgs, columns ...string,
) ([]*model.CommsFilterExampleConnection, error) {
	rows := s.documents.SelectIn(s.db, workspaceID).Join("JOIN auto_tag_example AS e ON e.document_id = d.id").
		ColumnExpr("e.id, e.auto_tag_id, e.document_id, d.title, e.snippet, e.added_at, e.added_by").
		Where("e.workspace_id = ? AND e.source = ?", workspaceID, model.AutoTagExampleSourceExclusion)
	list := dbx.List[model.CommsFilterExample]{
		Order: dbx.Order{Column: "added_at", Time: true}, Columns: columns,
		Key:  func(e *model.CommsFilterExample) (any, string) { return e.AddedAt, e.ID },
		From: func() *bun.SelectQuery { return s.db.NewSelect().TableExpr("(?) AS example", rows) },
	}
	return dbx.Nested[model.CommsFilterExample]{List: list, Parent: parent}.Pages(ctx, s.db, keys, args)
}

// ValuePages returns a page of each auto-tag's values in documents, most frequent first. Values
// with the same key are merged. It returns errs.ValidationFailed for invalid page arguments.
func (s *Service) ValuePages(
	ctx context.Context, workspaceID, parent string, keys []string, args model.PageArgs, columns ...string,
) ([]*model.FilterTagValueConnection, error) {
	rows := s.db.NewSelect().TableExpr("document_auto_tag").Group("auto_tag_id", "value_key").
		ColumnExpr("auto_tag_id, value_key AS id, min(extracted_value) AS value, count(*) AS document_count, -count(*) AS negative_count").
		Where("workspace_id = ?", workspaceID)
	list := dbx.List[model.FilterTagValue]{
		Order: dbx.Order{Column: "negative_count", Number: true}, Columns: columns,
		Key:  func(v *model.FilterTagValue) (any, string) { return v.NegativeCount, v.ID },
		From: func() *bun.SelectQuery { return s.db.NewSelect().TableExpr("(?) AS value", rows) },
	}
	return dbx.Nested[model.FilterTagValue]{List: list, Parent: parent}.Pages(ctx, s.db, keys, args)
}
