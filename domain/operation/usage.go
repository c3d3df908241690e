package operation

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/model"
)

// countedOperations is the number of operations that are counted between two writes; further ones
// are not.
const countedOperations = 10_000

// usageBatch is the number of rows that one statement changes.
const usageBatch = 500

// usageRow is the number of requests of an operation that are not stored yet.
type usageRow struct {
	ID       string    `bun:"id"`
	Requests int64     `bun:"requests"`
	At       time.Time `bun:"at"`
}

// usageCounter counts requests. It is safe for concurrent use.
type usageCounter struct {
	mu   sync.Mutex
	rows map[string]*usageRow // by operation
}

// count counts a request.
func (c *usageCounter) count(id string) { c.add(&usageRow{id, 1, model.Now()}) }

// add adds counts to the ones not stored yet.
func (c *usageCounter) add(rows ...*usageRow) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.rows == nil {
		c.rows = map[string]*usageRow{}
	}
	for _, row := range rows {
		switch counted := c.rows[row.ID]; {
		case counted != nil:
			counted.Requests += row.Requests
			if row.At.After(counted.At) {
				counted.At = row.At
			}
		case len(c.rows) < countedOperations:
			c.rows[row.ID] = row
		}
	}
}

// take returns the counts in the order in which all processes lock rows, and starts again at zero.
func (c *usageCounter) take() []*usageRow {
	c.mu.Lock()
	defer c.mu.Unlock()
	rows := make([]*usageRow, 0, len(c.rows))
	for _, id := range slices.Sorted(maps.Keys(c.rows)) {
		rows = append(rows, c.rows[id])
	}
	clear(c.rows)
	return rows
}

// storeUsage adds the counts to the rows. After an error those that are not stored are kept for the
// next call; those of removed operations are dropped.
func (s *Service) storeUsage(ctx context.Context) error {
	rows := s.usage.take()
	for len(rows) > 0 {
		batch := rows[:min(len(rows), usageBatch)]
		err := s.DB.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error { return s.addRequests(ctx, tx, batch) })
		if err != nil {
			s.usage.add(rows...)
			return fmt.Errorf("store counts of operations: %w", err)
		}
		rows = rows[len(batch):]
	}
	return nil
}

func (s *Service) addRequests(ctx context.Context, tx dbx.Tx, rows []*usageRow) error {
	ids := make([]string, len(rows))
	for i, row := range rows {
		ids[i] = row.ID
	}
	var locked []string
	err := s.DB.ForUpdate(tx.NewSelect().Model((*model.RegisteredOperation)(nil)).Column("id").
		Where("id IN (?)", bun.List(ids)).Order("id")).Scan(ctx, &locked)
	if err != nil {
		return dbx.Err(err)
	}
	_, err = tx.NewUpdate().With("counted", tx.NewValues(&rows)).Model((*model.RegisteredOperation)(nil)).
		TableExpr("counted").Set("requests = registered_operation.requests + counted.requests").
		Set("last_used_at = counted.at").Where("registered_operation.id = counted.id").Exec(ctx)
	return dbx.Err(err)
}
