package document

import (
	"context"
	"strings"
	"sync"

	"github.com/uptrace/bun"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/model"
	"rostrum/principal"
)

// List returns one page of the caller's documents, with only the named columns (all when none is named). The total is counted only
// when it is asked for. It returns an error with the code errs.ValidationFailed for invalid paging arguments.
func (s *Service) List(
	ctx context.Context, args model.PageArgs, filter *api.DocumentFilter, sort model.DocumentSort, columns ...string,
) (*model.DocumentConnection, error) {
	p := principal.Must(ctx)
	order := orderOf(sort)
	list := dbx.List[model.Document]{
		Order: order, Columns: columns, Text: "content",
		Key: func(d *model.Document) (any, string) { return sortValue(d, order.Column), d.ID },
		Where: func(q *bun.SelectQuery) *bun.SelectQuery {
			return s.applyFilter(q.Where("workspace_id = ?", p.WorkspaceID), filter)
		},
		Read:  scanRows,
		Count: func(ctx context.Context) (int, error) { return s.countMatching(ctx, p.WorkspaceID, filter) },
	}
	if isUnfiltered(filter) {
		list.Read = nil
		totals := s.withTotals(ctx, &list, p.WorkspaceID, args.Counted)
		list.Count = func(context.Context) (int, error) {
			w, err := totals()
			return w.DocumentCount, err
		}
	}
	page, err := list.Page(ctx, s.db, args)
	if err != nil {
		return nil, err
	}
	return page, nil
}

// scanRows runs a filtered query without preparing it on the server: a plan that is made once for all values of a filter is slow for most.
func scanRows(ctx context.Context, q *bun.SelectQuery) ([]*model.Document, error) {
	rows := []*model.Document{}
	err := q.Scan(ctx, &rows)
	return rows, dbx.Err(err)
}

// withTotals returns a function that returns the workspace's document totals. If they are wanted and the database is a server, the list reads
// them in the statement of its rows; otherwise the first call reads them.
func (s *Service) withTotals(
	ctx context.Context, list *dbx.List[model.Document], workspaceID string, wanted bool,
) func() (*model.Workspace, error) {
	var found *model.Workspace
	if wanted && !s.db.InProcess() {
		totals := s.db.NewSelect().Model((*model.Workspace)(nil)).Where("id = ?", workspaceID)
		list.Select = func(q *bun.SelectQuery) *bun.SelectQuery {
			if len(list.Columns) == 0 {
				q = q.ColumnExpr("?TableColumns")
			}
			return q.ColumnExpr("(?) AS document_count, (?) AS hidden_count", totals.Clone().Column("document_count"), totals.Clone().Column("hidden_count"))
		}
		list.Read = func(ctx context.Context, q *bun.SelectQuery) ([]*model.Document, error) {
			w := new(model.Workspace)
			rows, err := dbx.ReadWithExtra[model.Document](ctx, s.db, q, map[string]any{"document_count": &w.DocumentCount, "hidden_count": &w.HiddenCount})
			if len(rows) > 0 {
				found = w
			}
			return rows, err
		}
	}
	return sync.OnceValues(func() (*model.Workspace, error) {
		if found != nil {
			return found, nil
		}
		return s.readTotals(ctx, workspaceID)
	})
}

// Count returns the number of the caller's documents that match the filter.
func (s *Service) Count(ctx context.Context, filter *api.DocumentFilter) (int, error) {
	return s.countMatching(ctx, principal.Must(ctx).WorkspaceID, filter)
}

func orderOf(sort model.DocumentSort) dbx.Order {
	column, desc := strings.CutSuffix(string(sort), "_desc")
	column = strings.TrimSuffix(column, "_asc")
	return dbx.Order{
		Column: column, Desc: desc,
		Time:     column != "title" && column != "word_count",
		Number:   column == "word_count",
		Nullable: column == "word_count" || column == "extracted_date",
	}
}

func sortValue(d *model.Document, column string) any {
	switch column {
	case "updated_at":
		return d.UpdatedAt
	case "extracted_date":
		return orNil(d.ExtractedDate)
	case "title":
		return d.Title
	case "word_count":
		return orNil(d.WordCount)
	}
	return d.CreatedAt
}

func orNil[T any](v *T) any {
	if v == nil {
		return nil
	}
	return *v
}

// applyFilter adds a condition for every field of the filter that is set.
func (s *Service) applyFilter(q *bun.SelectQuery, f *api.DocumentFilter) *bun.SelectQuery {
	if f == nil {
		return q
	}
	if words := f.Q.Value(); words != nil && strings.TrimSpace(*words) != "" {
		q = s.db.Matching(q, "document", *words)
	}
	if tag := f.Tag.Value(); tag != nil {
		q = s.db.Containing(q, "tags", *tag)
	}
	q = dbx.Equal(q, "content_type", f.ContentType.Value())
	q = dbx.Equal(q, "company", f.Company.Value())
	q = dbx.Equal(q, "executive", f.Executive.Value())
	q = dbx.Equal(q, "media_provenance", f.MediaProvenance.Value())
	return dbx.Equal(q, "processing_status", f.ProcessingStatus.Value())
}

// isUnfiltered reports whether the filter matches every document, so that the workspace's total is the count.
func isUnfiltered(f *api.DocumentFilter) bool {
	if f == nil {
		return true
	}
	noWords := f.Q.Value() == nil || strings.TrimSpace(*f.Q.Value()) == ""
	return noWords && f.Tag.Value() == nil && f.ContentType.Value() == nil && f.Company.Value() == nil &&
		f.Executive.Value() == nil && f.MediaProvenance.Value() == nil && f.ProcessingStatus.Value() == nil
}

// PagesIn returns a page of the workspace's documents for each key, newest first and with the named columns. The query pairs has the
// columns document_id and parent, which holds the keys. It returns errs.ValidationFailed for invalid page arguments.
func (s *Service) PagesIn(
	ctx context.Context, workspaceID string, pairs *bun.SelectQuery, keys []string, args model.PageArgs, columns ...string,
) ([]*model.DocumentConnection, error) {
	paired := s.db.NewSelect().TableExpr("document").ColumnExpr("document.*, pair.parent").Join("JOIN (?) AS pair ON pair.document_id = document.id", pairs)
	list := dbx.List[model.Document]{
		Order: newestFirst, Columns: columns, Text: "content",
		From:  func() *bun.SelectQuery { return s.db.NewSelect().TableExpr("(?) AS document", paired) },
		Key:   func(row *model.Document) (any, string) { return row.CreatedAt, row.ID },
		Where: func(q *bun.SelectQuery) *bun.SelectQuery { return q.Where("workspace_id = ?", workspaceID) },
	}
	return dbx.Nested[model.Document]{List: list, Parent: "parent"}.Pages(ctx, s.db, keys, args)
}
