package house

import (
	"context"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/errs"
	rules "rostrum/llm/text/house"
	"rostrum/model"
	"rostrum/platform/principal"
)

// List returns one page of the workspace's rules, oldest first. If columns are named, it reads only
// these.
func (s *Service) List(ctx context.Context, args model.PageArgs, columns ...string) (*model.HouseRuleConnection,
	error) {
	p := principal.Must(ctx)
	return dbx.List[model.HouseRule]{
		Order: dbx.Order{Column: "created_at", Time: true}, Columns: columns,
		Key:   func(row *model.HouseRule) (any, string) { return row.CreatedAt, row.ID },
		Where: func(q *bun.SelectQuery) *bun.SelectQuery { return q.Where("workspace_id = ?", p.WorkspaceID) },
	}.Page(ctx, s.DB, args)
}

// Get returns a rule, or nil if the workspace has none with this id.
func (s *Service) Get(ctx context.Context, id string) (*model.HouseRule, error) {
	return dbx.NilIfNotFound(s.find(ctx, id))
}

// find returns a rule of the caller's workspace, or errs.NotFound.
func (s *Service) find(ctx context.Context, id string) (*model.HouseRule, error) {
	rule := new(model.HouseRule)
	err := s.DB.NewSelect().Model(rule).Where("workspace_id = ? AND id = ?", principal.Must(ctx).WorkspaceID, id).
		Scan(ctx)
	return rule, dbx.Err(err)
}

// ByIDs returns the workspace's rules with the ids (see dbx.ByIDs).
func (s *Service) ByIDs(ctx context.Context, workspaceID string, ids []string, columns ...string) ([]*model.HouseRule,
	error) {
	return dbx.ByIDs[model.HouseRule](ctx, s.DB, workspaceID, ids, columns...)
}

// all returns the ids and the forms of the workspace's rules, oldest first.
func (s *Service) all(ctx context.Context, workspaceID string) ([]*model.HouseRule, error) {
	var rows []*model.HouseRule
	err := s.DB.NewSelect().Model(&rows).Column("id", "source").Where("workspace_id = ?", workspaceID).
		Order("created_at", "id").Limit(MaxRules).Scan(ctx)
	return rows, dbx.Err(err)
}

// lockForMore locks the workspace, and returns errs.Conflict if it may not have so many more rules.
func (s *Service) lockForMore(ctx context.Context, tx dbx.Tx, workspaceID string, more int) error {
	if _, err := s.Accounts.LockWorkspace(ctx, tx, workspaceID); err != nil {
		return err
	}
	n, err := tx.NewSelect().Model((*model.HouseRule)(nil)).Where("workspace_id = ?", workspaceID).Count(ctx)
	if err != nil {
		return dbx.Err(err)
	}
	if int(n)+more > MaxRules {
		return errs.New(errs.Conflict, "a workspace has at most %d house rules; delete some first", MaxRules)
	}
	return nil
}

// lockNamed locks the workspace and returns its rules that have the names of the parsed ones.
func (s *Service) lockNamed(ctx context.Context, tx dbx.Tx, workspaceID string, parsed []*rules.Rule) (
	map[string]*model.HouseRule, error) {
	if err := s.lockForMore(ctx, tx, workspaceID, 0); err != nil {
		return nil, err
	}
	names := make([]string, len(parsed))
	for i, one := range parsed {
		names[i] = one.Name
	}
	var rows []*model.HouseRule
	err := tx.NewSelect().Model(&rows).Where("workspace_id = ? AND name IN (?)", workspaceID, bun.List(names)).Scan(ctx)
	if err != nil {
		return nil, dbx.Err(err)
	}
	known := make(map[string]*model.HouseRule, len(rows))
	for _, row := range rows {
		known[row.Name] = row
	}
	return known, s.lockForMore(ctx, tx, workspaceID, len(parsed)-len(rows))
}

// lockRule locks the workspace and returns a rule, or errs.NotFound.
func (s *Service) lockRule(ctx context.Context, tx dbx.Tx, workspaceID, id string) (*model.HouseRule, error) {
	if _, err := s.Accounts.LockWorkspace(ctx, tx, workspaceID); err != nil {
		return nil, err
	}
	rule := new(model.HouseRule)
	err := tx.NewSelect().Model(rule).Where("workspace_id = ? AND id = ?", workspaceID, id).Scan(ctx)
	return rule, dbx.Err(err)
}

func insertRule(ctx context.Context, tx dbx.Tx, rule *model.HouseRule) error {
	_, err := tx.NewInsert().Model(rule).Exec(ctx)
	return nameErr(err)
}

func updateRule(ctx context.Context, tx dbx.Tx, rule *model.HouseRule) error {
	_, err := tx.NewUpdate().Model(rule).WherePK().Where("workspace_id = ?", rule.WorkspaceID).Exec(ctx)
	return nameErr(err)
}

func deleteRule(ctx context.Context, tx dbx.Tx, rule *model.HouseRule) error {
	_, err := tx.NewDelete().Model(rule).WherePK().Where("workspace_id = ?", rule.WorkspaceID).Exec(ctx)
	return dbx.Err(err)
}

// nameErr names what is in conflict.
func nameErr(err error) error {
	if err = dbx.Err(err); errs.Is(err, errs.Conflict) {
		return errs.Wrap(err, errs.Conflict, "the workspace has a house rule with this name already")
	}
	return err
}
