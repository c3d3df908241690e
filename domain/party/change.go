package party

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/model/optional"
	"rostrum/platform/principal"
)

// The most parties of one merge, aliases of a party, and own companies.
const (
	maxMerged  = 100
	maxAliases = 100
	maxOwn     = 100
)

// change runs a change of a party under the locks of the workspace and the party. It records the
// change in the audit log and the feed. It returns errs.NotFound for an unknown party.
func (s *Service) change(
	ctx context.Context, kind model.PartyKind, id, action string,
	work func(ctx context.Context, tx dbx.Tx, party model.Party) (details map[string]any, err error),
) error {
	p := principal.Must(ctx)
	err := s.DB.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		if _, err := s.Accounts.LockWorkspace(ctx, tx, p.WorkspaceID); err != nil {
			return err
		}
		found, err := s.lockParties(ctx, tx, p.WorkspaceID, kind, []string{id})
		if err != nil {
			return err
		}
		if len(found) == 0 {
			return errs.New(errs.NotFound, "there is no %s %s in this workspace", kind, id)
		}
		details, err := work(ctx, tx, found[0])
		if err != nil {
			return err
		}
		s.RecordChange(tx, p.WorkspaceID, kind, id)
		return s.Accounts.Audit(ctx, tx, p.WorkspaceID, string(kind)+"."+action, id, details)
	})
	if err != nil {
		return fmt.Errorf("change a %s: %w", kind, err)
	}
	return nil
}

// Rename gives a party and its rows another name; the old name becomes an alias. It returns
// errs.NotFound, errs.ValidationFailed for a blank name, and errs.Conflict for another party's
// name.
func (s *Service) Rename(ctx context.Context, kind model.PartyKind, id, name string) error {
	name = strings.Join(strings.Fields(name), " ")
	if model.NameKey(name) == "" {
		return errs.Invalid(errs.BodyField("empty", "must not be empty", "name"))
	}
	workspaceID := principal.Must(ctx).WorkspaceID
	return s.change(ctx, kind, id, "renamed", func(ctx context.Context, tx dbx.Tx, party model.Party) (map[string]any,
		error) {
		if err := s.addAlias(ctx, tx, workspaceID, kind, party, name, model.AliasSourceOwn); err != nil {
			return nil, err
		}
		renamed := model.Party{ID: id, Name: name}
		if err := updateName(ctx, tx, workspaceID, kind, renamed); err != nil {
			return nil, err
		}
		_, err := s.moveRows(ctx, tx, workspaceID, kind, party, renamed)
		return map[string]any{"from": party.Name, "to": name}, err
	})
}

// Merge moves the rows and names of other parties to one party, and deletes the others. It returns
// their ids, and warnings that name what was dropped. It returns errs.NotFound if the party to keep
// is unknown, and errs.ValidationFailed for too many or unknown others.
func (s *Service) Merge(ctx context.Context, kind model.PartyKind, id string, others []string) (merged,
	warnings []string, err error) {
	others = optional.Distinct(others)
	if err := checkMerged(id, others); err != nil {
		return nil, nil, err
	}
	workspaceID := principal.Must(ctx).WorkspaceID
	err = s.change(ctx, kind, id, "merged", func(ctx context.Context, tx dbx.Tx,
		party model.Party) (details map[string]any, err error) {
		if details, warnings, err = s.mergeInto(ctx, tx, workspaceID, kind, party, others); err != nil {
			return nil, err
		}
		return details, s.absorb(ctx, tx, workspaceID, kind, id, others)
	})
	return others, warnings, err
}

// mergeInto moves other parties' rows to one party. It returns the details of the audit entry and
// the hooks' warnings.
func (s *Service) mergeInto(
	ctx context.Context, tx dbx.Tx, workspaceID string, kind model.PartyKind, party model.Party, others []string,
) (details map[string]any, warnings []string, err error) {
	found, err := s.lockParties(ctx, tx, workspaceID, kind, others)
	if err != nil {
		return nil, nil, err
	}
	if err := checkFound(kind, others, found); err != nil {
		return nil, nil, err
	}
	names := make([]string, len(found))
	for i, other := range found {
		names[i] = other.Name
		more, err := s.moveRows(ctx, tx, workspaceID, kind, other, party)
		if err != nil {
			return nil, nil, err
		}
		warnings = append(warnings, more...)
	}
	details = map[string]any{"merged": others, "names": names}
	if len(warnings) > 0 {
		details["warnings"] = warnings
	}
	return details, warnings, nil
}

