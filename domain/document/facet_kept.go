package document

import (
	"context"
	"sync"
	"time"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/schema"

	"rostrum/dbx"
	"rostrum/platform/periodic"
)

// facetChange is a row of the counts that triggers keep. It changes the number of documents with a
// value of a facet, for example by 1 for a new document in English. Trial texts and hidden
// documents are counted separately. The number is the sum of its changes.
type facetChange struct {
	bun.BaseModel `bun:"table:document_facet"`

	WorkspaceID string `bun:"workspace_id"`
	Facet       string `bun:"facet"`
	Tag         string `bun:"tag"`       // the auto-tag, else empty
	ValueKey    string `bun:"value_key"` // of the auto-tag's value, else empty
	Value       string `bun:"value"`
	IsTrial     bool   `bun:"is_trial"`
	IsHidden    bool   `bun:"is_hidden"`
	IsSum       bool   `bun:"is_sum"` // of earlier changes
	Change      int    `bun:"change"`

	Stored  int `bun:"stored,scanonly"`  // the kept number
	Counted int `bun:"counted,scanonly"` // the number of documents
}

// countedValue are the columns that identify a number. Spellings are counted separately and merged
// on read, so a spelling no longer in use disappears.
var countedValue = []string{"facet", "tag", "value_key", "value", "is_trial", "is_hidden"}

// keptQuery returns a query of the kept counts of the named facets in a scope, with facetQuery's
// columns.
func (s *Service) keptQuery(workspaceID string, facets []string, scope facetScope) *bun.SelectQuery {
	values := s.db.NewSelect().Model((*facetChange)(nil)).Column("facet", "tag", "value_key", "value").
		ColumnExpr("sum(change) AS total").
		Where("workspace_id = ? AND facet IN ?", workspaceID, bun.Tuple(facets)).
		Group("facet", "tag", "value_key", "value").Having("sum(change) > 0")
	if scope.counts != "" {
		values = values.Where(scope.counts)
	}
	return s.db.NewSelect().TableExpr("(?) AS kept", values).
		ColumnExpr("facet, tag, max(value) AS value, CAST(sum(total) AS bigint) AS total").
		GroupExpr("facet, tag, CASE WHEN facet = ? THEN value_key ELSE lower(value) END", tagFacet)
}

const (
	foldPause   = 15 * time.Second // between two searches for workspaces with many changes
	foldMinimum = 500              // changes of a workspace
	foldBatch   = 2000             // changes that one transaction replaces
)

// Run replaces changes of facets' counts by their sums, so that few rows are read, until the
// context ends. Several processes may run it at the same time. Errors are logged.
func (s *Service) Run(ctx context.Context) {
	var others sync.WaitGroup
	others.Go(func() { s.runIndex(ctx) })
	others.Go(func() { s.runPurge(ctx) })
	others.Go(func() { s.sweepPeriodically(ctx) })
	defer others.Wait()
	periodic.Now(ctx, foldPause, "add up the counts of facets", func(ctx context.Context) error {
		return s.FoldFacets(ctx, foldMinimum)
	})
}

// FoldFacets replaces the changes of each workspace with at least minimum of them, 2,000 in a
// transaction. It deletes the rows of deleted workspaces.
func (s *Service) FoldFacets(ctx context.Context, minimum int) error {
	var found []struct {
		WorkspaceID string
		Changes     int
		IsDeleted   bool
	}
	rows := s.db.NewSelect().Model((*facetChange)(nil)).Column("workspace_id").
		ColumnExpr("sum(CASE WHEN is_sum THEN 0 ELSE 1 END) AS changes").Group("workspace_id")
	err := s.db.NewSelect().TableExpr("(?) AS counted", rows).
		Join("LEFT JOIN workspace AS w ON w.id = counted.workspace_id").
		ColumnExpr("counted.workspace_id, counted.changes, w.id IS NULL AS is_deleted").
		Where("counted.changes >= ? OR w.id IS NULL", minimum).Scan(ctx, &found)
	if err != nil {
		return dbx.Err(err)
	}
	for _, w := range found {
		if w.IsDeleted { // while its changes were replaced
			if _, err := s.db.NewDelete().Model((*facetChange)(nil)).Where("workspace_id = ?", w.WorkspaceID).
				Exec(ctx); err != nil {
				return dbx.Err(err)
			}
			continue
		}
		if err := s.foldWorkspace(ctx, w.WorkspaceID, w.Changes); err != nil {
			return err
		}
	}
	return nil
}

