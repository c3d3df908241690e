package link

import (
	"context"

	"rostrum/dbx"
	"rostrum/model"
)

// The committer's parts, for tests that need a database.
type (
	Committer  = committer
	Opening    = opening
	JournalRow = journalRow
)

const (
	CommitTime = commitTime
	Abandoned  = abandoned
)

var (
	NewCommitter = newCommitter
	NewOpening   = newOpening
	NewSlug      = newSlug
)

func NewBatch(openings []*Opening) *batch { return &batch{id: model.NewID("jnl"), openings: openings} }

func (c *committer) DB() *dbx.DB                                      { return c.db }
func (c *committer) Run(ctx context.Context)                          { c.run(ctx) }
func (c *committer) Wait(ctx context.Context, o *Opening)             { c.wait(ctx, o) }
func (c *committer) Settle(ctx context.Context)                       { c.settle(ctx) }
func (c *committer) Commit(ctx context.Context, all []*Opening) error { return c.commit(ctx, nil, all) }
func (c *committer) Note(ctx context.Context, b *batch) error         { return c.note(ctx, b) }
func (c *committer) Recover(ctx context.Context) error                { return c.recoverOnce(ctx) }
func (c *committer) Store(ctx context.Context, all ...*batch)         { c.settleBatches(ctx, all) }
func (c *committer) Down() bool                                       { return c.down.Load() }
