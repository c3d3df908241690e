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
	// recoverInterval is how often a process looks for journal rows of stopped processes.
	recoverInterval = 5 * time.Second
	// abandonedAfter is the age at which a journal row's writer is assumed to have stopped.
	abandonedAfter = 5 * time.Second
	// recoverLimit is the largest number of journal rows that are recovered at once.
	recoverLimit = 100
)

// journalRow is a batch in the database.
type journalRow struct {
	bun.BaseModel `bun:"table:link_journal"`

	ID        string    `bun:"id,pk"`
	Sessions  string    `bun:"sessions"` // a JSON array of openings
	CreatedAt time.Time `bun:"created_at"`
}

// insertJournal writes a batch to the journal, after which a crash does not lose its sessions.
func (c *committer) insertJournal(ctx context.Context, b *journalBatch) error {
	text, err := json.Marshal(b.sessions)
	if err != nil {
		return errs.Wrap(err, errs.Internal, "encode viewer sessions for the journal")
	}
	row := &journalRow{ID: b.id, Sessions: string(text), CreatedAt: c.db.Now()}
	if _, err = c.db.NewInsert().Model(row).On("CONFLICT (id) DO NOTHING").Exec(ctx); err != nil {
		return dbx.Err(err)
	}
	for _, o := range b.sessions {
		o.kept = true
	}
	return nil
}

// drainJournal stores journaled batches, several in one transaction, until the channel is closed.
func (c *committer) drainJournal(ctx context.Context) {
	for first := range c.journal {
		batches, n := []*journalBatch{first}, len(first.sessions)
		for n < batchSize && len(c.journal) > 0 {
			next, ok := <-c.journal
			if !ok {
				break
			}
			batches, n = append(batches, next), n+len(next.sessions)
		}
		c.storeJournaled(ctx, batches)
		c.flushed.Add(int64(n))
	}
}

// storeJournaled stores batches in one transaction; if that is rejected, one by one. A single
// rejected batch is split by storeOrSplit and its journal row deleted. If the process stops first
// or the database is busy, the rows stay for recoverJournal.
func (c *committer) storeJournaled(ctx context.Context, batches []*journalBatch) {
	var ids []string
	var openings []*pendingSession
	for _, b := range batches {
		ids, openings = append(ids, b.id), append(openings, b.sessions...)
	}
	err := c.storeBatch(ctx, ids, openings)
	switch {
	case err == nil || stopped(err):
		return
	case len(batches) > 1:
		for _, b := range batches {
			c.storeJournaled(ctx, []*journalBatch{b})
		}
		return
	}
	slog.WarnContext(ctx, "a batch of viewer sessions is split because the database rejects it", "batch", ids[0],
		"sessions", len(openings), "error", err)
	if err := c.storeOrSplit(ctx, openings); err != nil {
		return
	}
	c.discardJournal(ctx, ids[0])
}

// discardJournal deletes a journal row and logs a failure. recoverJournal then processes the row
// again.
func (c *committer) discardJournal(ctx context.Context, id string) {
	err := c.retryWhileUnavailable(ctx, nil, func(ctx context.Context) error { return c.deleteJournal(ctx, id) })
	if err != nil {
		slog.ErrorContext(ctx, "delete a batch of viewer sessions from the journal", "batch", id, "error", err)
	}
}

func (c *committer) deleteJournal(ctx context.Context, id string) error {
	_, err := c.db.NewDelete().Model((*journalRow)(nil)).Where("id = ?", id).Exec(ctx)
	return dbx.Err(err)
}

// recoverPeriodically stores the journal rows of stopped processes, at once and then every
// recoverInterval.
func (c *committer) recoverPeriodically(ctx context.Context) {
	for {
		if err := c.recoverJournal(ctx); err != nil && ctx.Err() == nil {
			slog.ErrorContext(ctx, "read the journal of viewer sessions", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(recoverInterval):
		}
	}
}

// recoverJournal stores abandoned journal rows, the oldest first. It logs and deletes a row that
// cannot be decoded, so that it does not block the rows after it.
func (c *committer) recoverJournal(ctx context.Context) error {
	var rows []*journalRow
	err := c.db.NewSelect().Model(&rows).Where("created_at < ?", c.db.Now().Add(-abandonedAfter)).Order("id").
		Limit(recoverLimit).Scan(ctx)
	if err != nil {
		return dbx.Err(err)
	}
	for _, row := range rows {
		sessions, err := decodeSessions([]byte(row.Sessions))
		if err != nil {
			slog.ErrorContext(ctx, "a batch of viewer sessions is discarded because it cannot be decoded", "batch",
				row.ID, "bytes", len(row.Sessions), "error", err)
			c.discardJournal(ctx, row.ID)
			continue
		}
		c.storeJournaled(ctx, []*journalBatch{{id: row.ID, sessions: sessions}})
	}
	return nil
}

// decodeSessions returns the sessions of a journal row or a file, for which no viewer waits.
func decodeSessions(text []byte) (sessions []*pendingSession, err error) {
	err = json.Unmarshal(text, &sessions)
	for _, o := range sessions {
		o.closed, o.kept = true, true
	}
	return sessions, err
}

// commit stores new sessions with their counts and events, and deletes their journal rows, in one
// transaction. It skips sessions of deleted links. If another process has stored the only journal
// row, it changes nothing; if another has stored one of several, it returns a conflict.
func (c *committer) commit(ctx context.Context, journalIDs []string, openings []*pendingSession) error {
	return c.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		insert := insertMissing
		if len(journalIDs) > 0 {
			insert = insertJournaled
			if ours, err := claimJournal(ctx, tx, journalIDs); err != nil || !ours {
				return err
			}
		}
		existing, err := lockSessionLinks(ctx, c.db, tx, openings)
		if err != nil {
			return err
		}
		openings := slices.DeleteFunc(slices.Clone(openings),
			func(o *pendingSession) bool { return !existing[o.Session.LinkID] })
		if len(openings) == 0 {
			return nil
		}
		added, err := insert(ctx, tx, openings)
		if err != nil || len(added) == 0 {
			return err
		}
		if err := countOpens(ctx, tx, added); err != nil {
			return err
		}
		events := make([]*model.Event, len(added))
		for i, o := range added {
			events[i] = o.event()
		}
		return c.appendEvents(ctx, tx, events)
	})
}

// errAlreadyStored reports that another process has stored one of several batches. Each must then
// be stored by itself.
var errAlreadyStored = errs.New(errs.Conflict, "another process has stored a batch of the journal")

// claimJournal deletes journal rows. If some are deleted already, it reports false for a single row
// and returns errAlreadyStored for several.
func claimJournal(ctx context.Context, tx dbx.Tx, ids []string) (bool, error) {
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
	return false, errAlreadyStored
}
