package party

import (
	"context"
	"strings"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/model"
	"rostrum/model/optional"
	"rostrum/platform/principal"
)

// RenameExecutive is Rename for an executive.
func (s *Service) RenameExecutive(ctx context.Context, in api.RenameExecutiveInput) (*api.RenameExecutivePayload,
	error) {
	if err := s.Rename(ctx, model.PartyKindExecutive, in.ExecutiveID, in.Name); err != nil {
		return nil, err
	}
	row, err := s.changedExecutive(ctx, in.ExecutiveID)
	return &api.RenameExecutivePayload{Executive: row}, err
}

// MergeExecutives is Merge for executives.
func (s *Service) MergeExecutives(ctx context.Context, in api.MergeExecutivesInput) (*api.MergeExecutivesPayload,
	error) {
	merged, warnings, err := s.Merge(ctx, model.PartyKindExecutive, in.ExecutiveID, in.MergedIds)
	if err != nil {
		return nil, err
	}
	row, err := s.changedExecutive(ctx, in.ExecutiveID)
	return &api.MergeExecutivesPayload{Executive: row, MergedIds: merged,
		Warning: optional.NonEmpty(strings.Join(warnings, "; "))}, err
}

// AddExecutiveAlias is AddAlias for an executive.
func (s *Service) AddExecutiveAlias(ctx context.Context, in api.AddExecutiveAliasInput) (*api.AddExecutiveAliasPayload,
	error) {
	if err := s.AddAlias(ctx, model.PartyKindExecutive, in.ExecutiveID, in.Alias); err != nil {
		return nil, err
	}
	row, err := s.changedExecutive(ctx, in.ExecutiveID)
	return &api.AddExecutiveAliasPayload{Executive: row}, err
}

// RemoveExecutiveAlias is RemoveAlias for an executive.
func (s *Service) RemoveExecutiveAlias(ctx context.Context,
	in api.RemoveExecutiveAliasInput) (*api.RemoveExecutiveAliasPayload, error) {
	if err := s.RemoveAlias(ctx, model.PartyKindExecutive, in.ExecutiveID, in.Alias); err != nil {
		return nil, err
	}
	row, err := s.changedExecutive(ctx, in.ExecutiveID)
	return &api.RemoveExecutiveAliasPayload{Executive: row}, err
}

// changedExecutive returns an executive after a change, or errs.NotFound if it was merged
// meanwhile.
func (s *Service) changedExecutive(ctx context.Context, id string) (*model.Executive, error) {
	row := new(model.Executive)
	err := s.DB.NewSelect().Model(row).Where("workspace_id = ? AND id = ?", principal.Must(ctx).WorkspaceID, id).
		Scan(ctx)
	return row, dbx.Err(err)
}
