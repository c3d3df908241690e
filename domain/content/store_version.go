package content

import (
	"context"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
)

// newestVersion returns the newest version of a draft, or nil if it has none.
func newestVersion(ctx context.Context, tx dbx.Tx, draft *model.Draft) (*model.DraftVersion, error) {
	version := new(model.DraftVersion)
	err := tx.NewSelect().Model(version).Where("workspace_id = ? AND draft_id = ?", draft.WorkspaceID, draft.ID).
		Order("number DESC").Limit(1).Scan(ctx)
	return dbx.NilIfNotFound(version, err)
}

// readVersion returns a version of a draft. It returns errs.NotFound for an id that is not one of
// the draft's.
func readVersion(ctx context.Context, tx dbx.Tx, draft *model.Draft, id string) (*model.DraftVersion, error) {
	version := new(model.DraftVersion)
	err := dbx.Err(tx.NewSelect().Model(version).
		Where("workspace_id = ? AND draft_id = ? AND id = ?", draft.WorkspaceID, draft.ID, id).Scan(ctx))
	if errs.Is(err, errs.NotFound) {
		return nil, errs.New(errs.NotFound, "the draft %s has no version %s", draft.ID, id)
	}
	return version, err
}

// insertVersion stores a version and makes it the draft's current one.
func (s *Service) insertVersion(ctx context.Context, tx dbx.Tx, draft *model.Draft, version *model.DraftVersion) error {
	draft.CurrentVersionID = &version.ID
	_, err := tx.NewInsert().Model(version).Exec(ctx)
	return dbx.Err(err)
}

func (s *Service) deleteVersion(ctx context.Context, tx dbx.Tx, version *model.DraftVersion) error {
	_, err := tx.NewDelete().Model(version).WherePK().Where("workspace_id = ?", version.WorkspaceID).Exec(ctx)
	return dbx.Err(err)
}

// hasStateChange reports whether a change of the draft's state is about the version.
func hasStateChange(ctx context.Context, tx dbx.Tx, version *model.DraftVersion) (bool, error) {
	found, err := tx.NewSelect().Model((*model.DraftStateChange)(nil)).
		Where("workspace_id = ? AND version_id = ?", version.WorkspaceID, version.ID).Exists(ctx)
	return found, dbx.Err(err)
}

func insertStateChange(ctx context.Context, tx dbx.Tx, change *model.DraftStateChange) error {
	_, err := tx.NewInsert().Model(change).Exec(ctx)
	return dbx.Err(err)
}

// latestRequest returns the latest request of a review of a draft, or nil if there was none.
func latestRequest(ctx context.Context, tx dbx.Tx, draft *model.Draft) (*model.DraftStateChange, error) {
	change := new(model.DraftStateChange)
	err := tx.NewSelect().Model(change).Where("workspace_id = ? AND draft_id = ? AND action = ?", draft.WorkspaceID,
		draft.ID, model.DraftActionReviewRequested).Order("at DESC", "id DESC").Limit(1).Scan(ctx)
	return dbx.NilIfNotFound(change, err)
}

// isOnlyAuthor reports whether all versions of a draft are by the user or the key with the id.
func isOnlyAuthor(ctx context.Context, tx dbx.Tx, draft *model.Draft, id string) (bool, error) {
	byOther, err := tx.NewSelect().Model((*model.DraftVersion)(nil)).
		Where("workspace_id = ? AND draft_id = ? AND coalesce(author_id, author_key_id, '') <> ?", draft.WorkspaceID,
			draft.ID, id).Exists(ctx)
	return !byOther, dbx.Err(err)
}
