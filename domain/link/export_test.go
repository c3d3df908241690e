package link

import (
	"context"
	"time"

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
	StaleTTL       = staleTTL
)

var (
	NewCommitter = newCommitter
	NewOpening   = newPendingSession
	NewSlug      = newSlug
	NewSplitTest = newSplitTest
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

// ExpireTarget lets the cached target of a slug expire, as if it was read that long ago.
func (s *Service) ExpireTarget(slug string, age time.Duration) {
	t, _ := s.targets.GetExpired(slug)
	old := *t
	old.loadedAt = time.Now().Add(-age)
	s.targets.Add(slug, &old)
	s.targets.ExpireAll()
}

// SetLoadTimeout sets how long a target is read.
func (s *Service) SetLoadTimeout(limit time.Duration) { s.loadTimeout = limit }
