package house

import (
	"context"
	"fmt"
	"time"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/errs"
	rules "rostrum/llm/text/house"
	"rostrum/model"
	"rostrum/model/optional"
	"rostrum/platform/live"
	"rostrum/platform/principal"
)

// MaxRules limits the rules of a workspace, because each check runs all of them.
const MaxRules = 200

// maxParsed limits the parsed rules in memory. The largest ones take some 400 kB each.
const maxParsed = 500

// Accounts knows workspaces.
type Accounts interface {
	// LockWorkspace returns a workspace and locks it until the transaction ends.
	LockWorkspace(ctx context.Context, tx dbx.Tx, id string) (*model.Workspace, error)
	// RequiredHouseScore returns the score that a text needs to be approved; nil if it needs none.
	RequiredHouseScore(ctx context.Context, workspaceID string) (*int, error)
	// Audit writes an entry of the workspace's audit log in the transaction of the change.
	Audit(ctx context.Context, tx dbx.Tx, workspaceID, action, subjectID string, details map[string]any) error
}

// Config holds the dependencies of a Service. All are required.
type Config struct {
	DB       *dbx.DB
	Accounts Accounts
	// RecordChange adds a change of a rule to the workspace's feed, in the change's transaction.
	RecordChange func(tx dbx.Tx, workspaceID, name, id string)
}

// Service implements the use cases of house rules.
type Service struct {
	Config
	parsed *live.LocalCache[string, *rules.Rule] // by source
}

// New returns a Service.
func New(c Config) *Service {
	return &Service{c, live.NewLocalCache[string, *rules.Rule](maxParsed, time.Hour)}
}

// Create adds a rule. It returns errs.ValidationFailed for a wrong rule, and errs.Conflict if the
// workspace has the name or 200 rules.
func (s *Service) Create(ctx context.Context, in api.CreateHouseRuleInput) (*api.CreateHouseRulePayload, error) {
	parsed, err := parseOne(in.Source)
	if err != nil {
		return nil, err
	}
	p := principal.Must(ctx)
	rule := newRule(p, parsed)
	err = s.DB.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		if err := s.lockForMore(ctx, tx, p.WorkspaceID, 1); err != nil {
			return err
		}
		if err := insertRule(ctx, tx, rule); err != nil {
			return err
		}
		return s.recordChange(ctx, tx, "house_rule.created", rule)
	})
	if err != nil {
		return nil, fmt.Errorf("create house rule: %w", err)
	}
	return &api.CreateHouseRulePayload{HouseRule: rule}, nil
}

// parseOne parses a rule. It returns errs.ValidationFailed with the field source.
func parseOne(source string) (*rules.Rule, error) {
	parsed, err := rules.Parse(source)
	if err != nil {
		return nil, errs.Invalid(errs.BodyField("bad_rule", err.Error(), "source"))
	}
	return parsed, nil
}

// newRule returns the row of a new rule.
func newRule(p principal.Principal, parsed *rules.Rule) *model.HouseRule {
	rule := &model.HouseRule{ID: model.NewID(model.HouseRulePrefix), WorkspaceID: p.WorkspaceID,
		CreatedByID: optional.NonEmpty(p.UserID), CreatedAt: model.Now()}
	setSource(rule, parsed)
	rule.UpdatedAt = rule.CreatedAt
	return rule
}

// setSource gives a row the fields of a parsed rule.
func setSource(rule *model.HouseRule, parsed *rules.Rule) {
	rule.Name, rule.Kind, rule.Level, rule.Message = parsed.Name, parsed.Kind, parsed.Level, parsed.Message
	rule.Language, rule.Link = optional.NonEmpty(parsed.Language), optional.NonEmpty(parsed.Link)
	rule.Source, rule.UpdatedAt = parsed.Source, model.Now()
}

