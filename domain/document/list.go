package document

import (
	"context"
	"sync"

	"github.com/uptrace/bun"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/model"
	"rostrum/platform/principal"
)

// newestFirst is the order of documents unless a caller chooses another.
var newestFirst = dbx.Order{Column: "created_at", Time: true, Desc: true}

// List returns one page of the caller's documents, newest first unless an order is given. It counts
// the total on demand. If columns are named, it reads only these. It returns errs.ValidationFailed
// naming every invalid field.
func (s *Service) List(
	ctx context.Context, args model.PageArgs, filter *api.DocumentFilter, order *model.DocumentOrder, columns ...string,
) (*model.DocumentConnection, error) {
	p := principal.Must(ctx)
	list, _, err := s.newList(ctx, p.WorkspaceID, filter, order, columns)
	if err != nil {
		return nil, err
	}
	if list.Count == nil {
		totals := s.withTotals(ctx, &list, p.WorkspaceID, args.Counted)
		list.Count = func(context.Context) (int, error) {
			w, err := totals()
			return w.DocumentCount, err
		}
	}
	return list.Page(ctx, s.db, args)
}

// newList returns the list of the documents that match the filter. Without an order a list that is
// searched has the most relevant ones first. Without conditions it has no Count. It returns what the
// filter's q asks for too, and errs.ValidationFailed naming every invalid field.
func (s *Service) newList(ctx context.Context, workspaceID string, filter *api.DocumentFilter,
	order *model.DocumentOrder, columns []string) (dbx.List[model.Document], *askedQuery, error) {
	asked, err := s.readQuery(ctx, workspaceID, filter)
	if err != nil {
		return dbx.List[model.Document]{}, nil, err
	}
	if order == nil && asked.hasText() {
		order = &model.DocumentOrder{Field: model.DocumentOrderFieldRelevance, Direction: model.OrderDirectionDesc}
	}
	list := orders.Sort(dbx.List[model.Document]{
		Order: newestFirst, Columns: columns, Text: "content",
		Key:   func(d *model.Document) (any, string) { return d.CreatedAt, d.ID },
		Where: func(q *bun.SelectQuery) *bun.SelectQuery { return q.Where("workspace_id = ?", workspaceID) },
	}, order)
	rows, err := s.rowsFor(workspaceID, asked, order)
	if err != nil {
		return list, asked, err
	}
	if rows != nil {
		list.From = func() *bun.SelectQuery {
			return s.db.NewSelect().Model((*model.Document)(nil)).ModelTableExpr("(?) AS document", rows)
		}
	}
	if filter == nil {
		return list, asked, nil
	}
	conditions := s.conditions(workspaceID, asked)
	if conditions.IsEmpty(filter) {
		return list, asked, nil
	}
	list.Read = scanRows
	list.Where = func(q *bun.SelectQuery) *bun.SelectQuery {
		return conditions.Apply(q.Where("workspace_id = ?", workspaceID), filter)
	}
	list.Count = func(ctx context.Context) (int, error) { return s.countMatching(ctx, workspaceID, filter, asked) }
	return list, asked, conditions.Check(filter)
}

// scanRows runs a filtered query without preparing it on the server, because one plan for all
// values of a filter is slow for most.
func scanRows(ctx context.Context, q *bun.SelectQuery) ([]*model.Document, error) {
	rows := []*model.Document{}
	err := q.Scan(ctx, &rows)
	return rows, dbx.Err(err)
}

// withTotals returns a function that returns the workspace's document totals. If wanted, a server
// reads them in the statement of the list's rows; otherwise the first call reads them.
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
			return q.ColumnExpr("(?) AS document_count, (?) AS hidden_count", totals.Clone().Column("document_count"),
				totals.Clone().Column("hidden_count"))
		}
		list.Read = func(ctx context.Context, q *bun.SelectQuery) ([]*model.Document, error) {
			w := new(model.Workspace)
			rows, err := dbx.ReadWithExtra[model.Document](ctx, s.db, q,
				map[string]any{"document_count": &w.DocumentCount, "hidden_count": &w.HiddenCount})
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

// Count returns the number of the caller's documents that match the filter. It returns
// errs.ValidationFailed naming every invalid field.
func (s *Service) Count(ctx context.Context, filter *api.DocumentFilter) (int, error) {
	workspaceID := principal.Must(ctx).WorkspaceID
	asked, err := s.readQuery(ctx, workspaceID, filter)
	if err != nil {
		return 0, err
	}
	if err := s.conditions(workspaceID, asked).Check(filter); err != nil {
		return 0, err
	}
	return s.countMatching(ctx, workspaceID, filter, asked)
}

// Pages returns a page of the documents that match the filter per key in the column parent, newest
// first unless an order is given. It returns errs.ValidationFailed for invalid arguments.
func (s *Service) Pages(
	ctx context.Context, workspaceID, parent string, keys []string, args model.PageArgs, filter *api.DocumentFilter,
	order *model.DocumentOrder, columns ...string,
) ([]*model.DocumentConnection, error) {
	list, _, err := s.newList(ctx, workspaceID, filter, order, columns)
	if err != nil {
		return nil, err
	}
	return s.readNested(ctx, dbx.Nested[model.Document]{List: list, Parent: parent}, keys, args)
}

// PagesIn is Pages for documents that are related to their keys by other rows: the query pairs has
// the columns document_id and parent, which holds the keys.
func (s *Service) PagesIn(
	ctx context.Context, workspaceID string, pairs *bun.SelectQuery, keys []string, args model.PageArgs,
	filter *api.DocumentFilter, order *model.DocumentOrder,
	columns ...string,
) ([]*model.DocumentConnection, error) {
	list, _, err := s.newList(ctx, workspaceID, filter, order, columns)
	if err != nil {
		return nil, err
	}
	rows := s.db.NewSelect().TableExpr("document")
	if list.From != nil {
		rows = list.From()
	}
	paired := s.db.NewSelect().TableExpr("(?) AS document", rows.ColumnExpr("document.*")).
		ColumnExpr("document.*, pair.parent").
		Join("JOIN (?) AS pair ON pair.document_id = document.id", pairs)
	list.From = func() *bun.SelectQuery { return s.db.NewSelect().TableExpr("(?) AS document", paired) }
	return s.readNested(ctx, dbx.Nested[model.Document]{List: list, Parent: "parent"}, keys, args)
}

// readNested returns the pages of a nested list. It notes reads of documents under embargo in the
// audit log.
func (s *Service) readNested(
	ctx context.Context, list dbx.Nested[model.Document], keys []string, args model.PageArgs,
) ([]*model.DocumentConnection, error) {
	return list.Pages(ctx, s.db, keys, args)
}
