package operation

import (
	"context"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
)

// findSame returns the version of this name that the workspace has, or nil. It returns errs.Conflict
// if its operations are others.
func findSame(ctx context.Context, tx dbx.Tx, version *model.AppVersion) (*model.AppVersion, error) {
	known := new(model.AppVersion)
	err := tx.NewSelect().Model(known).Where("workspace_id = ? AND app = ? AND version = ?", version.WorkspaceID, version.App,
		version.Version).Scan(ctx)
	if found, err := dbx.NilIfNotFound(known, dbx.Err(err)); found == nil || err != nil {
		return nil, err
	}
	if known.Digest != version.Digest {
		return nil, errs.New(errs.Conflict, "%s %s is registered with other operations; register a new version, or retire this one first",
			version.App, version.Version)
	}
	return known, nil
}

// storeVersion stores a version with its operations; the workspace must be locked. It returns
// errs.Conflict and errs.TooLarge at the limits of a workspace.
func (s *Service) storeVersion(ctx context.Context, tx dbx.Tx, version *model.AppVersion,
	operations []*model.RegisteredOperation) error {
	var stored struct{ Versions, Bytes int }
	err := tx.NewSelect().Model((*model.AppVersion)(nil)).
		ColumnExpr("count(*) AS versions, coalesce(sum(text_bytes), 0) AS bytes").
		Where("workspace_id = ?", version.WorkspaceID).Scan(ctx, &stored)
	switch {
	case err != nil:
		return dbx.Err(err)
	case stored.Versions >= MaxVersions:
		return errs.New(errs.Conflict, "the workspace has %d versions of front ends already; retire one first", MaxVersions)
	case stored.Bytes+version.TextBytes > MaxBytes:
		return errs.New(errs.TooLarge, "the texts of the workspace's versions would have more than %d MB; retire a version first",
			MaxBytes>>20)
	}
	_, err = tx.NewInsert().Model(&model.OperationSchema{Hash: version.SchemaHash, Text: s.SDL}).
		On("CONFLICT (hash) DO NOTHING").Exec(ctx)
	if err != nil {
		return dbx.Err(err)
	}
	if _, err := tx.NewInsert().Model(version).Exec(ctx); err != nil {
		return dbx.Err(err)
	}
	return dbx.InsertRows(ctx, tx, operations)
}

// findVersion returns the version of the workspace that is meant, or errs.NotFound.
func findVersion(ctx context.Context, tx dbx.Tx, workspaceID string,
	isMeant func(*model.AppVersion) bool) (*model.AppVersion, error) {
	var versions []*model.AppVersion
	if err := tx.NewSelect().Model(&versions).Where("workspace_id = ?", workspaceID).Scan(ctx); err != nil {
		return nil, dbx.Err(err)
	}
	for _, version := range versions {
		if isMeant(version) {
			return version, nil
		}
	}
	return nil, errs.New(errs.NotFound, "the workspace has no such version of a front end")
}

// deleteVersion deletes a version with its operations.
func deleteVersion(ctx context.Context, tx dbx.Tx, version *model.AppVersion) error {
	_, err := tx.NewDelete().Model(version).WherePK().Exec(ctx)
	return dbx.Err(err)
}
