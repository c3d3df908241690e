package document

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/model"
)

// facetSubject begins the subject of the figures of facets.
const facetSubject = "document_facet "

// compareFacets returns the kept counts that differ from the documents. It reads both in one
// statement, so that a concurrent change is in both or in none.
func (s *Service) compareFacets(ctx context.Context, tx dbx.Tx, workspaceID string) ([]*facetChange, error) {
	all := tx.NewSelect().Model((*facetChange)(nil)).Column(countedValue...).
		ColumnExpr("change AS stored, 0 AS counted").Where("workspace_id = ?", workspaceID)
	for _, part := range s.countedValues(tx, workspaceID) {
		all = tx.NewSelect().TableExpr("(? UNION ALL ?) AS part", all, part)
	}
	var rows []*facetChange
	err := tx.NewSelect().TableExpr("(?) AS compared", all).ColumnExpr("? AS workspace_id", workspaceID).
		Column(countedValue...).
		ColumnExpr("CAST(sum(stored) AS bigint) AS stored, CAST(sum(counted) AS bigint) AS counted").
		Group(countedValue...).Having("sum(stored) <> sum(counted)").Order(countedValue...).Scan(ctx, &rows)
	return rows, dbx.Err(err)
}

// countedValues returns queries with one row per document and value, and compareFacets's columns.
func (s *Service) countedValues(tx dbx.Tx, workspaceID string) []*bun.SelectQuery {
	documents := func(facet string) *bun.SelectQuery {
		return tx.NewSelect().TableExpr("document AS d").ColumnExpr("? AS facet", facet).
			Where("d.workspace_id = ?", workspaceID)
	}
	const figures = "? AS is_trial, d.hidden AS is_hidden, 0 AS stored, 1 AS counted"
	parts := []*bun.SelectQuery{
		documents(stateFacet).ColumnExpr("'' AS tag, '' AS value_key, "+stateExpression+" AS value").
			ColumnExpr(figures, Trial("d")),
		documents(tagFacet).Join("JOIN (?) AS applied ON applied.document_id = d.id", s.related.TagValues(workspaceID)).
			ColumnExpr("applied.auto_tag_id AS tag, applied.value_key, applied.extracted_value AS value").
			ColumnExpr(figures, Trial("d")),
	}
	for _, facet := range slices.Sorted(maps.Keys(facetColumns)) {
		column := bun.Ident(facetColumns[facet])
		parts = append(parts, documents(facet).ColumnExpr("'' AS tag, '' AS value_key, d.? AS value", column).
			ColumnExpr(figures, Trial("d")).Where("d.? <> ''", column))
	}
	return parts
}

// facetDifferences returns the figures of kept counts that differ.
func facetDifferences(rows []*facetChange) []*model.CountDifference {
	found := make([]*model.CountDifference, len(rows))
	for i, row := range rows {
		subject := facetSubject + strings.TrimSpace(row.Facet+" "+row.Tag) + " " + row.Value
		if row.IsTrial {
			subject += " (trial texts)"
		}
		if row.IsHidden {
			subject += " (hidden)"
		}
		found[i] = &model.CountDifference{WorkspaceID: row.WorkspaceID, Subject: subject, Stored: row.Stored,
			Counted: row.Counted}
	}
	return found
}

// correctFacets appends the differences to the kept counts.
func correctFacets(ctx context.Context, tx dbx.Tx, rows []*facetChange) error {
	if len(rows) == 0 {
		return nil
	}
	for _, row := range rows {
		row.Change = row.Counted - row.Stored
	}
	_, err := tx.NewInsert().Model(&rows).Exec(ctx)
	return dbx.Err(err)
}
