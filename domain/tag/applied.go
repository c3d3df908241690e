package tag

import (
	"context"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/model"
	"rostrum/platform/principal"
)

// AppliedValues returns the values of auto-tags in each document, in the order of the documents and
// with one statement.
func (s *Service) AppliedValues(ctx context.Context, docs []*model.Document,
	columns ...string) ([][]*model.DocumentAutoTag, error) {
	p := principal.Must(ctx)
	ids := make([]string, len(docs))
	for i, d := range docs {
		ids[i] = d.ID
	}
	rows := []*model.DocumentAutoTag{}
	if len(ids) > 0 {
		q := s.db.NewSelect().Model((*model.DocumentAutoTag)(nil)).Column("document_id").
			Where("workspace_id = ? AND document_id ?", p.WorkspaceID, dbx.AnyOf(ids)).Order("applied_at", "id")
		joined := dbx.Joined{Key: "auto_tag_id", Rows: func() *bun.SelectQuery { return s.shownTags(p.WorkspaceID) }}
		q = dbx.SelectWith(s.db, q, map[string]dbx.Joined{"auto_tag": joined}, columns...)
		var err error
		if rows, err = dbx.ReadTogether[model.DocumentAutoTag](ctx, s.db, q); err != nil {
			return nil, err
		}
	}
	return dbx.GroupByKey(ids, rows, func(v *model.DocumentAutoTag) string { return v.DocumentID }), nil
}

// ValuesOfType returns the applied values of one type of auto-tag in the documents, in no order.
func (s *Service) ValuesOfType(ctx context.Context, workspaceID, tagType string,
	documentIDs []string) ([]*model.DocumentAutoTag, error) {
	rows := []*model.DocumentAutoTag{}
	if len(documentIDs) == 0 {
		return rows, nil
	}
	err := s.db.NewSelect().Model(&rows).Column("document_id", "extracted_value").
		Where("workspace_id = ? AND tag_type = ? AND document_id IN ?", workspaceID, tagType, bun.Tuple(documentIDs)).
		Scan(ctx)
	return rows, dbx.Err(err)
}

// TaggedPairs returns a query of the pairs of document_id and an auto-tag found in it, as parent.
// With a value it returns only documents with that value.
func (s *Service) TaggedPairs(workspaceID string, value *string) *bun.SelectQuery {
	q := s.db.NewSelect().TableExpr("document_auto_tag").Distinct().ColumnExpr("document_id, auto_tag_id AS parent").
		Where("workspace_id = ?", workspaceID)
	if value != nil {
		q = q.Where("value_key = ?", keyOf(*value))
	}
	return q
}

// TaggedWith returns a query of the document_id of documents with an auto-tag, with the value or
// with any.
func (s *Service) TaggedWith(workspaceID, autoTagID string, value *string) *bun.SelectQuery {
	return s.db.NewSelect().TableExpr("(?) AS pair", s.TaggedPairs(workspaceID, value)).Column("document_id").
		Where("parent = ?", autoTagID)
}

// IDs returns a query of the ids of those auto-tags that exist.
func (s *Service) IDs(workspaceID string, ids ...string) *bun.SelectQuery {
	return s.db.NewSelect().TableExpr("auto_tag").Column("id").Where("workspace_id = ? AND id IN ?", workspaceID, bun.Tuple(ids))
}

// TagValues returns a query of document_id, auto_tag_id, value_key and extracted_value of
// auto-tags' values, without manual comms filters.
func (s *Service) TagValues(workspaceID string) *bun.SelectQuery {
	return s.db.NewSelect().TableExpr("document_auto_tag").Column("document_id", "auto_tag_id", "value_key",
		"extracted_value").
		Where("workspace_id = ? AND coalesce(tag_type, '') <> ?", workspaceID, model.ContentFilter)
}

// SharingTags returns a query of the document_id of documents that share a value of an auto-tag
// with the document source of the outer query. It takes the newest ones of each value, at most
// most. Manual comms filters do not count.
func (s *Service) SharingTags(workspaceID, source string, most int) *bun.SelectQuery {
	newest := s.db.NewSelect().TableExpr("document_auto_tag AS same").Column("same.id").
		Where("same.workspace_id = ? AND same.auto_tag_id = value.auto_tag_id AND same.value_key = value.value_key",
			workspaceID).
		OrderExpr("same.document_id DESC").Limit(int64(most))
	values := s.db.NewSelect().TableExpr("document_auto_tag AS value").Column("sharing.document_id").
		Where("value.workspace_id = ? AND value.document_id = ?.id", workspaceID, bun.Ident(source)).
		Where("coalesce(value.tag_type, '') <> ? AND value.value_key <> ''", model.ContentFilter)
	return s.db.JoinSelected(values, "document_auto_tag", "sharing", newest)
}

// HiddenPairs returns a query of the pairs of document_id and a comms filter that hides it, as
// parent.
func (s *Service) HiddenPairs(workspaceID string) *bun.SelectQuery {
	return s.db.NewSelect().TableExpr("document_hidden").ColumnExpr("document_id, auto_tag_id AS parent").
		Where("workspace_id = ?", workspaceID)
}

// withDescriptions returns a query of applied values with their auto-tags' descriptions, under the
// alias applied.
func withDescriptions(db dbx.Reader) *bun.SelectQuery {
	described := db.NewSelect().TableExpr("document_auto_tag AS applied").ColumnExpr("applied.*").
		ColumnExpr("coalesce((SELECT description FROM auto_tag WHERE auto_tag.id = applied.auto_tag_id AND auto_tag.workspace_id = applied.workspace_id), '') AS description")
	return db.NewSelect().TableExpr("(?) AS applied", described)
}

// AppliedByIDs returns the workspace's applied values with the ids (see dbx.ByIDs).
func (s *Service) AppliedByIDs(ctx context.Context, workspaceID string, ids []string,
	columns ...string) ([]*model.AppliedAutoTag, error) {
	q := withDescriptions(s.db).Column(columns...).Where("workspace_id = ? AND id ?", workspaceID, dbx.AnyOf(ids))
	return dbx.Read[model.AppliedAutoTag](ctx, s.db, q)
}

// AppliedPages returns a page of applied values per key in the column parent, newest first (see
// dbx.Nested).
func (s *Service) AppliedPages(
	ctx context.Context, workspaceID, parent string, keys []string, args model.PageArgs, columns ...string,
) ([]*model.AppliedAutoTagConnection, error) {
	list := dbx.List[model.AppliedAutoTag]{
		Order: dbx.Order{Column: "applied_at", Time: true, Desc: true, Nullable: true}, Columns: columns,
		From: func() *bun.SelectQuery { return withDescriptions(s.db) },
		Key: func(row *model.AppliedAutoTag) (any, string) {
			if row.CreatedAt == nil {
				return nil, row.ID
			}
			return *row.CreatedAt, row.ID
		},
		Where: func(q *bun.SelectQuery) *bun.SelectQuery { return q.Where("workspace_id = ?", workspaceID) },
	}
	return dbx.Nested[model.AppliedAutoTag]{List: list, Parent: parent}.Pages(ctx, s.db, keys, args)
}
