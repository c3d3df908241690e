package executive

import (
	"context"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/model"
	"rostrum/platform/principal"
)

// newestComparisons is the list of the stored comparisons that have not expired, newest first.
func newestComparisons(workspaceID string) dbx.List[model.Insight] {
	return dbx.List[model.Insight]{
		Order: dbx.Order{Column: "created_at", Time: true, Desc: true},
		Key:   func(row *model.Insight) (any, string) { return row.CreatedAt, row.ID },
		Where: func(q *bun.SelectQuery) *bun.SelectQuery {
			return q.Where("workspace_id = ? AND created_at > ?", workspaceID, model.Now().Add(-keepInsights))
		},
	}
}

// Comparisons returns one page of the stored comparisons, newest first (see dbx.List).
func (s *Service) Comparisons(ctx context.Context, args model.PageArgs) (*model.ComparisonConnection, error) {
	page, err := newestComparisons(principal.Must(ctx).WorkspaceID).Page(ctx, s.DB, args)
	if err != nil {
		return nil, err
	}
	return page, nil
}

// ComparisonPages returns a page of each party's stored comparisons, newest first (see dbx.Nested).
func (s *Service) ComparisonPages(
	ctx context.Context, workspaceID, parent string, keys []string, args model.PageArgs, columns ...string,
) ([]*model.ComparisonConnection, error) {
	list := newestComparisons(workspaceID)
	list.Columns = columns
	list.From = func() *bun.SelectQuery {
		paired := s.DB.NewSelect().TableExpr("insight AS i").Join("JOIN insight_party AS p ON p.insight_id = i.id").
			ColumnExpr("i.*, p.party_id")
		return s.DB.NewSelect().TableExpr("(?) AS insight", paired)
	}
	return dbx.Nested[model.Insight]{List: list, Parent: parent}.Pages(ctx, s.DB, keys, args)
}

// ComparisonsByID returns the workspace's stored comparisons with the ids (see dbx.ByIDs).
func (s *Service) ComparisonsByID(ctx context.Context, workspaceID string, ids []string,
	columns ...string) ([]*model.Insight, error) {
	return dbx.ByIDs[model.Insight](ctx, s.DB, workspaceID, ids, columns...)
}

// ComparisonResults returns each comparison's result with the passages as the documents have them
// now.
func (s *Service) ComparisonResults(ctx context.Context, rows []*model.Insight) ([]*model.InsightComparison, error) {
	out := make([]*model.InsightComparison, len(rows))
	for i, row := range rows {
		out[i] = row.Answer
	}
	return out, s.refreshAll(ctx, rows)
}
