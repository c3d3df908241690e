package document

import (
	"context"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/model"
	"rostrum/model/optional"
)

// AttachFunc returns the party that each name stands for, and creates missing ones.
type AttachFunc func(ctx context.Context, tx dbx.Tx, workspaceID string, kind model.PartyKind,
	names ...string) (map[string]model.Party, error)

// attachParties sets the ids of the document's company and executive if their names have changed.
// It also replaces the names by the workspace's own.
func (s *Service) attachParties(ctx context.Context, tx dbx.Tx, before, doc *model.Document) error {
	if s.attach == nil {
		return nil
	}
	if before == nil {
		before = new(model.Document)
	}
	err := s.attachParty(ctx, tx, model.PartyKindCompany, doc.WorkspaceID, before.Company, &doc.Company, &doc.CompanyID)
	if err != nil {
		return err
	}
	return s.attachParty(ctx, tx, model.PartyKindExecutive, doc.WorkspaceID, before.Executive, &doc.Executive,
		&doc.ExecutiveID)
}

func (s *Service) attachParty(ctx context.Context, tx dbx.Tx, kind model.PartyKind, workspaceID string, before *string,
	name, id **string) error {
	written := optional.ValueOr(*name, "")
	if *id != nil && written == optional.ValueOr(before, "") {
		return nil
	}
	*id = nil
	parties, err := s.attach(ctx, tx, workspaceID, kind, written)
	if err != nil {
		return err
	}
	if party, ok := parties[written]; ok {
		*name, *id = &party.Name, &party.ID
	}
	return nil
}

// SelectAll returns a query of the documents of all workspaces.
func (*Service) SelectAll(db dbx.Reader) *bun.SelectQuery { return db.NewSelect().Table("document") }

// UpdateAll returns an update of the documents of all workspaces, without values.
func (*Service) UpdateAll(tx dbx.Tx) *bun.UpdateQuery {
	return tx.NewUpdate().Model((*model.Document)(nil))
}

// namedParties adds the condition for documents of the parties that have one of the names.
func (s *Service) namedParties(q *bun.SelectQuery, workspaceID string, kind model.PartyKind,
	names ...string) *bun.SelectQuery {
	return q.Where("? IN (?)", bun.Ident(kind+"_id"), s.related.NamedParties(workspaceID, kind, names...))
}
