package account

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"rostrum/dbx"
	"rostrum/model"
	"rostrum/model/optional"
	"rostrum/platform/principal"
)

const (
	usageInterval = 5 * time.Second // between two writes of the counts
	maxCountedUse = 10_000          // pairs of key and field that are counted between two writes; further ones are not
	usageFlush    = 3 * time.Second // time of the last write, when the process stops
)

// usageCounter counts the requests of keys for deprecated fields. It is safe for concurrent use.
type usageCounter struct {
	mu     sync.Mutex
	counts map[usedField]*model.KeyUsage
}

// usedField is a deprecated field and the key that requested it.
type usedField struct{ keyID, field string }

// addRows adds counts to the ones not stored yet.
func (c *usageCounter) addRows(rows ...*model.KeyUsage) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.counts == nil {
		c.counts = map[usedField]*model.KeyUsage{}
	}
	for _, row := range rows {
		at := usedField{row.KeyID, row.Field}
		switch counted := c.counts[at]; {
		case counted != nil:
			counted.Requests += row.Requests
			counted.LastUsedAt = row.LastUsedAt
		case len(c.counts) < maxCountedUse:
			c.counts[at] = row
		}
	}
}

// takeRows returns the counts and starts again at zero. It sorts them by primary key, the order in
// which all processes lock rows.
func (c *usageCounter) takeRows() []*model.KeyUsage {
	c.mu.Lock()
	defer c.mu.Unlock()
	rows := slices.SortedFunc(maps.Values(c.counts), func(x, y *model.KeyUsage) int {
		return cmp.Or(cmp.Compare(x.KeyID, y.KeyID), cmp.Compare(x.Field, y.Field))
	})
	clear(c.counts)
	return rows
}

// CountUsage counts a request of the context's key for deprecated fields, but no request of a
// session. Run stores the counts every 5 seconds; a killed process loses the last ones.
func (s *Service) CountUsage(ctx context.Context, fields []string) {
	p, err := principal.From(ctx)
	if err != nil || p.KeyID == "" {
		return
	}
	for _, field := range fields {
		s.usage.addRows(&model.KeyUsage{WorkspaceID: p.WorkspaceID, KeyID: p.KeyID, Field: field, Requests: 1,
			LastUsedAt: model.Now()})
	}
}

// storeUsage adds the counts to the table. After an error they are kept for the next call.
func (s *Service) storeUsage(ctx context.Context) error {
	rows := s.usage.takeRows()
	for len(rows) > 0 {
		batch := rows[:min(len(rows), usageBatch)]
		_, err := s.db.NewInsert().Model(&batch).On("CONFLICT (key_id, field) DO UPDATE").
			Set("requests = key_usage.requests + EXCLUDED.requests, last_used_at = EXCLUDED.last_used_at").Exec(ctx)
		if err != nil {
			s.usage.addRows(rows...)
			return fmt.Errorf("store key usage: %w", dbx.Err(err))
		}
		rows = rows[len(batch):]
	}
	return nil
}

// usageBatch is the number of rows that one statement stores.
const usageBatch = 500

// storeLastUsage stores the remaining counts of a process that stops.
func (s *Service) storeLastUsage(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), usageFlush)
	defer cancel()
	return s.storeUsage(ctx)
}

// usagePage is the default number of rows that KeyUsage returns.
const usagePage = 50

// KeyUsage returns the deprecated fields that the workspace's keys requested, latest first.
func (s *Service) KeyUsage(ctx context.Context, limit *int) ([]*model.KeyUsage, error) {
	rows := []*model.KeyUsage{}
	err := s.db.NewSelect().Model(&rows).Where("workspace_id = ?", principal.Must(ctx).WorkspaceID).
		Order("last_used_at DESC", "key_id", "field").Limit(int64(optional.ValueOr(limit, usagePage))).Scan(ctx)
	return rows, dbx.Err(err)
}
