package link

import (
	"context"

	"rostrum/dbx"
	"rostrum/model"
)

// Parts of the committer for tests that need a database.
type (
	Committer  = committer
	Opening    = pendingSession
	JournalRow = journalRow
)

const (
	AbandonedAfter = abandonedAfter
)

var (
	NewCommitter = newCommitter
	NewOpening   = newPendingSession
	NewSlug      = newSlug
)

func NewBatch(openings []*Opening) *journalBatch {
	return &journalBatch{id: model.NewID("jnl"), sessions: openings}
}

func (c *committer) DB() *dbx.DB                                      { return c.db }
func (c *committer) Run(ctx context.Context)                          { c.run(ctx) }
func (c *committer) Submit(ctx context.Context, o *Opening)           { c.submit(ctx, o) }
func (c *committer) WaitForFlush(ctx context.Context)                 { c.waitForFlush(ctx) }
func (c *committer) Commit(ctx context.Context, all []*Opening) error { return c.commit(ctx, nil, all) }
func (c *committer) InsertJournal(ctx context.Context, b *journalBatch) error {
	return c.insertJournal(ctx, b)
}
func (c *committer) RecoverJournal(ctx context.Context) error { return c.recoverJournal(ctx) }
func (c *committer) StoreJournaled(ctx context.Context, all ...*journalBatch) {
	c.storeJournaled(ctx, all)
}
func (c *committer) Unavailable() bool { return c.unavailable.Load() }

// ExpireTargets lets the cached targets expire.
func (s *Service) ExpireTargets() { s.targets.ExpireAll() }
