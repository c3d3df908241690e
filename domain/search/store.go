package search

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/platform/principal"
)

// progress is how far the feed of a workspace was followed. Its lock orders all changes of searches
// and hits of a workspace.
type progress struct {
	bun.BaseModel `bun:"table:search_progress,alias:progress"`

	WorkspaceID string `bun:"workspace_id,pk"`
	Position    int64  `bun:"position"`
}

// lockProgress locks the workspace's progress. Without one it begins at the position.
func (s *Service) lockProgress(ctx context.Context, tx dbx.Tx, workspaceID string, position int64) error {
	_, err := tx.NewInsert().Model(&progress{WorkspaceID: workspaceID, Position: position}).
		On("CONFLICT (workspace_id) DO NOTHING").Exec(ctx)
	if err != nil {
		return dbx.Err(err)
	}
	_, err = s.progressForUpdate(ctx, tx, workspaceID)
	return err
}

func (s *Service) progressForUpdate(ctx context.Context, tx dbx.Tx, workspaceID string) (int64, error) {
	row := new(progress)
	err := s.DB.ForUpdate(tx.NewSelect().Model(row).Where("workspace_id = ?", workspaceID)).Scan(ctx)
	return row.Position, dbx.Err(err)
}

// readProgress returns how far the feed was followed, or nil if the workspace never had a search.
func (s *Service) readProgress(ctx context.Context, workspaceID string) (*progress, error) {
	row := new(progress)
	return dbx.NilIfNotFound(row, s.DB.NewSelect().Model(row).Where("workspace_id = ?", workspaceID).Scan(ctx))
}

func moveProgress(ctx context.Context, tx dbx.Tx, workspaceID string, to int64) error {
	_, err := tx.NewUpdate().Model((*progress)(nil)).Set("position = ?", to).Where("workspace_id = ?", workspaceID).
		Exec(ctx)
	return dbx.Err(err)
}

// insertSearch stores a search; the progress must be locked. It returns errs.Conflict at the limit
// of searches and for a name that the workspace has.
func insertSearch(ctx context.Context, tx dbx.Tx, saved *model.SavedSearch) error {
	n, err := tx.NewSelect().Model((*model.SavedSearch)(nil)).Where("workspace_id = ?", saved.WorkspaceID).Count(ctx)
	if err != nil {
		return dbx.Err(err)
	}
	if n >= MaxSearches {
		return errs.New(errs.Conflict, "the workspace has %d saved searches already; delete one first", MaxSearches)
	}
	_, err = tx.NewInsert().Model(saved).Exec(ctx)
	return nameErr(err)
}

// nameErr names what is in conflict.
func nameErr(err error) error {
	if err = dbx.Err(err); errs.Is(err, errs.Conflict) {
		return errs.Wrap(err, errs.Conflict, "the workspace has a saved search with this name already")
	}
	return err
}

// lockSearch locks the workspace's progress and returns a search. It returns errs.NotFound for an
// unknown id, and errs.InsufficientScope if the caller may not change it.
func (s *Service) lockSearch(ctx context.Context, tx dbx.Tx, p principal.Principal, id string) (*model.SavedSearch,
	error) {
	if _, err := s.progressForUpdate(ctx, tx, p.WorkspaceID); err != nil {
		return nil, err
	}
	saved := new(model.SavedSearch)
	if err := tx.NewSelect().Model(saved).Where("workspace_id = ? AND id = ?", p.WorkspaceID, id).
		Scan(ctx); err != nil {
		return nil, dbx.Err(err)
	}
	return saved, p.CheckOwner("saved search", saved.CreatedByID)
}

func saveSearch(ctx context.Context, tx dbx.Tx, saved *model.SavedSearch) error {
	_, err := tx.NewUpdate().Model(saved).WherePK().Where("workspace_id = ?", saved.WorkspaceID).Exec(ctx)
	return nameErr(err)
}

