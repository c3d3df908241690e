package link

import (
	"context"
	"strings"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/model"
)

// countedTables are the figures that links and variants keep, with the tables whose rows they count by a column.
var countedTables = []struct{ table, column, rows, key string }{
	{"link", "opens", "link_session", "link_id"},
	{"link", "conversions", "link_conversion", "link_id"},
	{"link", "submissions", "link_submission", "link_id"},
	{"link_variant", "opens", "link_session", "variant_id"},
	{"link_variant", "conversions", "link_conversion", "variant_id"},
}

// Recount compares the stored figures of the workspace's links with the rows that they count, and corrects them if repair is set. A figure may
// be greater than the number of rows, because old sessions are deleted. It is for the operator.
func (s *Service) Recount(ctx context.Context, workspaceID string, repair bool) ([]*model.CountDifference, error) {
	var found []*model.CountDifference
	err := s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		locked := s.db.ForUpdate(tx.NewSelect().Model((*model.Link)(nil)).Column("id").Where("workspace_id = ?", workspaceID).Order("id"))
		var ids []string
		if err := locked.Scan(ctx, &ids); err != nil {
			return dbx.Err(err)
		}
		for _, figure := range countedTables {
			rows, err := compareCounts(ctx, tx, workspaceID, figure.table, figure.column, figure.rows, figure.key)
			if err != nil {
				return err
			}
			found = append(found, rows...)
			for _, row := range rows {
				if !repair {
					break
				}
				id, _, _ := strings.Cut(row.Subject, " ")
				_, err := tx.NewUpdate().Table(figure.table).Set("? = ?", bun.Ident(figure.column), row.Counted).Where("id = ?", id).Exec(ctx)
				if err != nil {
					return dbx.Err(err)
				}
			}
		}
		return nil
	})
	return found, err
}

// compareCounts returns the rows of a table whose figure is below the number of rows that it counts.
func compareCounts(ctx context.Context, tx dbx.Tx, workspaceID, table, column, rows, key string) ([]*model.CountDifference, error) {
	var found []struct {
		ID      string
		Stored  int
		Counted int
	}
	counted := tx.NewSelect().TableExpr("? AS c", bun.Ident(rows)).ColumnExpr("count(*)").Where("c.? = t.id", bun.Ident(key))
	all := tx.NewSelect().TableExpr("? AS t", bun.Ident(table)).ColumnExpr("t.id, t.? AS stored, (?) AS counted", bun.Ident(column), counted).
		Where("t.workspace_id = ?", workspaceID)
	if err := tx.NewSelect().TableExpr("(?) AS figures", all).Where("counted > stored").Order("id").Scan(ctx, &found); err != nil {
		return nil, dbx.Err(err)
	}
	out := make([]*model.CountDifference, len(found))
	for i, row := range found {
		out[i] = &model.CountDifference{WorkspaceID: workspaceID, Subject: row.ID + " " + column, Stored: row.Stored, Counted: row.Counted}
	}
	return out, nil
}
