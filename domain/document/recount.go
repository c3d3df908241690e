package document

import (
	"context"

	"rostrum/dbx"
	"rostrum/model"
)

// Recount compares the workspace's stored totals and facet counts with its documents under the
// workspace's lock, and finds documents without an index. It corrects both if repair is set. It is for the operator.
func (s *Service) Recount(ctx context.Context, workspaceID string, repair bool) ([]*model.CountDifference, error) {
	var found []*model.CountDifference
	err := s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		w := new(model.Workspace)
		if err := s.db.ForUpdate(tx.NewSelect().Model(w).Where("id = ?", workspaceID)).Scan(ctx); err != nil {
			return dbx.Err(err)
		}
		totals, err := countTotals(ctx, tx, w)
		if err != nil {
			return err
		}
		statuses, err := countStatuses(ctx, tx, workspaceID)
		if err != nil {
			return err
		}
		facets, err := s.compareFacets(ctx, tx, workspaceID)
		found = append(differences(append(totals, statuses...)), facetDifferences(facets)...)
		if err != nil || !repair || len(found) == 0 {
			return err
		}
		if err := correctFacets(ctx, tx, facets); err != nil {
			return err
		}
		return storeCounts(ctx, tx, workspaceID, totals, statuses)
	})
	if err != nil {
		return nil, err
	}
	index, err := s.compareIndex(ctx, workspaceID, repair)
	return append(found, index...), err
}

// countTotals returns document_count and hidden_count, in this order.
func countTotals(ctx context.Context, tx dbx.Tx, w *model.Workspace) ([]*model.CountDifference, error) {
	var all, hidden int
	err := tx.NewSelect().Model((*model.Document)(nil)).
		ColumnExpr("count(*), coalesce(sum(CASE WHEN hidden THEN 1 ELSE 0 END), 0)").
		Where("workspace_id = ?", w.ID).Scan(ctx, &all, &hidden)
	return []*model.CountDifference{
		{WorkspaceID: w.ID, Subject: "document_count", Stored: w.DocumentCount, Counted: all},
		{WorkspaceID: w.ID, Subject: "hidden_count", Stored: w.HiddenCount, Counted: hidden},
	}, dbx.Err(err)
}

// countStatuses returns one figure for each status that is stored or that a document has.
func countStatuses(ctx context.Context, tx dbx.Tx, workspaceID string) ([]*model.CountDifference, error) {
	var stored, counted []*statusCount
	if err := tx.NewSelect().Model(&stored).Where("workspace_id = ?", workspaceID).Scan(ctx); err != nil {
		return nil, dbx.Err(err)
	}
	err := tx.NewSelect().Model((*model.Document)(nil)).
		ColumnExpr("processing_status AS status, count(*) AS documents").
		Where("workspace_id = ? AND processing_status IS NOT NULL", workspaceID).Group("processing_status").
		Scan(ctx, &counted)
	if err != nil {
		return nil, dbx.Err(err)
	}
	byStatus := map[model.ProcessingStatus]*model.CountDifference{}
	figureOf := func(status model.ProcessingStatus) *model.CountDifference {
		if byStatus[status] == nil {
			byStatus[status] = &model.CountDifference{WorkspaceID: workspaceID, Subject: statusSubject + string(status)}
		}
		return byStatus[status]
	}
	for _, row := range stored {
		figureOf(row.Status).Stored = row.Documents
	}
	for _, row := range counted {
		figureOf(row.Status).Counted = row.Documents
	}
	var all []*model.CountDifference
	for _, figure := range byStatus {
		all = append(all, figure)
	}
	return all, nil
}

// statusSubject begins the subject of the figures of statuses.
const statusSubject = "document_status "

func differences(all []*model.CountDifference) []*model.CountDifference {
	var found []*model.CountDifference
	for _, figure := range all {
		if figure.Stored != figure.Counted {
			found = append(found, figure)
		}
	}
	return found
}

func storeCounts(ctx context.Context, tx dbx.Tx, workspaceID string, totals, statuses []*model.CountDifference) error {
	_, err := tx.NewUpdate().Model((*model.Workspace)(nil)).Set("document_count = ?", totals[0].Counted).
		Set("hidden_count = ?", totals[1].Counted).Where("id = ?", workspaceID).Exec(ctx)
	if err != nil {
		return dbx.Err(err)
	}
	if _, err := tx.NewDelete().Model((*statusCount)(nil)).Where("workspace_id = ?", workspaceID).
		Exec(ctx); err != nil {
		return dbx.Err(err)
	}
	var rows []*statusCount
	for _, figure := range statuses {
		status := model.ProcessingStatus(figure.Subject[len(statusSubject):])
		rows = append(rows, &statusCount{WorkspaceID: workspaceID, Status: status, Documents: figure.Counted})
	}
	if len(rows) == 0 {
		return nil
	}
	_, err = tx.NewInsert().Model(&rows).Exec(ctx)
	return dbx.Err(err)
}
