package ingest

import (
	"context"

	"rostrum/dbx"
	"rostrum/domain/ingest/extract"
	"rostrum/errs"
	"rostrum/model"
)

// known finds the document that the workspace already has of the address; posts of one address wait for each other here, so
// that two at once make one document.
func (s *Service) known(ctx context.Context, tx dbx.Tx, r request) (*model.Document, error) {
	canonical := extract.Canonical(r.sourceURL)
	if r.force || canonical == "" {
		return nil, nil
	}
	var id string
	lock := s.db.Locked(tx.NewSelect().Model((*model.Workspace)(nil)).Column("id").Where("id = ?", r.workspaceID))
	if err := lock.Scan(ctx, &id); err != nil {
		return nil, dbx.Err(err)
	}
	doc := new(model.Document)
	err := dbx.Err(tx.NewSelect().Model(doc).ExcludeColumn("content").
		Where("workspace_id = ? AND canonical_url = ?", r.workspaceID, canonical).
		Order("created_at").Limit(1).Scan(ctx))
	if errs.Is(err, errs.NotFound) {
		return nil, nil
	}
	return doc, err
}
