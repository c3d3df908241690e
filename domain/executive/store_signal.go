package executive

import (
	"context"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
)

// errKept says that somebody else has looked through the same text meanwhile.
var errKept = errs.New(errs.Conflict, "the signals of this text are kept already")

// isKept reports whether signals are kept of a document's text as it is.
func (s *Service) isKept(ctx context.Context, doc *model.Document) (bool, error) {
	version, err := s.keptVersion(ctx, s.DB, doc.ID)
	return version == versionOf(model.ValueOr(doc.Content, "")), err
}

// keptVersion is the version of a document's text that signals are kept of; empty for none.
func (s *Service) keptVersion(ctx context.Context, db bun.IDB, documentID string) (version string, err error) {
	err = dbx.Err(db.NewSelect().Table("signal_extraction").Column("version").Where("document_id = ?", documentID).Scan(ctx, &version))
	if errs.Is(err, errs.NotFound) {
		return "", nil
	}
	return version, err
}

// keepExtraction stores what was found in a text, as long as the document has that text; it fails with errKept when it is stored already.
func (s *Service) keepExtraction(ctx context.Context, tx dbx.Tx, found *extraction) error {
	doc := new(model.Document)
	q := tx.NewSelect().Model(doc).Column("id", "content", "executive", "company").
		Where("workspace_id = ? AND id = ?", found.row.WorkspaceID, found.row.DocumentID)
	if err := s.DB.Locked(q).Scan(ctx); err != nil {
		return dbx.Err(err)
	}
	if versionOf(model.ValueOr(doc.Content, "")) != found.row.Version {
		return errs.New(errs.Conflict, "the document's text has changed meanwhile; try again")
	}
	switch version, err := s.keptVersion(ctx, tx, doc.ID); {
	case err != nil:
		return err
	case version == found.row.Version:
		return errKept
	}
	if err := dropExtraction(ctx, tx, doc.ID); err != nil {
		return err
	}
	if _, err := tx.NewInsert().Model(found.row).Exec(ctx); err != nil || len(found.signals) == 0 {
		return dbx.Err(err)
	}
	for _, signal := range found.signals {
		if signal.Attributed {
			signal.Executive, signal.Company = doc.Executive, doc.Company
		}
	}
	_, err := tx.NewInsert().Model(&found.signals).Exec(ctx)
	return dbx.Err(err)
}

// dropExtraction forgets what was found in a document's text.
func dropExtraction(ctx context.Context, tx dbx.Tx, documentID string) error {
	_, err := tx.NewDelete().Model((*model.SignalExtraction)(nil)).Where("document_id = ?", documentID).Exec(ctx)
	return dbx.Err(err)
}

func (s *Service) signalsOf(ctx context.Context, workspaceID, documentID string) ([]*model.Signal, error) {
	rows := []*model.Signal{}
	err := s.DB.NewSelect().Model(&rows).Where("workspace_id = ? AND document_id = ?", workspaceID, documentID).
		Order("span_start", "id").Scan(ctx)
	return rows, dbx.Err(err)
}

func (s *Service) signalByID(ctx context.Context, workspaceID, id string) (*model.Signal, error) {
	row := new(model.Signal)
	err := s.DB.NewSelect().Model(row).Where("workspace_id = ? AND id = ?", workspaceID, id).Scan(ctx)
	return dbx.OrNone(row, err)
}
