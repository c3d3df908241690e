package tag

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"rostrum/dbx"
	"rostrum/model"
)

// change is what must be written for the hidden documents to be those that the filters ask for.
type change struct {
	add, drop     []pair
	hidden, shown []string // documents that leave the list, and that come back; oldest first
}

// refresh makes documents hidden as the workspace's filters ask; it needs the workspace's lock.
func (s *Service) refresh(ctx context.Context, tx dbx.Tx, workspaceID string, documents []string) (*change, error) {
	filters, err := s.filters(ctx, tx, workspaceID)
	if err != nil {
		return nil, err
	}
	c, err := s.plan(ctx, tx, workspaceID, filters, documents)
	if err != nil {
		return nil, err
	}
	return c, s.carryOut(ctx, tx, workspaceID, c)
}

// plan compares what the filters ask for with what is: of some documents, or of all when none is named.
func (s *Service) plan(
	ctx context.Context, tx dbx.Tx, workspaceID string, filters []*model.CommsFilter, documents []string,
) (*change, error) {
	values, err := s.appliedValues(ctx, tx, workspaceID, enabledIDs(filters), documents)
	if err != nil {
		return nil, err
	}
	is, err := s.hiddenPairs(ctx, tx, workspaceID, documents)
	if err != nil {
		return nil, err
	}
	return compare(is, wanted(filters, values)), nil
}

func enabledIDs(filters []*model.CommsFilter) []string {
	var ids []string
	for _, f := range filters {
		if f.Enabled {
			ids = append(ids, f.AutoTagID)
		}
	}
	return ids
}

// wanted are the pairs that hide: an enabled filter and a document with one of its values.
func wanted(filters []*model.CommsFilter, values []*model.AppliedAutoTag) map[pair]bool {
	keys := map[string]map[string]bool{}
	for _, f := range filters {
		keys[f.AutoTagID] = map[string]bool{}
		for _, v := range f.Values {
			keys[f.AutoTagID][keyOf(v)] = true
		}
	}
	pairs := map[pair]bool{}
	for _, v := range values {
		if only := keys[v.AutoTagID]; len(only) == 0 || only[v.ValueKey] {
			pairs[pair{v.DocumentID, v.AutoTagID}] = true
		}
	}
	return pairs
}

func compare(is, should map[pair]bool) *change {
	c := &change{add: missingFrom(is, should), drop: missingFrom(should, is)}
	before, after := documentsOf(is), documentsOf(should)
	c.hidden, c.shown = without(after, before), without(before, after)
	return c
}

func missingFrom(set, other map[pair]bool) []pair {
	var out []pair
	for p := range other {
		if !set[p] {
			out = append(out, p)
		}
	}
	slices.SortFunc(out, func(a, b pair) int {
		return cmp.Or(cmp.Compare(a.tagID, b.tagID), cmp.Compare(a.documentID, b.documentID))
	})
	return out
}

func documentsOf(pairs map[pair]bool) map[string]bool {
	out := map[string]bool{}
	for p := range pairs {
		out[p.documentID] = true
	}
	return out
}

// without lists the ids of a set that another has not, in the order in which they were made.
func without(set, other map[string]bool) []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(set)), func(id string) bool { return other[id] })
}

// carryOut writes a change, the documents' marks and the workspace's counter with it.
func (s *Service) carryOut(ctx context.Context, tx dbx.Tx, workspaceID string, c *change) error {
	if err := dropPairs(ctx, tx, workspaceID, c.drop); err != nil {
		return err
	}
	rows := make([]*model.HiddenDocument, len(c.add))
	for i, p := range c.add {
		rows[i] = &model.HiddenDocument{DocumentID: p.documentID, AutoTagID: p.tagID, WorkspaceID: workspaceID}
	}
	if err := insertAll(ctx, tx, rows); err != nil {
		return err
	}
	return s.documents.Hide(ctx, tx, workspaceID, c.hidden, c.shown)
}
