package executive

import (
	"context"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/model/optional"
)

// errKept is returned if a concurrent call stored the signals of the same text.
var errKept = errs.New(errs.Conflict, "the signals of this text are kept already")

// isKept reports whether the signals of the document's current text are stored.
func (s *Service) isKept(ctx context.Context, doc *model.Document) (bool, error) {
	version, err := s.keptVersion(ctx, s.DB, doc.ID)
	return version == textVersion(optional.ValueOr(doc.Content, "")), err
}

// keptVersion returns the version of the text that signals are stored for; empty for none.
func (s *Service) keptVersion(ctx context.Context, db dbx.Reader, documentID string) (version string, err error) {
	err = dbx.Err(db.NewSelect().Table("signal_extraction").Column("version").Where("document_id = ?", documentID).
		Scan(ctx, &version))
	if errs.Is(err, errs.NotFound) {
		return "", nil
	}
	return version, err
}

// keepExtraction stores a text's signals if the document still has the text, and the title, author
// and executive with which speakers were found. It returns errKept if they are stored.
func (s *Service) keepExtraction(ctx context.Context, tx dbx.Tx, found *textExtraction) error {
	doc, err := s.Documents.FindForUpdate(ctx, tx, found.row.WorkspaceID, found.row.DocumentID, "id", "title", "author", "origins",
		"content", "company", "company_id", "executive", "executive_id")
	if err != nil {
		return err
	}
	if sourceOf(doc) != found.source {
		return errs.New(errs.Conflict, "the document has changed meanwhile; try again")
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
	s.RecordChange(tx, found.row.WorkspaceID, model.EventObjectChanged, doc.ID)
	if _, err := tx.NewInsert().Model(found.row).Exec(ctx); err != nil || len(found.signals) == 0 {
		return dbx.Err(err)
	}
	for _, signal := range found.signals {
		if signal.Attributed {
			signal.Company, signal.CompanyID = doc.Company, doc.CompanyID
		}
	}
	if err := s.attachSpeakers(ctx, tx, doc, found); err != nil {
		return err
	}
	_, err = tx.NewInsert().Model(&found.signals).Exec(ctx)
	return dbx.Err(err)
}

// attachSpeakers sets the parties of signals and replaces names by the workspace's own. A speaker
// named by an alias of the document's executive speaks for the document's company.
func (s *Service) attachSpeakers(ctx context.Context, tx dbx.Tx, doc *model.Document, found *textExtraction) error {
	var companies, executives []string
	for _, signal := range found.signals {
		companies = append(companies, optional.ValueOr(signal.Company, ""))
		executives = append(executives, optional.ValueOr(signal.Executive, ""))
	}
	byCompany, err := s.Parties.Attach(ctx, tx, found.row.WorkspaceID, model.PartyKindCompany, companies...)
	if err != nil {
		return err
	}
	byExecutive, err := s.Parties.Attach(ctx, tx, found.row.WorkspaceID, model.PartyKindExecutive, executives...)
	if err != nil {
		return err
	}
	for i, signal := range found.signals {
		if party, ok := byCompany[companies[i]]; ok {
			signal.Company, signal.CompanyID = &party.Name, &party.ID
		}
		if party, ok := byExecutive[executives[i]]; ok {
			signal.Executive, signal.ExecutiveID = &party.Name, &party.ID
			if signal.Company == nil && party.ID == optional.ValueOr(doc.ExecutiveID, "") {
				signal.Company, signal.CompanyID, signal.Attributed = doc.Company, doc.CompanyID, true
			}
		}
	}
	return nil
}

// dropExtraction deletes a document's signals.
func dropExtraction(ctx context.Context, tx dbx.Tx, documentID string) error {
	_, err := tx.NewDelete().Model((*model.SignalExtraction)(nil)).Where("document_id = ?", documentID).Exec(ctx)
	return dbx.Err(err)
}

// extractionOf returns how many statements of a document are not among its signals, and how many of
// a text model's were not proved; without an extraction an empty row.
func (s *Service) extractionOf(ctx context.Context, workspaceID, documentID string) (*model.SignalExtraction, error) {
	row := new(model.SignalExtraction)
	err := dbx.Err(s.DB.NewSelect().Model(row).Column("omitted", "dropped").
		Where("workspace_id = ? AND document_id = ?", workspaceID, documentID).Scan(ctx))
	if errs.Is(err, errs.NotFound) {
		return row, nil
	}
	return row, err
}

func (s *Service) signalsOf(ctx context.Context, workspaceID, documentID string) ([]*model.Signal, error) {
	return signalsIn(ctx, s.DB, workspaceID, documentID)
}

// signalsIn returns the signals of a document in the order of its text.
func signalsIn(ctx context.Context, db dbx.Reader, workspaceID, documentID string) ([]*model.Signal, error) {
	rows := []*model.Signal{}
	err := db.NewSelect().Model(&rows).Where("workspace_id = ? AND document_id = ?", workspaceID, documentID).
		Order("span_start", "id").Scan(ctx)
	return rows, dbx.Err(err)
}

// DocumentTables are the tables whose rows are kept with a deleted document.
var DocumentTables = []dbx.KeptTable{
	{Name: "signal_extraction", Where: "document_id = ?"},
	{Name: "signal", Where: "document_id = ?",
		References: map[string]string{"company_id": "company", "executive_id": "executive"}},
}
