package document

import (
	"context"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/model"
	"rostrum/platform/principal"
)

// FailedOf returns how many documents of each source have failed now, with one statement.
func (s *Service) FailedOf(ctx context.Context, sourceIDs []string) ([]*int, error) {
	var rows []struct {
		SourceID string `bun:"source_id"`
		Failed   int    `bun:"failed"`
	}
	err := s.db.NewSelect().Model((*model.Document)(nil)).Column("source_id").ColumnExpr("count(*) AS failed").
		Where("workspace_id = ? AND source_id IN (?)", principal.Must(ctx).WorkspaceID, bun.List(sourceIDs)).
		Where("processing_status = ?", model.ProcessingStatusFailed).Group("source_id").Scan(ctx, &rows)
	counts := make(map[string]int, len(rows))
	for _, row := range rows {
		counts[row.SourceID] = row.Failed
	}
	out := make([]*int, len(sourceIDs))
	for i, id := range sourceIDs {
		out[i] = new(counts[id])
	}
	return out, dbx.Err(err)
}
