package passage

import (
	"context"
	"log/slog"
	"time"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
)

const (
	findBatch = 200             // documents whose tasks are enqueued together
	findPause = 5 * time.Minute // between two searches for documents, if the last one found all
	busyPause = 5 * time.Second // otherwise
	// after which a task that was due is enqueued again: its row was deleted, or the queue is longer than that
	lostAfter   = time.Hour
	oftenFailed = 5 // failures from which the task of a set no longer keeps others from being enqueued
)

// Run enqueues tasks for documents without vectors of the embedding model, at first and every five
// minutes, until the context ends. Such a document is older than the model, was embedded with
// another one, or lost its task. Run returns at once without an embedding model.
func (s *Service) Run(ctx context.Context) {
	if s.Embedder == nil {
		return
	}
	for {
		var pause time.Duration
		err := errs.CatchPanic(func() (err error) {
			pause, err = s.backfillNext(ctx)
			return err
		})()
		if err != nil && ctx.Err() == nil {
			slog.WarnContext(ctx, "failed to enqueue the embedding of documents", "error", err)
			pause = findPause
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause):
		}
	}
}

// backfillNext enqueues the tasks of a batch of documents, unless as many are waiting. It returns
// the pause until the next batch.
func (s *Service) backfillNext(ctx context.Context) (time.Duration, error) {
	waiting, err := s.countWaiting(ctx)
	if err != nil || waiting >= findBatch {
		return busyPause, err
	}
	lost := s.DB.Now().Add(-lostAfter)
	docs, err := s.listMissing(ctx, lost)
	if err != nil || len(docs) == 0 {
		return findPause, err
	}
	sets := make([]*model.PassageSet, len(docs))
	for i, doc := range docs {
		sets[i] = s.newSet(doc)
	}
	err = s.DB.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		claimed, err := s.claimSets(ctx, tx, sets, lost)
		if err != nil || len(claimed) == 0 {
			return err
		}
		return s.restartSets(ctx, tx, claimed...)
	})
	if len(docs) < findBatch {
		return findPause, err
	}
	return busyPause, err
}
