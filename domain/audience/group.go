package audience

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/base32"
	"fmt"
	"slices"
	"strings"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/model/optional"
	"rostrum/platform/principal"
)

// Groups returns the audience groups by sort order, then by name. Besides the stored ones it has a
// group for every other category in use.
func (s *Service) Groups(ctx context.Context) ([]*model.AudienceGroup, error) {
	p := principal.Must(ctx)
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

// GroupPage returns one page of Groups (see dbx.PageOf).
func (s *Service) GroupPage(ctx context.Context, args model.PageArgs) (*model.AudienceGroupConnection, error) {
	groups, err := s.Groups(ctx)
	if err != nil {
		return nil, err
	}
	return dbx.PageOf(groups, "place", func(g *model.AudienceGroup) (place, id string) {
		return fmt.Sprintf("%010d %s", g.SortOrder, g.Name), g.ID
	}, args)
}

// newGroup returns the group of a category that is not stored. Its id is derived from its name, so
// it is stable. If a renamed group already has that id, it derives another.
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

// Group returns one group, or nil if the workspace has no such group.
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

// GroupsByID returns the workspace's groups with the ids; it reads the whole list.
func (s *Service) GroupsByID(ctx context.Context, _ string, ids []string, _ ...string) ([]*model.AudienceGroup, error) {
	groups, err := s.Groups(ctx)
	return slices.DeleteFunc(groups, func(g *model.AudienceGroup) bool { return !slices.Contains(ids, g.ID) }), err
}

// CreateGroup stores a group, or the display name and order of a category's group. It returns
// errs.Conflict if the name is stored already.
func (s *Service) CreateGroup(ctx context.Context, in api.CreateAudienceGroupInput) (*api.CreateAudienceGroupPayload,
	error) {
	p := principal.Must(ctx)
	stored, err := s.storedGroups(ctx, p.WorkspaceID)
	if err != nil {
		return nil, err
	}
	group := newGroup(p.WorkspaceID, strings.TrimSpace(in.Name), stored)
	group.DisplayName, group.SortOrder = optional.Trimmed(in.DisplayName.Value()),
		optional.ValueOr(in.SortOrder.Value(), 0)
	if _, err := s.DB.NewInsert().Model(group).Exec(ctx); err != nil {
		return nil, fmt.Errorf("create audience group: %w", groupConflict(err, group.Name))
	}
	return &api.CreateAudienceGroupPayload{Group: group}, nil
}

func groupConflict(err error, name string) error {
	if err = dbx.Err(err); errs.Is(err, errs.Conflict) {
		return nameTaken(name)
	}
	return err
}

// nameTaken returns an errs.Conflict that names the field name, so that a form shows it there.
func nameTaken(name string) error {
	err := errs.New(errs.Conflict, "there is already a group of the name %s: change that one", name)
	err.Fields = []errs.Field{errs.BodyField("conflict", "is taken", "name")}
	return err
}

// UpdateGroup names or orders a group. It returns errs.NotFound, errs.Conflict if the name is
// stored or is a category of personas, and errs.InvalidState if the renamed category has personas.
func (s *Service) UpdateGroup(ctx context.Context, in api.UpdateAudienceGroupInput) (*api.UpdateAudienceGroupPayload,
	error) {
	group, err := s.requireGroup(ctx, in.GroupID)
	if err != nil {
		return nil, err
	}
	before := group.Name
	if name := optional.Trimmed(in.Name.Value()); name != nil && *name != group.Name {
		if err := s.checkRename(ctx, group.Name, *name); err != nil {
			return nil, err
		}
		group.Name = *name
	}
	if in.DisplayName.IsSet() {
		group.DisplayName = optional.Trimmed(in.DisplayName.Value())
	}
	if in.SortOrder.IsSet() {
		group.SortOrder = optional.ValueOr(in.SortOrder.Value(), 0)
	}
	if err := s.saveGroup(ctx, group); err != nil {
		return nil, fmt.Errorf("update audience group %s: %w", before, groupConflict(err, group.Name))
	}
	return &api.UpdateAudienceGroupPayload{Group: group}, nil
}

// requireGroup returns a group or errs.NotFound.
func (s *Service) requireGroup(ctx context.Context, id string) (*model.AudienceGroup, error) {
	group, err := s.Group(ctx, id)
	if err == nil && group == nil {
		err = errs.New(errs.NotFound, "there is no audience group %s in this workspace", id)
	}
	return group, err
}

// checkRename returns errs.InvalidState if the old category has personas, and errs.Conflict if the
// new one has, because it then has a group of its own.
func (s *Service) checkRename(ctx context.Context, from, to string) error {
	if err := s.checkUnused(ctx, from, "renamed"); err != nil {
		return err
	}
	used, err := s.Personas.Categories(ctx)
	if err == nil && slices.Contains(used, to) {
		err = nameTaken(to)
	}
	return err
}

// checkUnused returns errs.InvalidState if personas are in a category.
func (s *Service) checkUnused(ctx context.Context, category, done string) error {
	used, err := s.Personas.Categories(ctx)
	if err == nil && slices.Contains(used, category) {
		err = errs.New(errs.InvalidState, "personas are in the category %s, so its group cannot be %s: change their category first", category, done)
	}
	return err
}

// DeleteGroup removes a group. It returns errs.NotFound, or errs.InvalidState if its category has
// personas.
func (s *Service) DeleteGroup(ctx context.Context, id string) (*api.DeleteAudienceGroupPayload, error) {
	group, err := s.requireGroup(ctx, id)
	if err != nil {
		return nil, err
	}
	if err := s.checkUnused(ctx, group.Name, "removed"); err != nil {
		return nil, err
	}
	if err := s.removeGroup(ctx, group); err != nil {
		return nil, fmt.Errorf("delete audience group: %w", err)
	}
	return &api.DeleteAudienceGroupPayload{DeletedID: id}, nil
}

// GroupsOf returns the group of each summary's category; nil for a category without one.
func (s *Service) GroupsOf(ctx context.Context, rows []*model.AudienceSummary) ([]*model.AudienceGroup, error) {
	return groupsOf(ctx, s, rows, func(row *model.AudienceSummary) string { return row.Category })
}

// GroupsOfPersonas returns the group of each persona's category; nil for a category without one.
func (s *Service) GroupsOfPersonas(ctx context.Context, rows []*model.Persona) ([]*model.AudienceGroup, error) {
	return groupsOf(ctx, s, rows, func(row *model.Persona) string { return row.Category })
}

func groupsOf[T any](ctx context.Context, s *Service, rows []*T, categoryOf func(*T) string) ([]*model.AudienceGroup,
	error) {
	groups, err := s.Groups(ctx)
	out := make([]*model.AudienceGroup, len(rows))
	for i, row := range rows {
		if at := slices.IndexFunc(groups, func(g *model.AudienceGroup) bool {
			return g.Name == categoryOf(row)
		}); at >= 0 {
			out[i] = groups[at]
		}
	}
	return out, err
}