func deleteSearch(ctx context.Context, tx dbx.Tx, saved *model.SavedSearch) error {
	_, err := tx.NewDelete().Model(saved).WherePK().Where("workspace_id = ?", saved.WorkspaceID).Exec(ctx)
	return dbx.Err(err)
}

// find returns a search of the workspace, or errs.NotFound.
func (s *Service) find(ctx context.Context, workspaceID, id string) (*model.SavedSearch, error) {
	saved := new(model.SavedSearch)
	err := s.DB.NewSelect().Model(saved).Where("workspace_id = ? AND id = ?", workspaceID, id).Scan(ctx)
	return saved, dbx.Err(err)
}

// replaceKnown deletes the hits of a search and stores the documents of a query as known, if events
// follow the search.
func replaceKnown(ctx context.Context, tx dbx.Tx, saved *model.SavedSearch, known *bun.SelectQuery) error {
	_, err := tx.NewDelete().Model((*model.SearchHit)(nil)).Where("search_id = ?", saved.ID).Exec(ctx)
	if err != nil || !saved.IsFollowed {
		return dbx.Err(err)
	}
	_, err = tx.NewRaw("INSERT INTO search_hit (search_id, document_id, position) SELECT ?, found.id, 0 FROM (?) AS found",
		saved.ID, known).Exec(ctx)
	return dbx.Err(err)
}

// selectFollowed selects the searches of the workspace that events follow.
func selectFollowed(db dbx.Reader, workspaceID string) *bun.SelectQuery {
	return db.NewSelect().Model((*model.SavedSearch)(nil)).Where("workspace_id = ? AND is_followed", workspaceID).
		Order("id")
}

// knownHits returns the hits that searches have among the documents.
func knownHits(ctx context.Context, tx dbx.Tx, hits []*hit) (map[model.SearchHit]bool, error) {
	known := map[model.SearchHit]bool{}
	if len(hits) == 0 {
		return known, nil
	}
	searches, docs := make([]string, len(hits)), make([]string, len(hits))
	for i, one := range hits {
		searches[i], docs[i] = one.search.ID, one.doc.ID
	}
	var rows []*model.SearchHit
	err := tx.NewSelect().Model(&rows).Where("search_id IN (?) AND document_id IN (?)", bun.List(searches),
		bun.List(docs)).Scan(ctx)
	for _, row := range rows {
		known[model.SearchHit{SearchID: row.SearchID, DocumentID: row.DocumentID}] = true
	}
	return known, dbx.Err(err)
}

// forgetDeleted makes hits of deleted documents known, which are no longer new.
func forgetDeleted(ctx context.Context, tx dbx.Tx, workspaceID string, ids []string) error {
	if len(ids) == 0 {
		return nil
	}
	own := tx.NewSelect().Model((*model.SavedSearch)(nil)).Column("id").Where("workspace_id = ?", workspaceID)
	_, err := tx.NewUpdate().Model((*model.SearchHit)(nil)).Set("position = 0").
		Where("document_id IN (?) AND position > 0 AND search_id IN (?)", bun.List(ids), own).Exec(ctx)
	return dbx.Err(err)
}

// storeSeen notes that a viewer has seen the newest hit of a search and all before it.
func storeSeen(ctx context.Context, tx dbx.Tx, searchID, viewerID string, at time.Time) error {
	seen := &model.SearchSeen{SearchID: searchID, ViewerID: viewerID, SeenAt: at}
	err := tx.NewSelect().Model((*model.SearchHit)(nil)).ColumnExpr("coalesce(max(position), 0)").
		Where("search_id = ?", searchID).Scan(ctx, &seen.Position)
	if err != nil {
		return dbx.Err(err)
	}
	_, err = tx.NewInsert().Model(seen).On("CONFLICT (search_id, viewer_id) DO UPDATE").
		Set("position = excluded.position, seen_at = excluded.seen_at").Exec(ctx)
	return dbx.Err(err)
}
