package operation

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/model"
	"rostrum/platform/principal"
)

// List returns one page of the workspace's versions, newest first. If columns are named, it reads
// only these.
func (s *Service) List(ctx context.Context, args model.PageArgs, columns ...string) (*model.AppVersionConnection, error) {
	return newestVersions(principal.Must(ctx).WorkspaceID, columns).Page(ctx, s.DB, args)
}

func newestVersions(workspaceID string, columns []string) dbx.List[model.AppVersion] {
	return dbx.List[model.AppVersion]{
		Order: dbx.Order{Column: "created_at", Time: true, Desc: true}, Columns: columns,
		Key:   func(row *model.AppVersion) (any, string) { return row.CreatedAt, row.ID },
		Where: func(q *bun.SelectQuery) *bun.SelectQuery { return q.Where("workspace_id = ?", workspaceID) },
	}
}

// VersionPages returns a page of versions per value of the column parent, newest first (see
// dbx.Nested).
func (s *Service) VersionPages(ctx context.Context, workspaceID, parent string, values []string, args model.PageArgs,
	columns ...string) ([]*model.AppVersionConnection, error) {
	return dbx.Nested[model.AppVersion]{List: newestVersions(workspaceID, columns), Parent: parent}.Pages(ctx, s.DB,
		values, args)
}

// Get returns a version, or nil if the workspace has none with this id.
func (s *Service) Get(ctx context.Context, id string) (*model.AppVersion, error) {
	version := new(model.AppVersion)
	err := s.DB.NewSelect().Model(version).Where("workspace_id = ? AND id = ?", principal.Must(ctx).WorkspaceID, id).Scan(ctx)
	return dbx.NilIfNotFound(version, dbx.Err(err))
}

// VersionsByID returns the workspace's versions with the ids (see dbx.ByIDs).
func (s *Service) VersionsByID(ctx context.Context, workspaceID string, ids []string,
	columns ...string) ([]*model.AppVersion, error) {
	return dbx.ByIDs[model.AppVersion](ctx, s.DB, workspaceID, ids, columns...)
}

// OperationsByID returns the workspace's operations with the ids (see dbx.ByIDs).
func (s *Service) OperationsByID(ctx context.Context, workspaceID string, ids []string,
	columns ...string) ([]*model.RegisteredOperation, error) {
	return dbx.ByIDs[model.RegisteredOperation](ctx, s.DB, workspaceID, ids, columns...)
}

// OperationPages returns a page of operations per value of the column parent, by name (see
// dbx.Nested).
func (s *Service) OperationPages(ctx context.Context, workspaceID, parent string, values []string,
	args model.PageArgs, columns ...string) ([]*model.RegisteredOperationConnection, error) {
	return dbx.Nested[model.RegisteredOperation]{List: dbx.List[model.RegisteredOperation]{
		Order: dbx.Order{Column: "name"}, Columns: columns, Text: "text",
		Key:   func(row *model.RegisteredOperation) (any, string) { return row.Name, row.ID },
		Where: func(q *bun.SelectQuery) *bun.SelectQuery { return q.Where("workspace_id = ?", workspaceID) },
	}, Parent: parent}.Pages(ctx, s.DB, values, args)
}

// Requests returns how many requests ran operations of each version, as far as that is stored.
func (s *Service) Requests(ctx context.Context, versionIDs []string) ([]*int, error) {
	rows, err := readUse[int](ctx, s.DB, "sum(requests)", versionIDs)
	for i, row := range rows {
		if row == nil {
			rows[i] = new(int)
		}
	}
	return rows, err
}

// LastUsed returns when a request last ran an operation of each version; nil if none has.
func (s *Service) LastUsed(ctx context.Context, versionIDs []string) ([]*time.Time, error) {
	return readUse[time.Time](ctx, s.DB, "max(last_used_at)", versionIDs)
}

// readUse returns a figure of the operations of each version.
func readUse[T any](ctx context.Context, db *dbx.DB, figure string, versionIDs []string) ([]*T, error) {
	figures := make([]*T, len(versionIDs))
	if len(versionIDs) == 0 {
		return figures, nil
	}
	var rows []struct {
		AppVersionID string
		Figure       *T
	}
	err := db.NewSelect().Model((*model.RegisteredOperation)(nil)).ColumnExpr("app_version_id, "+figure+" AS figure").
		Where("app_version_id IN (?)", bun.List(versionIDs)).
		Where("workspace_id = ?", principal.Must(ctx).WorkspaceID).Group("app_version_id").Scan(ctx, &rows)
	byID := map[string]*T{}
	for _, row := range rows {
		byID[row.AppVersionID] = row.Figure
	}
	for i, id := range versionIDs {
		figures[i] = byID[id]
	}
	return figures, dbx.Err(err)
}

// VersionUse is a version of a front end with its use.
type VersionUse struct {
	model.AppVersion `bun:",extend"`

	Requests   int
	LastUsedAt *time.Time
}

// All returns the versions of all workspaces for the operator.
func (s *Service) All(ctx context.Context) ([]*VersionUse, error) {
	var rows []*VersionUse
	err := s.DB.NewSelect().Model((*model.AppVersion)(nil)).
		ColumnExpr("app_version.*, sum(operation.requests) AS requests, max(operation.last_used_at) AS last_used_at").
		Join("JOIN registered_operation AS operation ON operation.app_version_id = app_version.id").
		Group("app_version.id").Order("workspace_id", "app", "created_at").Scan(ctx, &rows)
	return rows, dbx.Err(err)
}
