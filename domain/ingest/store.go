package ingest

import (
	"context"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/domain/ingest/extract"
	"rostrum/model"
)

// known finds the document that the workspace already has of the address; posts of one address wait for each other here, so
// that two at once make one document.
func (s *Service) known(ctx context.Context, tx dbx.Tx, r request) (*model.Document, error) {
	if r.force {
		return nil, nil
	}
	if err := s.lockWorkspace(ctx, tx, r.workspaceID); err != nil {
		return nil, err
	}
	return s.find(ctx, tx, r)
}

// lockWorkspace comes before the lock of a document in every transaction that takes both.
func (s *Service) lockWorkspace(ctx context.Context, tx dbx.Tx, id string) error {
	var found string
	lock := s.db.Locked(tx.NewSelect().Model((*model.Workspace)(nil)).Column("id").Where("id = ?", id))
	return dbx.Err(lock.Scan(ctx, &found))
}

// find gives the oldest document that the workspace has of the address, nil when it has none or a new one is wanted anyway.
func (s *Service) find(ctx context.Context, db bun.IDB, r request) (*model.Document, error) {
	canonical := extract.Canonical(r.sourceURL)
	if r.force || canonical == "" {
		return nil, nil
	}
	doc := new(model.Document)
	err := db.NewSelect().Model(doc).ExcludeColumn("content").
		Where("workspace_id = ? AND canonical_url = ?", r.workspaceID, canonical).
		Order("created_at").Limit(1).Scan(ctx)
	return dbx.OrNone(doc, err)
}
