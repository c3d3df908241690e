package link

import (
	"context"
	"strings"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/model"
)

// countedFigure is a stored count of a link or variant, for example its opens. It is the sum of the
// counted rows of its sources.
type countedFigure struct {
	table, column string
	sources       []countedRows
	isPruned      bool // old rows are deleted, so that the figure may be greater than their number
}

// countedRows are rows of a table that belong to a link or variant by the column key.
type countedRows struct{ table, key, where string }

// Conditions of counted rows: all, and conversions without scroll milestones.
const (
	allRows      = "true"
	noMilestones = "type NOT LIKE 'scroll%'"
)

var countedFigures = []countedFigure{
	{"link", "opens", []countedRows{{"link_session", "link_id", allRows}}, true},
	{"link", "conversions", []countedRows{{"link_conversion", "link_id", noMilestones},
		{"link_submission", "link_id", allRows}}, false},
	{"link", "submissions", []countedRows{{"link_submission", "link_id", allRows}}, false},
	{"link_variant", "opens", []countedRows{{"link_session", "variant_id", allRows}}, true},
	{"link_variant", "conversions", []countedRows{{"link_conversion", "variant_id", noMilestones}}, false},
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
	var rows *bun.SelectQuery
	for _, source := range f.sources {
		some := tx.NewSelect().TableExpr("? AS c", bun.Ident(source.table)).ColumnExpr("c.? AS id", bun.Ident(source.key)).
			Where("c.workspace_id = ? AND "+source.where, workspaceID)
		if rows == nil {
			rows = some
		} else {
			rows = rows.UnionAll(some)
		}
	}
	counts := tx.NewSelect().TableExpr("(?) AS rows", rows).ColumnExpr("id, count(*) AS counted").GroupExpr("id")
	all := tx.NewSelect().TableExpr("? AS t", bun.Ident(f.table)).
		ColumnExpr("t.id, t.? AS stored, coalesce(n.counted, 0) AS counted", bun.Ident(f.column)).
		Join("LEFT JOIN (?) AS n ON n.id = t.id", counts).Where("t.workspace_id = ?", workspaceID)
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
