package ingest

import (
	"context"

	"rostrum/dbx"
	"rostrum/domain/ingest/extract"
	"rostrum/model"
)

// lockAndFind returns the workspace's document with the address. It locks the workspace, so that
// concurrent requests for an address create one document.
func (s *Service) lockAndFind(ctx context.Context, tx dbx.Tx, r ingestRequest) (*model.Document, error) {
	if r.force {
		return nil, nil
	}
	if _, err := s.accounts.LockWorkspace(ctx, tx, r.workspaceID); err != nil {
		return nil, err
	}
	return s.findDuplicate(ctx, tx, r)
}

// findDuplicate returns the oldest document with the address, and nil if there is none or the
// request forces a new one.
func (s *Service) findDuplicate(ctx context.Context, db dbx.Reader, r ingestRequest) (*model.Document, error) {
	canonical := extract.CanonicalURL(r.sourceURL)
	if r.force || canonical == "" {
		return nil, nil
	}
	return s.documents.FindByURL(ctx, db, r.workspaceID, canonical)
}

// keepCorrections sets the corrections of the newest document with the address, so that a new
// document of it needs no second correction.
func (s *Service) keepCorrections(ctx context.Context, tx dbx.Tx, doc *model.Document, r ingestRequest) error {
	if !r.force || doc.CanonicalURL == nil {
		return nil
	}
	known, err := s.documents.FindLatestByURL(ctx, tx, doc.WorkspaceID, *doc.CanonicalURL)
	if err == nil && known != nil {
		doc.CopyCorrections(known)
	}
	return err
}
