package tag

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"rostrum/dbx"
	"rostrum/model"
)

// hiddenChange is the difference between the hidden documents and the ones that filters select.
type hiddenChange struct {
	add, drop     []tagPair
	hidden, shown []string // documents to hide and to show, oldest first
}

// updateHidden hides and shows documents by the workspace's filters, after values or filters have
// changed. If documents is nil, it considers all. The workspace must be locked.
func (s *Service) updateHidden(ctx context.Context, tx dbx.Tx, workspaceID string, documents []string) (*hiddenChange,
	error) {
	filters, err := s.listFilters(ctx, tx, workspaceID)
	if err != nil {
		return nil, err
	}
	c, err := s.planChange(ctx, tx, workspaceID, filters, documents)
	if err != nil {
		return nil, err
	}
	s.record(tx, workspaceID, documents)
	return c, s.applyChange(ctx, tx, workspaceID, c)
}

// planChange returns the change that filters require for the documents, or for all if documents is
// nil.
func (s *Service) planChange(
	ctx context.Context, tx dbx.Tx, workspaceID string, filters []*model.CommsFilter, documents []string,
) (*hiddenChange, error) {
	values, err := s.appliedValues(ctx, tx, workspaceID, enabledIDs(filters), documents)
	if err != nil {
		return nil, err
	}
	current, err := s.hiddenPairs(ctx, tx, workspaceID, documents)
	if err != nil {
		return nil, err
	}
	return comparePairs(current, hidingPairs(filters, values)), nil
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

// hidingPairs returns the pairs of an enabled filter and a document with one of its values.
func hidingPairs(filters []*model.CommsFilter, values []*model.AppliedAutoTag) map[tagPair]bool {
	keys := map[string]map[string]bool{}
	for _, f := range filters {
		keys[f.AutoTagID] = map[string]bool{}
		for _, v := range f.Values {
			keys[f.AutoTagID][keyOf(v)] = true
		}
	}
	pairs := map[tagPair]bool{}
	for _, v := range values {
		if only := keys[v.AutoTagID]; len(only) == 0 || only[v.ValueKey] {
			pairs[tagPair{v.DocumentID, v.AutoTagID}] = true
		}
	}
	return pairs
}

func comparePairs(current, desired map[tagPair]bool) *hiddenChange {
	c := &hiddenChange{add: pairsMissingFrom(current, desired), drop: pairsMissingFrom(desired, current)}
	before, after := documentSet(current), documentSet(desired)
	c.hidden, c.shown = idsMissingFrom(after, before), idsMissingFrom(before, after)
	return c
}

func pairsMissingFrom(set, other map[tagPair]bool) []tagPair {
	var out []tagPair
	for p := range other {
		if !set[p] {
			out = append(out, p)
		}
	}
	slices.SortFunc(out, func(a, b tagPair) int {
		return cmp.Or(cmp.Compare(a.tagID, b.tagID), cmp.Compare(a.documentID, b.documentID))
	})
	return out
}

func documentSet(pairs map[tagPair]bool) map[string]bool {
	out := map[string]bool{}
	for p := range pairs {
		out[p.documentID] = true
	}
	return out
}

// idsMissingFrom returns the ids of a set that another set lacks, in order of creation.
func idsMissingFrom(set, other map[string]bool) []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(set)), func(id string) bool { return other[id] })
}

// applyChange stores a change with the documents' marks and the workspace's counter.
func (s *Service) applyChange(ctx context.Context, tx dbx.Tx, workspaceID string, c *hiddenChange) error {
	if err := storePairs(ctx, tx, workspaceID, c); err != nil {
		return err
	}
	s.record(tx, workspaceID, slices.Concat(c.hidden, c.shown))
	return s.documents.Hide(ctx, tx, workspaceID, c.hidden, c.shown)
}

// storePairs stores which filter hides which document.
func storePairs(ctx context.Context, tx dbx.Tx, workspaceID string, c *hiddenChange) error {
	if err := deletePairs(ctx, tx, workspaceID, c.drop); err != nil {
		return err
	}
	rows := make([]*model.HiddenDocument, len(c.add))
	for i, p := range c.add {
		rows[i] = &model.HiddenDocument{DocumentID: p.documentID, AutoTagID: p.tagID, WorkspaceID: workspaceID}
	}
	return dbx.InsertRows(ctx, tx, rows)
}

// DocumentTables are the tables whose rows are kept with a deleted document. What filters hide is
// found anew by Restored.
var DocumentTables = []dbx.KeptTable{
	{Name: "document_auto_tag", Where: "document_id = ?", Parents: map[string]string{"auto_tag_id": "auto_tag"}},
	{Name: "auto_tag_review", Where: "document_id = ?", Parents: map[string]string{"auto_tag_id": "auto_tag"}},
	{Name: "auto_tag_example", Where: "document_id = ?", Parents: map[string]string{"auto_tag_id": "auto_tag"}},
	{Name: "auto_tag_check", Where: "document_id = ?", Parents: map[string]string{"auto_tag_id": "auto_tag"}},
}

// Restored hides a restored document if filters select it. It is a document.RestoreHook.
func (s *Service) Restored(ctx context.Context, tx dbx.Tx, doc *model.Document) error {
	_, err := s.updateHidden(ctx, tx, doc.WorkspaceID, []string{doc.ID})
	return err
}
