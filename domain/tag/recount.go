package tag

import (
	"context"
	"errors"
	"slices"

	"rostrum/dbx"
	"rostrum/model"
)

// Recount compares the stored hidden documents with the ones that filters select, and the
// documents' marks with both, under the workspace's lock. It corrects them if repair is set;
// otherwise it rolls back. It is for the operator.
func (s *Service) Recount(ctx context.Context, workspaceID string, repair bool) (found []*model.CountDifference,
	err error) {
	err = s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		if _, err := s.accounts.LockWorkspace(ctx, tx, workspaceID); err != nil {
			return err
		}
		pairs, err := s.correctPairs(ctx, tx, workspaceID)
		if err != nil {
			return err
		}
		marks, err := s.correctMarks(ctx, tx, workspaceID)
		if err != nil {
			return err
		}
		if found = append(pairs, marks...); repair {
			return nil
		}
		return errDryRun
	})
	if errors.Is(err, errDryRun) {
		err = nil
	}
	return found, err
}

// correctPairs stores which filter hides which document. It returns two figures per filter with a
// difference: the documents that it no longer hides, and the ones that it hides.
func (s *Service) correctPairs(ctx context.Context, tx dbx.Tx, workspaceID string) ([]*model.CountDifference, error) {
	filters, err := s.listFilters(ctx, tx, workspaceID)
	if err != nil {
		return nil, err
	}
	c, err := s.planChange(ctx, tx, workspaceID, filters, nil)
	if err != nil {
		return nil, err
	}
	found := make([]*model.CountDifference, 0, 2*len(filters))
	for id, n := range countByTag(c.drop) {
		found = append(found, &model.CountDifference{WorkspaceID: workspaceID,
			Subject: id + " documents hidden without a value", Stored: n})
	}
	for id, n := range countByTag(c.add) {
		found = append(found, &model.CountDifference{WorkspaceID: workspaceID,
			Subject: id + " documents not hidden in spite of a value", Counted: n})
	}
	return found, storePairs(ctx, tx, workspaceID, c)
}

func countByTag(pairs []tagPair) map[string]int {
	counts := map[string]int{}
	for _, p := range pairs {
		counts[p.tagID]++
	}
	return counts
}

// correctMarks marks the documents that a filter hides, and no others. It returns a figure per kind
// of wrong mark.
func (s *Service) correctMarks(ctx context.Context, tx dbx.Tx, workspaceID string) ([]*model.CountDifference, error) {
	hide, err := s.wronglyMarked(ctx, tx, workspaceID, false)
	if err != nil {
		return nil, err
	}
	show, err := s.wronglyMarked(ctx, tx, workspaceID, true)
	if err != nil {
		return nil, err
	}
	var found []*model.CountDifference
	if len(hide) > 0 {
		found = append(found, &model.CountDifference{WorkspaceID: workspaceID,
			Subject: "hidden documents without a mark", Counted: len(hide)})
	}
	if len(show) > 0 {
		found = append(found, &model.CountDifference{WorkspaceID: workspaceID,
			Subject: "documents with a mark that no filter hides", Stored: len(show)})
	}
	s.record(tx, workspaceID, slices.Concat(hide, show))
	return found, s.documents.Hide(ctx, tx, workspaceID, hide, show)
}

// wronglyMarked returns the marked documents that no filter hides, or the unmarked ones that one
// hides.
func (s *Service) wronglyMarked(ctx context.Context, tx dbx.Tx, workspaceID string, marked bool) (ids []string,
	err error) {
	pair := tx.NewSelect().TableExpr("document_hidden AS h").ColumnExpr("1").Where("h.document_id = d.id")
	err = s.documents.SelectIn(tx, workspaceID).ColumnExpr("d.id").Where("d.hidden = ? AND EXISTS (?) = ?", marked,
		pair, !marked).Order("d.id").Scan(ctx, &ids)
	return ids, dbx.Err(err)
}
