package party

import (
	"context"
	"fmt"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/model"
	"rostrum/platform/principal"
)

// RenameCompany is Rename for a company.
func (s *Service) RenameCompany(ctx context.Context, in api.RenameCompanyInput) (*api.RenameCompanyPayload, error) {
	if err := s.Rename(ctx, model.PartyKindCompany, in.CompanyID, in.Name); err != nil {
		return nil, err
	}
	row, err := s.changedCompany(ctx, in.CompanyID)
	return &api.RenameCompanyPayload{Company: row}, err
}

// MergeCompanies is Merge for companies.
func (s *Service) MergeCompanies(ctx context.Context, in api.MergeCompaniesInput) (*api.MergeCompaniesPayload, error) {
	merged, _, err := s.Merge(ctx, model.PartyKindCompany, in.CompanyID, in.MergedIds)
	if err != nil {
		return nil, err
	}
	row, err := s.changedCompany(ctx, in.CompanyID)
	return &api.MergeCompaniesPayload{Company: row, MergedIds: merged}, err
}

// AddCompanyAlias is AddAlias for a company.
func (s *Service) AddCompanyAlias(ctx context.Context, in api.AddCompanyAliasInput) (*api.AddCompanyAliasPayload,
	error) {
	if err := s.AddAlias(ctx, model.PartyKindCompany, in.CompanyID, in.Alias); err != nil {
		return nil, err
	}
	row, err := s.changedCompany(ctx, in.CompanyID)
	return &api.AddCompanyAliasPayload{Company: row}, err
}

// RemoveCompanyAlias is RemoveAlias for a company.
func (s *Service) RemoveCompanyAlias(ctx context.Context,
	in api.RemoveCompanyAliasInput) (*api.RemoveCompanyAliasPayload, error) {
	if err := s.RemoveAlias(ctx, model.PartyKindCompany, in.CompanyID, in.Alias); err != nil {
		return nil, err
	}
	row, err := s.changedCompany(ctx, in.CompanyID)
	return &api.RemoveCompanyAliasPayload{Company: row}, err
}

// changedCompany returns a company after a change, or errs.NotFound if it was merged meanwhile.
func (s *Service) changedCompany(ctx context.Context, id string) (*model.Company, error) {
	row := new(model.Company)
	err := s.DB.NewSelect().Model(row).Where("workspace_id = ? AND id = ?", principal.Must(ctx).WorkspaceID, id).
		Scan(ctx)
	return row, dbx.Err(err)
}

// SetOwnCompanies sets the workspace's own companies and creates missing ones. It returns
// errs.ValidationFailed for too many and for blank names.
func (s *Service) SetOwnCompanies(ctx context.Context, in api.SetOwnCompaniesInput) (*api.SetOwnCompaniesPayload,
	error) {
	if err := checkOwn(in.Names); err != nil {
		return nil, err
	}
	workspaceID := principal.Must(ctx).WorkspaceID
	err := s.DB.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		return s.setOwn(ctx, tx, workspaceID, in.Names)
	})
	if err != nil {
		return nil, fmt.Errorf("set own companies: %w", err)
	}
	own, err := s.OwnCompanies(ctx, workspaceID)
	return &api.SetOwnCompaniesPayload{Companies: own}, err
}
