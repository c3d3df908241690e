package link

import (
	"context"
	"strings"
	"time"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/model"
)

// countedFigure is a stored count of a link or variant, for example its opens. It is the sum of the
// counted rows of its sources.
type countedFigure struct {
	table, column string
	dimension     model.LinkDimension // of a breakdown; empty for other tables
	sources       []countedRows
	isPruned      bool   // old rows are deleted, so that the figure may be greater than their number
	sums          string // a query of the ids and figures that stands for the table; empty for the table
}

// countedRows are rows of a table that belong to a link or variant by the column key.
type countedRows struct{ table, key, where string }

// Conditions of counted rows: all, and conversions without scroll milestones.
const (
	allRows      = "true"
	noMilestones = "type NOT LIKE 'scroll%'"
	hasConverted = "converted_at IS NOT NULL"
)

// activitySums is a query of what each link's activity adds up to.
const activitySums = `(SELECT l.id, l.workspace_id, coalesce(sum(a.opens), 0) AS opens,
    coalesce(sum(a.conversions), 0) AS conversions, coalesce(sum(a.submissions), 0) AS submissions
  FROM link AS l LEFT JOIN link_activity AS a ON a.link_id = l.id GROUP BY l.id, l.workspace_id)`

var (
	openRows       = []countedRows{{"link_session", "link_id", allRows}}
	submissionRows = []countedRows{{"link_submission", "link_id", allRows}}
	conversionRows = []countedRows{{"link_conversion", "link_id", noMilestones}, submissionRows[0]}
	variantOpens   = []countedRows{{"link_session", "variant_id", allRows}}
	variantClicks  = []countedRows{{"link_conversion", "variant_id", noMilestones}}
	convertedOnes  = []countedRows{{"link_session", "variant_id", hasConverted}}
)

var countedFigures = append([]countedFigure{
	{table: "link", column: "opens", sources: openRows, isPruned: true},
	{table: "link", column: "conversions", sources: conversionRows},
	{table: "link", column: "submissions", sources: submissionRows},
	{table: "link_variant", column: "opens", sources: variantOpens, isPruned: true},
	{table: "link_variant", column: "conversions", sources: variantClicks},
	{table: "link_variant", column: "converted", sources: convertedOnes, isPruned: true},
	{table: activityTable, column: "opens", sources: openRows, isPruned: true, sums: activitySums},
	{table: activityTable, column: "conversions", sources: conversionRows, sums: activitySums},
	{table: activityTable, column: "submissions", sources: submissionRows, sums: activitySums},
}, breakdownFigures()...)

// breakdownFigures returns the figures of breakdowns: all sessions, the converted ones, and those with a
// value of each dimension.
func breakdownFigures() []countedFigure {
	figure := func(dimension model.LinkDimension, column, where string) countedFigure {
		return countedFigure{table: breakdownTable, column: column, dimension: dimension, isPruned: true,
			sources: []countedRows{{"link_session", "link_id", where}},
			sums: `(SELECT l.id, l.workspace_id, coalesce(sum(b.opens), 0) AS opens, coalesce(sum(b.converted), 0) AS converted
  FROM link AS l LEFT JOIN link_breakdown AS b ON b.link_id = l.id AND b.dimension = '` + string(dimension) + `'
  GROUP BY l.id, l.workspace_id)`}
	}
	figures := []countedFigure{figure(everySession, "opens", allRows), figure(everySession, "converted", hasConverted)}
	for _, dimension := range sessionDimensions {
		figures = append(figures, figure(dimension.name, "opens", dimension.column+" <> ''"))
	}
	return figures
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
				if err := figure.repair(ctx, tx, id, row.Counted); err != nil {
					return err
				}
			}
		}
		return nil
	})
	return found, err
}

// label names the figure in a difference, for example opens or activity.opens.
func (f countedFigure) label() string {
	switch f.table {
	case activityTable:
		return "activity." + f.column
	case breakdownTable:
		return "breakdown." + string(f.dimension) + "." + f.column
	}
	return f.column
}

