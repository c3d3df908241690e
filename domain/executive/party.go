package executive

import (
	"context"
	"slices"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/model"
	"rostrum/platform/principal"
)

// SelectAll returns a query of the signals of all workspaces.
func (*Service) SelectAll(db dbx.Reader) *bun.SelectQuery { return db.NewSelect().Table("signal") }

// UpdateAll returns an update of the signals of all workspaces, without values.
func (*Service) UpdateAll(tx dbx.Tx) *bun.UpdateQuery {
	return tx.NewUpdate().Model((*model.Signal)(nil))
}

// SpokenBy returns a query of the document_id of signals whose speakers have the name or a part of
// it.
func (s *Service) SpokenBy(workspaceID, name string) *bun.SelectQuery {
	return s.SelectAll(s.DB).Column("document_id").Where("workspace_id = ?", workspaceID).
		Where("?", dbx.Contains("speaker_name", name))
}

// dropInsightsOf deletes the comparisons of a party.
func (s *Service) dropInsightsOf(ctx context.Context, tx dbx.Tx, workspaceID string, kind model.PartyKind,
	party model.Party) error {
	member := "executives"
	if kind == model.PartyKindCompany {
		member = "companies"
	}
	named := s.DB.MemberContaining(tx.NewSelect().Model((*model.Insight)(nil)).Column("id").
		Where("workspace_id = ?", workspaceID), "answer", member, party.Name)
	_, err := tx.NewDelete().Model((*model.Insight)(nil)).Where("id IN (?)", named).Exec(ctx)
	return dbx.Err(err)
}

// partyKind returns the kind of the subjects of a comparison.
func partyKind(of model.ComparisonType) model.PartyKind {
	if of == model.ComparisonTypeCompany {
		return model.PartyKindCompany
	}
	return model.PartyKindExecutive
}

// ownCompanyName returns the own company that a request names, by its main name. Without one it is
// the workspace's own company, if there is exactly one.
func (s *Service) ownCompanyName(ctx context.Context, workspaceID, given string) (string, error) {
	if given != "" {
		names, err := s.Parties.CanonicalNames(ctx, workspaceID, model.PartyKindCompany, given)
		return names[0], err
	}
	own, err := s.Parties.OwnCompanies(ctx, workspaceID)
	if err != nil || len(own) != 1 {
		return "", err
	}
	return own[0].Name, nil
}

// VoicesOf returns the voice of each executive, or nil, with one statement.
func (s *Service) VoicesOf(ctx context.Context, executives []*model.Executive) ([]*model.ExecutiveVoice, error) {
	names := make([]string, len(executives))
	for i, e := range executives {
		names[i] = e.Name
	}
	rows := []*model.ExecutiveVoice{}
	err := s.selectVoices(principal.Must(ctx).WorkspaceID).ColumnExpr("*").
		Where("executive IN ?", nonEmptyNames(names)).Scan(ctx, &rows)
	out := make([]*model.ExecutiveVoice, len(executives))
	for i, name := range names {
		if at := slices.IndexFunc(rows, func(v *model.ExecutiveVoice) bool { return v.Executive == name }); at >= 0 {
			out[i] = rows[at]
		}
	}
	return out, dbx.Err(err)
}
