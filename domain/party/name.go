package party

import (
	"context"
	"strings"

	"rostrum/model"
)

// CanonicalNames returns the party's main name for each name, with one statement. An unknown name
// is only trimmed.
func (s *Service) CanonicalNames(ctx context.Context, workspaceID string, kind model.PartyKind,
	names ...string) ([]string, error) {
	found, err := s.Find(ctx, workspaceID, kind, names...)
	out := make([]string, len(names))
	for i, name := range names {
		if out[i] = strings.TrimSpace(name); found[name].Name != "" {
			out[i] = found[name].Name
		}
	}
	return out, err
}

// NamesOf returns all names of the party with a name or alias; only the given one if there is none.
func (s *Service) NamesOf(ctx context.Context, workspaceID string, kind model.PartyKind, name string) ([]string,
	error) {
	found, err := s.Find(ctx, workspaceID, kind, name)
	if err != nil || found[name].ID == "" {
		return []string{name}, err
	}
	party := found[name]
	others, err := s.aliasesOf(ctx, workspaceID, kind, []string{party.ID})
	return append([]string{party.Name}, others[party.ID]...), err
}
