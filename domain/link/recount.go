package link

import (
	"context"
	"strings"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/model"
)

// countedFigure is a stored count of a link or variant, for example its opens. It counts the rows
// of a table by the column key.
type countedFigure struct {
	table, column, rows, key string
	isPruned                 bool // old rows are deleted, so that the figure may be greater than their number
}

var countedFigures = []countedFigure{
	{"link", "opens", "link_session", "link_id", true},
	{"link", "conversions", "link_conversion", "link_id", false},
	{"link", "submissions", "link_submission", "link_id", false},
	{"link_variant", "opens", "link_session", "variant_id", true},
	{"link_variant", "conversions", "link_conversion", "variant_id", false},
}

// Recount compares the stored counts of the workspace's links with the counted rows, and corrects
// them if repair is set. Only opens may exceed their rows, because old sessions are deleted. It is
// for the operator.
func (s *Service) Recount(ctx context.Context, workspaceID string, repair bool) ([]*model.CountDifference, error) {
	var found []*model.CountDifference
	err := s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		locked := s.db.ForUpdate(tx.NewSelect().Model((*model.Link)(nil)).Column("id").
			Where("workspace_id = ?", workspaceID).Order("id"))
		var ids []string
		if err := locked.Scan(ctx, &ids); err != nil {
			return dbx.Err(err)
		}
		for _, figure := range countedFigures {
			rows, err := figure.compareCounts(ctx, tx, workspaceID)
			if err != nil {
				return err
			}
			found = append(found, rows...)
			for _, row := range rows {
				if !repair {
					break
				}
				id, _, _ := strings.Cut(row.Subject, " ")
				_, err := tx.NewUpdate().Table(figure.table).Set("? = ?", bun.Ident(figure.column), row.Counted).
					Where("id = ?", id).Exec(ctx)
				if err != nil {
					return dbx.Err(err)
				}
			}
		}
		return nil
	})
	return found, err
}

// compareCounts returns the rows with a stored count that differs from the counted rows.
func (f countedFigure) compareCounts(ctx context.Context, tx dbx.Tx, workspaceID string) ([]*model.CountDifference,
	error) {
	var found []struct {
		ID      string
		Stored  int
		Counted int
	}
	wrong := "counted <> stored"
	if f.isPruned {
		wrong = "counted > stored"
	}
	counted := tx.NewSelect().TableExpr("? AS c", bun.Ident(f.rows)).ColumnExpr("count(*)").
		Where("c.? = t.id", bun.Ident(f.key))
	all := tx.NewSelect().TableExpr("? AS t", bun.Ident(f.table)).ColumnExpr("t.id, t.? AS stored, (?) AS counted",
		bun.Ident(f.column), counted).
		Where("t.workspace_id = ?", workspaceID)
	if err := tx.NewSelect().TableExpr("(?) AS figures", all).Where(wrong).Order("id").Scan(ctx, &found); err != nil {
		return nil, dbx.Err(err)
	}
	out := make([]*model.CountDifference, len(found))
	for i, row := range found {
		out[i] = &model.CountDifference{WorkspaceID: workspaceID, Subject: row.ID + " " + f.column, Stored: row.Stored,
			Counted: row.Counted}
	}
	return out, nil
}
