package audience

import (
	"context"
	"encoding/json"

	"github.com/uptrace/bun"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/model"
	"rostrum/model/optional"
)

// filtersOf converts the filters of a request and returns their storage key. It ignores blank
// values and replaces names of companies and executives by their parties' names.
func (s *Service) filtersOf(ctx context.Context, workspaceID string,
	in *api.AudienceFilterInput) (filters *model.AudienceFilters, key string, err error) {
	f := &model.AudienceFilters{}
	if in != nil {
		f = &model.AudienceFilters{
			DocumentID: optional.Trimmed(in.DocumentID.Value()), Company: optional.Trimmed(in.Company.Value()),
			Executive:         optional.Trimmed(in.Executive.Value()),
			CommunicationType: optional.Trimmed(in.CommunicationType.Value()),
			MediaProvenance:   in.MediaProvenance.Value(), Tag: optional.Trimmed(in.Tag.Value()),
			Since: in.Since.Value(), Until: in.Until.Value(),
		}
	}
	key, err = s.resolveNames(ctx, workspaceID, f)
	return f, key, err
}

// resolveNames replaces the filters' names by their parties' names and returns the storage key.
func (s *Service) resolveNames(ctx context.Context, workspaceID string, f *model.AudienceFilters) (string, error) {
	for kind, name := range map[model.PartyKind]**string{model.PartyKindCompany: &f.Company,
		model.PartyKindExecutive: &f.Executive} {
		if *name == nil {
			continue
		}
		known, err := s.PartyNames(ctx, workspaceID, kind, **name)
		if err != nil {
			return "", err
		}
		*name = &known[0]
	}
	key, err := json.Marshal(f)
	return string(key), err
}

// DropSummariesOf deletes the summaries filtered by the name of a renamed or merged party, because
// no request has their filters again.
func (s *Service) DropSummariesOf(ctx context.Context, tx dbx.Tx, workspaceID string, kind model.PartyKind, from,
	to model.Party) (string, error) {
	if from.Name == to.Name {
		return "", nil
	}
	_, err := tx.NewDelete().Model((*model.AudienceSummary)(nil)).
		Where("workspace_id = ? AND filters ->> '?' = ?", workspaceID, bun.Safe(kind), from.Name).Exec(ctx)
	return "", dbx.Err(err)
}
