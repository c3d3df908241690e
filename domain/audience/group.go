package audience

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/base32"
	"fmt"
	"slices"
	"strings"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
)

// Groups lists the audience groups by sort order, then by name: those that are stored, and one for every other category in use.
func (s *Service) Groups(ctx context.Context) ([]*model.AudienceGroup, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	groups, err := s.storedGroups(ctx, p.WorkspaceID)
	if err != nil {
		return nil, err
	}
	used, err := s.Personas.Categories(ctx)
	if err != nil {
		return nil, err
	}
	for _, category := range used {
		if !slices.ContainsFunc(groups, func(g *model.AudienceGroup) bool { return g.Name == category }) {
			groups = append(groups, newGroup(p.WorkspaceID, category, groups))
		}
	}
	slices.SortFunc(groups, func(a, b *model.AudienceGroup) int {
		return cmp.Or(cmp.Compare(a.SortOrder, b.SortOrder), cmp.Compare(a.Name, b.Name))
	})
	return groups, nil
}

// newGroup is the group of a category as long as nobody has stored it. Its id is made from its name, so that it is the same each time; where a
// group has that id that had the name before, it is made once more.
func newGroup(workspaceID, name string, known []*model.AudienceGroup) *model.AudienceGroup {
	for text := workspaceID + "\x00" + name; ; text += "\x00" {
		sum := sha256.Sum256([]byte(text))
		code := base32.HexEncoding.WithPadding(base32.NoPadding).EncodeToString(sum[:])
		id := model.GroupPrefix + "_" + strings.ToLower(code[:26])
		if !slices.ContainsFunc(known, func(g *model.AudienceGroup) bool { return g.ID == id }) {
			return &model.AudienceGroup{ID: id, WorkspaceID: workspaceID, Name: name}
		}
	}
}

// Group reads one group; nil when the workspace has none of that id.
func (s *Service) Group(ctx context.Context, id string) (*model.AudienceGroup, error) {
	groups, err := s.Groups(ctx)
	if err != nil {
		return nil, err
	}
	if at := slices.IndexFunc(groups, func(g *model.AudienceGroup) bool { return g.ID == id }); at >= 0 {
		return groups[at], nil
	}
	return nil, nil
}

// CreateGroup stores a group, or names and orders that of a category that nobody has stored yet. It fails with conflict.
func (s *Service) CreateGroup(ctx context.Context, in model.CreateAudienceGroupInput) (*model.AudienceGroupPayload, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	stored, err := s.storedGroups(ctx, p.WorkspaceID)
	if err != nil {
		return nil, err
	}
	group := newGroup(p.WorkspaceID, strings.TrimSpace(in.Name), stored)
	group.DisplayName, group.SortOrder = model.Trimmed(in.DisplayName.Value()), model.ValueOr(in.SortOrder.Value(), 0)
	if _, err := s.DB.NewInsert().Model(group).Exec(ctx); err != nil {
		return nil, fmt.Errorf("create audience group: %w", taken(err, group.Name))
	}
	return &model.AudienceGroupPayload{Group: group}, nil
}

func taken(err error, name string) error {
	if err = dbx.Err(err); errs.Is(err, errs.Conflict) {
		return errs.New(errs.Conflict, "there is already a group of the name %s: change that one", name)
	}
	return err
}

// UpdateGroup names or orders a group. It fails with not_found, with conflict where the name is taken, and with invalid_state when personas
// are in the category that would be renamed.
func (s *Service) UpdateGroup(ctx context.Context, id string, in model.UpdateAudienceGroupInput) (*model.AudienceGroupPayload, error) {
	group, err := s.known(ctx, id)
	if err != nil {
		return nil, err
	}
	before := group.Name
	if name := model.Trimmed(in.Name.Value()); name != nil && *name != group.Name {
		if err := s.free(ctx, group.Name, "renamed"); err != nil {
			return nil, err
		}
		group.Name = *name
	}
	if in.DisplayName.IsSet() {
		group.DisplayName = model.Trimmed(in.DisplayName.Value())
	}
	if in.SortOrder.IsSet() {
		group.SortOrder = model.ValueOr(in.SortOrder.Value(), 0)
	}
	if err := s.saveGroup(ctx, group); err != nil {
		return nil, fmt.Errorf("update audience group %s: %w", before, taken(err, group.Name))
	}
	return &model.AudienceGroupPayload{Group: group}, nil
}

// known reads a group that must be there.
func (s *Service) known(ctx context.Context, id string) (*model.AudienceGroup, error) {
	group, err := s.Group(ctx, id)
	if err == nil && group == nil {
		err = errs.New(errs.NotFound, "there is no audience group %s in this workspace", id)
	}
	return group, err
}

// free fails with invalid_state when personas are in a category.
func (s *Service) free(ctx context.Context, category, done string) error {
	used, err := s.Personas.Categories(ctx)
	if err == nil && slices.Contains(used, category) {
		err = errs.New(errs.InvalidState, "personas are in the category %s, so its group cannot be %s: change their category first", category, done)
	}
	return err
}

// DeleteGroup removes a group. It fails with not_found, and with invalid_state when personas are in its category.
func (s *Service) DeleteGroup(ctx context.Context, id string) (*model.DeleteAudienceGroupPayload, error) {
	group, err := s.known(ctx, id)
	if err != nil {
		return nil, err
	}
	if err := s.free(ctx, group.Name, "removed"); err != nil {
		return nil, err
	}
	if err := s.removeGroup(ctx, group); err != nil {
		return nil, fmt.Errorf("delete audience group: %w", err)
	}
	return &model.DeleteAudienceGroupPayload{ID: id}, nil
}