// foldWorkspace replaces a number of changes of a workspace, the oldest first.
func (s *Service) foldWorkspace(ctx context.Context, workspaceID string, changes int) error {
	for after := int64(0); changes > 0; {
		rows, err := s.foldChanges(ctx, workspaceID, after)
		if err != nil || len(rows) == 0 {
			return err
		}
		changes, after = changes-len(rows), rows[len(rows)-1]
	}
	return nil
}

// foldChanges replaces a batch of changes after a position, and earlier sums of the same values, by
// their sums. It returns the positions of the changes. It skips rows that another process is
// replacing, so that neither waits and each row is added once. The position keeps the server from
// reading what earlier batches deleted.
func (s *Service) foldChanges(ctx context.Context, workspaceID string, after int64) (changes []int64, err error) {
	err = s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		locked := func() *bun.SelectQuery {
			return s.db.ForUpdateSkipLocked(tx.NewSelect().Table("document_facet").Column("seq").
				Where("workspace_id = ?", workspaceID))
		}
		err := locked().Where("NOT is_sum AND seq > ?", after).Order("seq").Limit(foldBatch).Scan(ctx, &changes)
		if err != nil || len(changes) == 0 {
			return dbx.Err(err)
		}
		// The range keeps the server from reading the whole table for a long list of positions.
		batch := bun.SafeQuery("workspace_id = ? AND NOT is_sum AND seq BETWEEN ? AND ? AND seq IN ?", workspaceID,
			changes[0], changes[len(changes)-1], bun.Tuple(changes))
		changed := tx.NewSelect().Table("document_facet").Column(countedValue...).Where("?", batch)
		var sums []int64
		err = locked().Where("is_sum AND (facet, tag, value_key, value, is_trial, is_hidden) IN (?)", changed).
			Scan(ctx, &sums)
		if err != nil {
			return dbx.Err(err)
		}
		// no row has the position 0
		return replaceWithSums(ctx, tx, batch, bun.SafeQuery("workspace_id = ? AND is_sum AND seq IN ?", workspaceID,
			bun.Tuple(append(sums, 0))))
	})
	return changes, err
}

// replaceWithSums replaces the rows of the conditions by their sums. The transaction must have
// locked them.
func replaceWithSums(ctx context.Context, tx dbx.Tx, conditions ...schema.QueryWithArgs) error {
	rows := func(condition schema.QueryWithArgs) *bun.SelectQuery {
		return tx.NewSelect().Table("document_facet").Column("workspace_id").Column(countedValue...).Column("change").
			Where("?", condition)
	}
	all := rows(conditions[0])
	for _, condition := range conditions[1:] {
		all = tx.NewSelect().TableExpr("(? UNION ALL ?) AS part", all, rows(condition))
	}
	sums := tx.NewSelect().TableExpr("(?) AS replaced", all).Column("workspace_id").Column(countedValue...).
		ColumnExpr("TRUE, sum(change)").
		Group("workspace_id").Group(countedValue...).Having("sum(change) <> 0")
	_, err := tx.NewRaw("INSERT INTO document_facet (workspace_id, facet, tag, value_key, value, is_trial, is_hidden, is_sum, change) ?", sums).Exec(ctx)
	if err != nil {
		return dbx.Err(err)
	}
	for _, condition := range conditions {
		if _, err := tx.NewDelete().Model((*facetChange)(nil)).Where("?", condition).Exec(ctx); err != nil {
			return dbx.Err(err)
		}
	}
	return nil
}