// repair stores the right count of a row. An activity is counted anew by quarters of an hour, a
// breakdown by days.
func (f countedFigure) repair(ctx context.Context, tx dbx.Tx, id string, counted int) error {
	switch f.table {
	case activityTable:
		return rebuildActivity(ctx, tx, id)
	case breakdownTable:
		return rebuildBreakdown(ctx, tx, id)
	}
	_, err := tx.NewUpdate().Table(f.table).Set("? = ?", bun.Ident(f.column), counted).Where("id = ?", id).Exec(ctx)
	return dbx.Err(err)
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
	table := f.sums
	if table == "" {
		table = f.table
	}
	all := tx.NewSelect().TableExpr("? AS t", bun.Safe(table)).
		ColumnExpr("t.id, t.? AS stored, coalesce(n.counted, 0) AS counted", bun.Ident(f.column)).
		Join("LEFT JOIN (?) AS n ON n.id = t.id", counts).Where("t.workspace_id = ?", workspaceID)
	if err := tx.NewSelect().TableExpr("(?) AS figures", all).Where(wrong).Order("id").Scan(ctx, &found); err != nil {
		return nil, dbx.Err(err)
	}
	out := make([]*model.CountDifference, len(found))
	for i, row := range found {
		out[i] = &model.CountDifference{WorkspaceID: workspaceID, Subject: row.ID + " " + f.label(), Stored: row.Stored,
			Counted: row.Counted}
	}
	return out, nil
}

// activitySource are rows that add to the activity of their link at a time.
type activitySource struct {
	countedRows
	at      string // the column of the time
	variant string // the column of the side, or NULL
	adds    activityCount
}

var activitySources = []activitySource{
	{openRows[0], "opened_at", "variant_id", activityCount{Opens: 1}},
	{conversionRows[0], "created_at", "variant_id", activityCount{Conversions: 1}},
	{submissionRows[0], "created_at", "NULL", activityCount{Conversions: 1, Submissions: 1}},
}

// rebuildActivity counts the activity of a locked link anew. Opens of deleted sessions stay.
func rebuildActivity(ctx context.Context, tx dbx.Tx, linkID string) error {
	var stored []*activityCount
	if err := tx.NewSelect().Model(&stored).Where("link_id = ?", linkID).Scan(ctx); err != nil {
		return dbx.Err(err)
	}
	counts := activityCounts{}
	for _, source := range activitySources {
		if err := source.count(ctx, tx, linkID, counts); err != nil {
			return err
		}
	}
	for _, row := range stored {
		key := activityKey{linkID, row.VariantID, row.Quarter}
		if counted := counts[key]; counted != nil {
			counted.Opens = max(counted.Opens, row.Opens)
			continue
		}
		row.Conversions, row.Submissions = 0, 0
		counts[key] = row
	}
	if _, err := tx.NewDelete().Model((*activityCount)(nil)).Where("link_id = ?", linkID).Exec(ctx); err != nil {
		return dbx.Err(err)
	}
	return counts.store(ctx, tx)
}

// count adds what the link's rows of the source add up to.
func (c activitySource) count(ctx context.Context, tx dbx.Tx, linkID string, counts activityCounts) error {
	var rows []struct {
		WorkspaceID string
		VariantID   *string
		At          time.Time
	}
	err := tx.NewSelect().TableExpr("?", bun.Ident(c.table)).Column("workspace_id").ColumnExpr(c.variant+" AS variant_id").
		ColumnExpr("? AS at", bun.Ident(c.at)).Where("link_id = ?", linkID).Where(c.where).Scan(ctx, &rows)
	for _, row := range rows {
		counts.add(linkID, row.VariantID, row.At, row.WorkspaceID, c.adds)
	}
	return dbx.Err(err)
}

// rebuildBreakdown counts the breakdown of a locked link anew. Opens of deleted sessions stay.
func rebuildBreakdown(ctx context.Context, tx dbx.Tx, linkID string) error {
	var stored []*breakdownCount
	if err := tx.NewSelect().Model(&stored).Where("link_id = ?", linkID).Scan(ctx); err != nil {
		return dbx.Err(err)
	}
	var sessions []*model.LinkSession
	if err := tx.NewSelect().Model(&sessions).Where("link_id = ?", linkID).Scan(ctx); err != nil {
		return dbx.Err(err)
	}
	counts := breakdownCounts{}
	for _, v := range sessions {
		counts.add(v, 1, 0)
		if v.ConvertedAt != nil {
			counts.add(v, 0, 1)
		}
	}
	for _, row := range stored {
		key := breakdownKey{linkID, row.Dimension, row.Day, row.Value}
		if counted := counts[key]; counted != nil {
			counted.Opens, counted.Converted = max(counted.Opens, row.Opens), max(counted.Converted, row.Converted)
			continue
		}
		counts[key] = row
	}
	if _, err := tx.NewDelete().Model((*breakdownCount)(nil)).Where("link_id = ?", linkID).Exec(ctx); err != nil {
		return dbx.Err(err)
	}
	return counts.store(ctx, tx)
}