// recordChange records a change in the feed and the audit log.
func (s *Service) recordChange(ctx context.Context, tx dbx.Tx, action string, rule *model.HouseRule) error {
	s.RecordChange(tx, rule.WorkspaceID, model.EventObjectChanged, rule.ID)
	return s.Accounts.Audit(ctx, tx, rule.WorkspaceID, action, rule.ID, map[string]any{"name": rule.Name})
}

// Update replaces a rule. It returns errs.NotFound for an unknown id, errs.ValidationFailed for a
// wrong rule, and errs.Conflict for the name of another rule.
func (s *Service) Update(ctx context.Context, in api.UpdateHouseRuleInput) (*api.UpdateHouseRulePayload, error) {
	rule, err := s.find(ctx, in.HouseRuleID)
	if err != nil {
		return nil, fmt.Errorf("update house rule: %w", err)
	}
	parsed, err := parseOne(in.Source)
	if err != nil {
		return nil, err
	}
	p := principal.Must(ctx)
	err = s.DB.InTx(ctx, func(ctx context.Context, tx dbx.Tx) (err error) {
		if rule, err = s.lockRule(ctx, tx, p.WorkspaceID, in.HouseRuleID); err != nil {
			return err
		}
		setSource(rule, parsed)
		if err := updateRule(ctx, tx, rule); err != nil {
			return err
		}
		return s.recordChange(ctx, tx, "house_rule.updated", rule)
	})
	if err != nil {
		return nil, fmt.Errorf("update house rule: %w", err)
	}
	return &api.UpdateHouseRulePayload{HouseRule: rule}, nil
}

// Delete deletes a rule. It returns errs.NotFound for an unknown id.
func (s *Service) Delete(ctx context.Context, id string) (*api.DeleteHouseRulePayload, error) {
	p := principal.Must(ctx)
	err := s.DB.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		rule, err := s.lockRule(ctx, tx, p.WorkspaceID, id)
		if err != nil {
			return err
		}
		if err := deleteRule(ctx, tx, rule); err != nil {
			return err
		}
		return s.recordChange(ctx, tx, "house_rule.deleted", rule)
	})
	if err != nil {
		return nil, fmt.Errorf("delete house rule: %w", err)
	}
	return &api.DeleteHouseRulePayload{DeletedID: id}, nil
}

// Import adds rules, and replaces those of the same names. It returns errs.ValidationFailed if one
// of them is wrong or there is none, and errs.Conflict if the workspace would have more than 200.
func (s *Service) Import(ctx context.Context, in api.ImportHouseRulesInput) (*api.ImportHouseRulesPayload, error) {
	parsed, err := rules.ParseAll(in.Source)
	switch {
	case err != nil:
		return nil, errs.Invalid(errs.BodyField("bad_rule", err.Error(), "source"))
	case len(parsed) == 0:
		return nil, errs.Invalid(errs.BodyField("missing", "has no rule", "source"))
	}
	var out *api.ImportHouseRulesPayload
	err = s.DB.InTx(ctx, func(ctx context.Context, tx dbx.Tx) (err error) {
		out, err = s.importAll(ctx, tx, principal.Must(ctx), parsed)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("import house rules: %w", err)
	}
	return out, nil
}

func (s *Service) importAll(ctx context.Context, tx dbx.Tx, p principal.Principal, parsed []*rules.Rule) (
	*api.ImportHouseRulesPayload, error) {
	out := &api.ImportHouseRulesPayload{HouseRules: make([]*model.HouseRule, len(parsed))}
	known, err := s.lockNamed(ctx, tx, p.WorkspaceID, parsed)
	if err != nil {
		return nil, err
	}
	for i, one := range parsed {
		rule, action := known[one.Name], "house_rule.updated"
		if rule != nil {
			setSource(rule, one)
			err = updateRule(ctx, tx, rule)
		} else {
			rule, action = newRule(p, one), "house_rule.created"
			out.CreatedCount++
			err = insertRule(ctx, tx, rule)
		}
		if err == nil {
			err = s.recordChange(ctx, tx, action, rule)
		}
		if err != nil {
			return nil, err
		}
		out.HouseRules[i] = rule
	}
	return out, nil
}
