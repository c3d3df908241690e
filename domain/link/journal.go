package link

import (
	"context"
	"encoding/json"
	"log/slog"
	"slices"
	"time"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
)

const (
	// recoverEvery is how often a process looks for batches that another one left behind.
	recoverEvery = 5 * time.Second
	// abandoned is how old a batch of the journal is when its writer must be gone.
	abandoned = 5 * time.Second
)

// journalRow is a batch in the database.
type journalRow struct {
	bun.BaseModel `bun:"table:link_journal"`

	ID        string    `bun:"id,pk"`
	Sessions  string    `bun:"sessions"` // JSON, a list of openings
	CreatedAt time.Time `bun:"created_at"`
}

// note writes a batch to the journal; from then on its sessions are not lost.
func (c *committer) note(ctx context.Context, b *batch) error {
	text, err := json.Marshal(b.openings)
	if err != nil {
		return errs.Wrap(err, errs.Internal, "viewer sessions could not be written down")
	}
	row := &journalRow{ID: b.id, Sessions: string(text), CreatedAt: model.Now()}
	_, err = c.db.NewInsert().Model(row).On("CONFLICT (id) DO NOTHING").Exec(ctx)
	return dbx.Err(err)
}

// store puts the journal's batches where they belong, until there will be no more.
func (c *committer) store(ctx context.Context) {
	for first := range c.journal {
		batches, n := []*batch{first}, len(first.openings)
		for n < batchSize && len(c.journal) > 0 {
			next, ok := <-c.journal
			if !ok {
				break
			}
			batches, n = append(batches, next), n+len(next.openings)
		}
		c.settleBatches(ctx, batches)
		c.stored.Add(int64(n))
	}
}

// settleBatches stores batches, each attempt in one transaction; what stays in the journal after all attempts is found by recover.
func (c *committer) settleBatches(ctx context.Context, batches []*batch) {
	ids, openings := []string{}, []*opening{}
	for _, b := range batches {
		ids, openings = append(ids, b.id), append(openings, b.openings...)
	}
	for {
		err := c.bounded(ctx, func(ctx context.Context) error { return c.commit(ctx, ids, openings) })
		switch {
		case err == nil:
			return
		case errs.Is(err, errs.Unavailable) && ctx.Err() == nil:
			time.Sleep(retryEvery)
			continue
		case errs.Is(err, errs.Unavailable): // the process ends; the journal keeps them
			return
		case len(batches) > 1:
			for _, b := range batches {
				c.settleBatches(ctx, []*batch{b})
			}
			return
		}
		slog.ErrorContext(ctx, "viewer sessions of the journal are stored singly", "batch", ids[0], "error", err)
		c.oneByOne(ctx, openings, err)
		return
	}
}

// recover stores what processes that died have left in the journal, at the start and then every few seconds until the context ends.
func (c *committer) recover(ctx context.Context) {
	for {
		if err := c.recoverOnce(ctx); err != nil && ctx.Err() == nil {
			slog.ErrorContext(ctx, "the journal of viewer sessions could not be read", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(recoverEvery):
		}
	}
}

func (c *committer) recoverOnce(ctx context.Context) error {
	var left []*journalRow
	err := c.db.NewSelect().Model(&left).Where("created_at < ?", model.Now().Add(-abandoned)).Order("id").Limit(100).Scan(ctx)
	if err != nil {
		return dbx.Err(err)
	}
	for _, row := range left {
		b := &batch{id: row.ID}
		if err := json.Unmarshal([]byte(row.Sessions), &b.openings); err != nil {
			return errs.Wrap(err, errs.Internal, "batch %s cannot be read", row.ID)
		}
		for _, o := range b.openings {
			o.told = true
		}
		c.settleBatches(ctx, []*batch{b})
	}
	return nil
}

// commit takes the batches out of the journal and stores the sessions that are new, with their counts and events, in one transaction. It does
// nothing when another process has taken one of the batches, and drops sessions of links that are no more.
func (c *committer) commit(ctx context.Context, batches []string, openings []*opening) error {
	return c.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		if len(batches) > 0 {
			if ours, err := unjournal(ctx, tx, batches); err != nil || !ours {
				return err
			}
		}
		there, err := lockLinks(ctx, c.db, tx, openings)
		if err != nil {
			return err
		}
		openings := slices.DeleteFunc(slices.Clone(openings), func(o *opening) bool { return !there[o.Session.LinkID] })
		if len(openings) == 0 {
			return nil
		}
		fresh, err := insertSessions(ctx, tx, openings)
		if err != nil || len(fresh) == 0 {
			return err
		}
		if err := countOpens(ctx, tx, fresh); err != nil {
			return err
		}
		events := make([]*model.Event, len(fresh))
		for i, o := range fresh {
			events[i] = o.event()
		}
		return c.announce(ctx, tx, events)
	})
}

// errTaken says that one of several batches was stored by another process, so that they must be tried one by one.
var errTaken = errs.New(errs.Conflict, "a batch of the journal is stored already")

// unjournal takes batches out of the journal; it reports false when the only one is gone.
func unjournal(ctx context.Context, tx dbx.Tx, ids []string) (bool, error) {
	result, err := tx.NewDelete().Model((*journalRow)(nil)).Where("id IN ?", bun.Tuple(ids)).Exec(ctx)
	if err != nil {
		return false, dbx.Err(err)
	}
	n, err := result.RowsAffected()
	switch {
	case err != nil:
		return false, dbx.Err(err)
	case int(n) == len(ids):
		return true, nil
	case len(ids) == 1:
		return false, nil
	}
	return false, errTaken
}