func checkMerged(id string, others []string) error {
	switch {
	case len(others) == 0:
		return errs.Invalid(errs.BodyField("too_short", "must have at least one id", "mergedIds"))
	case len(others) > maxMerged:
		return errs.Invalid(errs.BodyField("too_long",
			fmt.Sprintf("has %d ids, more than the %d that it may have", len(others), maxMerged), "mergedIds"))
	case slices.Contains(others, id):
		return errs.Invalid(errs.BodyField("value_error", "must not have the id that is kept", "mergedIds",
			slices.Index(others, id)))
	}
	return nil
}

// checkFound returns an error that names every id without a party.
func checkFound(kind model.PartyKind, ids []string, found []model.Party) error {
	var invalid errs.FieldErrors
	for i, id := range ids {
		if !slices.ContainsFunc(found, func(p model.Party) bool { return p.ID == id }) {
			invalid.Body("unknown_id", fmt.Sprintf("names no %s of this workspace", kind), "mergedIds", i)
		}
	}
	return invalid.Err()
}

// AddAlias adds a name of a party. It returns errs.NotFound, errs.ValidationFailed for a blank
// alias, errs.LimitExceeded for too many, and errs.Conflict for another party's name.
func (s *Service) AddAlias(ctx context.Context, kind model.PartyKind, id, alias string) error {
	alias = strings.Join(strings.Fields(alias), " ")
	if model.NameKey(alias) == "" {
		return errs.Invalid(errs.BodyField("empty", "must not be empty", "alias"))
	}
	workspaceID := principal.Must(ctx).WorkspaceID
	return s.change(ctx, kind, id, "alias_added", func(ctx context.Context, tx dbx.Tx,
		party model.Party) (map[string]any, error) {
		n, err := countAliases(ctx, tx, workspaceID, kind, id)
		if err != nil {
			return nil, err
		}
		if n > maxAliases {
			return nil, errs.New(errs.LimitExceeded, "%s has %d aliases, the most that it may have; remove one first",
				party.Name, maxAliases).With("limit", maxAliases)
		}
		if err := s.addAlias(ctx, tx, workspaceID, kind, party, alias, model.AliasSourcePerson); err != nil {
			return nil, err
		}
		return map[string]any{"alias": alias}, allowAlias(ctx, tx, kind, id, model.NameKey(alias))
	})
}

// RemoveAlias removes an alias of a party; texts that introduce it do not add it again. It returns
// errs.NotFound, and errs.ValidationFailed for the party's own name and for an unknown alias.
func (s *Service) RemoveAlias(ctx context.Context, kind model.PartyKind, id, alias string) error {
	workspaceID, key := principal.Must(ctx).WorkspaceID, model.NameKey(alias)
	return s.change(ctx, kind, id, "alias_removed",
		func(ctx context.Context, tx dbx.Tx, party model.Party) (map[string]any, error) {
			if key == model.NameKey(party.Name) {
				return nil, errs.Invalid(errs.BodyField("value_error",
					fmt.Sprintf("is the %s's name: give it another name first", kind), "alias"))
			}
			removed, err := deleteAlias(ctx, tx, workspaceID, kind, id, key)
			if err == nil && !removed {
				err = errs.Invalid(errs.BodyField("unknown_name", fmt.Sprintf("is no alias of this %s", kind), "alias"))
			}
			return map[string]any{"alias": alias}, err
		})
}

// checkOwn returns an error for too many names and for blank ones.
func checkOwn(names []string) error {
	var invalid errs.FieldErrors
	if len(names) > maxOwn {
		invalid.Body("too_long", fmt.Sprintf("has %d names, more than the %d that it may have", len(names), maxOwn),
			"names")
	}
	for i, name := range names {
		if model.NameKey(name) == "" {
			invalid.Body("empty", "must not be empty", "names", i)
		}
	}
	return invalid.Err()
}

func (s *Service) setOwn(ctx context.Context, tx dbx.Tx, workspaceID string, names []string) error {
	if _, err := s.Accounts.LockWorkspace(ctx, tx, workspaceID); err != nil {
		return err
	}
	parties, err := s.Attach(ctx, tx, workspaceID, model.PartyKindCompany, names...)
	if err != nil {
		return err
	}
	ids := []string{}
	for _, name := range names {
		ids = append(ids, parties[name].ID)
	}
	ids = slices.Compact(slices.Sorted(slices.Values(ids)))
	if err := markOwn(ctx, tx, workspaceID, ids); err != nil {
		return err
	}
	for _, id := range ids {
		s.RecordChange(tx, workspaceID, model.PartyKindCompany, id)
	}
	return s.Accounts.Audit(ctx, tx, workspaceID, "company.own_set", workspaceID, map[string]any{"companies": ids})
}
