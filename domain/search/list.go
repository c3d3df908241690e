package search

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/model"
	"rostrum/platform/principal"
)

// List returns one page of the workspace's searches, oldest first. If columns are named, it reads
// only these.
func (s *Service) List(ctx context.Context, args model.PageArgs, columns ...string) (*model.SavedSearchConnection,
	error) {
	p := principal.Must(ctx)
	return dbx.List[model.SavedSearch]{
		Order: dbx.Order{Column: "created_at", Time: true}, Columns: columns,
		Key:   func(row *model.SavedSearch) (any, string) { return row.CreatedAt, row.ID },
		Where: func(q *bun.SelectQuery) *bun.SelectQuery { return q.Where("workspace_id = ?", p.WorkspaceID) },
	}.Page(ctx, s.DB, args)
}

// Get returns a search, or nil if the workspace has none with this id.
func (s *Service) Get(ctx context.Context, id string) (*model.SavedSearch, error) {
	return dbx.NilIfNotFound(s.find(ctx, principal.Must(ctx).WorkspaceID, id))
}

// ByIDs returns the workspace's searches with the ids (see dbx.ByIDs).
func (s *Service) ByIDs(ctx context.Context, workspaceID string, ids []string, columns ...string) ([]*model.SavedSearch,
	error) {
	return dbx.ByIDs[model.SavedSearch](ctx, s.DB, workspaceID, ids, columns...)
}

// Has reports whether the workspace has a search with this id.
func (s *Service) Has(ctx context.Context, workspaceID, id string) (bool, error) {
	found, err := s.DB.NewSelect().Model((*model.SavedSearch)(nil)).Where("workspace_id = ? AND id = ?", workspaceID, id).
		Exists(ctx)
	return found, dbx.Err(err)
}

// DocumentPages returns a page of the documents of each search that match the filter, newest first
// unless an order is given.
func (s *Service) DocumentPages(
	ctx context.Context, workspaceID string, searches []*model.SavedSearch, args model.PageArgs,
	filter *api.DocumentFilter, order *model.DocumentOrder, columns ...string,
) ([]*model.DocumentConnection, error) {
	filters, keys := make(map[string]*api.DocumentFilter, len(searches)), make([]string, len(searches))
	for i, saved := range searches {
		keys[i], filters[saved.ID] = saved.ID, filterOf(saved)
	}
	return s.Documents.PagesFound(ctx, workspaceID, filters, keys, args, filter, order, columns...)
}

// NewCounts returns the number of hits of each search that the caller has not seen.
func (s *Service) NewCounts(ctx context.Context, ids []string) ([]*int, error) {
	var rows []struct {
		SearchID string
		Hits     int
	}
	counts := make([]*int, len(ids))
	if len(ids) == 0 {
		return counts, nil
	}
	err := s.DB.NewSelect().Model((*model.SearchHit)(nil)).ColumnExpr("hit.search_id, count(*) AS hits").
		Join("LEFT JOIN search_seen AS seen ON seen.search_id = hit.search_id AND seen.viewer_id = ?",
			viewerOf(principal.Must(ctx))).
		Where("hit.search_id IN (?) AND hit.position > 0 AND hit.position > coalesce(seen.position, 0)", bun.List(ids)).
		Group("hit.search_id").Scan(ctx, &rows)
	byID := make(map[string]int, len(rows))
	for _, row := range rows {
		byID[row.SearchID] = row.Hits
	}
	for i, id := range ids {
		counts[i] = new(byID[id])
	}
	return counts, dbx.Err(err)
}

// LastSeen returns when the caller has seen the hits of each search; nil if never.
func (s *Service) LastSeen(ctx context.Context, ids []string) ([]*time.Time, error) {
	times := make([]*time.Time, len(ids))
	if len(ids) == 0 {
		return times, nil
	}
	var rows []*model.SearchSeen
	err := s.DB.NewSelect().Model(&rows).Where("search_id IN (?) AND viewer_id = ?", bun.List(ids),
		viewerOf(principal.Must(ctx))).Scan(ctx)
	byID := make(map[string]*time.Time, len(rows))
	for _, row := range rows {
		byID[row.SearchID] = &row.SeenAt
	}
	for i, id := range ids {
		times[i] = byID[id]
	}
	return times, dbx.Err(err)
}
