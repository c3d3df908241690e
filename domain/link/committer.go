package link

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/model/eventviewer"
)

const (
	// writerCount is the number of goroutines that write new sessions. With several, the next batch
	// is sent while a commit reaches the disk.
	writerCount = 4
	// directBatchSize is the largest number of sessions that are stored without the journal.
	directBatchSize = 64
	// batchSize is the largest number of sessions in one transaction.
	batchSize = 500
	// queueSize limits the sessions that wait to be written, and the journaled sessions that wait
	// to be stored.
	queueSize = 50_000
	// commitTimeout limits one transaction, and how long a viewer waits for it.
	commitTimeout = 3 * time.Second
	// retryInterval is the time between two attempts.
	retryInterval = 250 * time.Millisecond
	// maxAttempts is how often a single session is tried against a database that rejects it. It is
	// then discarded.
	maxAttempts = 3
	// maxBusy is the age at which a session is discarded that a reachable database never stored in
	// time.
	maxBusy = 24 * time.Hour
	// flushTimeout limits waitForFlush.
	flushTimeout = time.Second
)

// pendingSession is a new session that is not stored yet.
type pendingSession struct {
	Session  *model.LinkSession
	Link     *model.LinkSummary
	released chan struct{} // closed when the viewer need not wait any longer
	closed   bool          // released is closed, or unused because the session comes from the journal or a file
	kept     bool          // the journal or a file has the session
}

func newPendingSession(v *model.LinkSession, link *model.LinkSummary) *pendingSession {
	return &pendingSession{Session: v, Link: link, released: make(chan struct{})}
}

func (o *pendingSession) event() *model.Event {
	v := o.Session
	viewer := eventviewer.Opened{Country: v.Country, City: v.City, Device: string(v.Device), Browser: v.Browser,
		OS: v.OS, Referrer: v.Referrer, SessionID: v.ID}
	return newEvent(model.EventLinkOpened, v.WorkspaceID, v.ID, o.Link, viewer, v.OpenedAt)
}

// isOld reports whether the session has waited for the database for maxBusy.
func (o *pendingSession) isOld(now time.Time) bool { return now.Sub(o.Session.OpenedAt) > maxBusy }

func newEvent(kind, workspaceID, subjectID string, link *model.LinkSummary, viewer any, at time.Time) *model.Event {
	text, _ := json.Marshal(viewer) //nolint:errchkjson // strings, times and values decoded from JSON
	return &model.Event{
		ID: model.NewID(model.EventPrefix), WorkspaceID: workspaceID, Event: kind, SubjectID: &subjectID,
		LinkID: &link.ID, Link: link, Viewer: text, Timestamp: at,
	}
}

// committer writes the new sessions of all requests of the process. It stores a small batch at
// once: sessions, counts and events in one transaction.
//
// A large batch is first written to the journal, as one row, and its viewers continue. One
// goroutine stores the journaled batches in order. The transaction that stores a batch deletes its
// journal row, so each session is stored once: by this process or, after a crash, by another.
//
// While the database is unavailable, sessions are written to files and viewers do not wait. Any
// process stores the files later. If files fail too, up to 50,000 sessions stay in memory and are
// retried.
//
// If a reachable database rejects a session, its batch is split until the session is alone. It is
// tried maxAttempts times, logged and discarded. A session that is not stored in time is retried
// for maxBusy, for example because another process holds the lock of its link.
type committer struct {
	db           *dbx.DB
	appendEvents AppendEvents
	outages      sessionFolder
	queue        chan *pendingSession
	journal      chan *journalBatch
	journaled    atomic.Int64 // sessions that were journaled
	flushed      atomic.Int64 // journaled sessions that were stored or discarded since
	unavailable  atomic.Bool
	unkept       atomic.Bool  // the last file could not be written
	dropped      atomic.Int64 // sessions that found the queue full
}

// journalBatch holds the sessions of one journal row.
type journalBatch struct {
	id       string
	sessions []*pendingSession
}

// newCommitter returns a committer. Sessions are written to folder while the database is
// unavailable.
func newCommitter(db *dbx.DB, appendEvents AppendEvents, folder string) *committer {
	return &committer{
		db: db, appendEvents: appendEvents, outages: sessionFolder(folder),
		queue: make(chan *pendingSession, queueSize), journal: make(chan *journalBatch, queueSize/directBatchSize),
	}
}

// submit queues a session and blocks until it is written to the database or a file, or neither is
// possible. It returns early after commitTimeout or when the context ends.
func (c *committer) submit(ctx context.Context, o *pendingSession) {
	select {
	case c.queue <- o:
	default:
		if c.dropped.Add(1) == 1 {
			slog.ErrorContext(ctx, "the queue of viewer sessions is full; sessions are dropped")
		}
		return
	}
	if c.unavailable.Load() && c.unkept.Load() {
		return
	}
	timeout := time.NewTimer(commitTimeout)
	defer timeout.Stop()
	select {
	case <-o.released:
	case <-timeout.C:
	case <-ctx.Done():
	}
}

// waitForFlush waits up to 1 s for journaled sessions to be stored, so that clients read their own
// writes.
func (c *committer) waitForFlush(ctx context.Context) {
	journaled := c.journaled.Load()
	for deadline := time.Now().Add(flushTimeout); c.flushed.Load() < journaled && ctx.Err() == nil &&
		time.Now().Before(deadline); {
		time.Sleep(time.Millisecond)
	}
}

// run writes sessions until the context ends, and then the sessions that are still queued.
func (c *committer) run(ctx context.Context) {
	var writers, journalReaders sync.WaitGroup
	for range writerCount {
		writers.Go(func() { c.writeQueue(ctx) })
	}
	journalReaders.Go(func() { c.drainJournal(ctx) })
	journalReaders.Go(func() { c.recoverPeriodically(ctx) })
	journalReaders.Go(func() { c.storeFilesPeriodically(ctx) })
	writers.Wait()
	close(c.journal)
	journalReaders.Wait()
	c.storeFiles(ctx)
}

// writeQueue writes queued sessions until the context ends and the queue is empty.
func (c *committer) writeQueue(ctx context.Context) {
	for {
		select {
		case first := <-c.queue:
			c.writeBatch(ctx, collectBatch(c.queue, first))
		case <-ctx.Done():
			select {
			case first := <-c.queue:
				c.writeBatch(ctx, collectBatch(c.queue, first))
			default:
				return
			}
		}
	}
}

// collectBatch returns the first session and the ones already queued, batchSize at most.
func collectBatch(queue <-chan *pendingSession, first *pendingSession) []*pendingSession {
	openings := []*pendingSession{first}
	for len(openings) < batchSize {
		select {
		case o := <-queue:
			openings = append(openings, o)
		default:
			return openings
		}
	}
	return openings
}

// writeBatch stores a small batch directly and journals a large one. While the database is
// unavailable it writes a file. Viewers wait for the first attempt only.
func (c *committer) writeBatch(ctx context.Context, openings []*pendingSession) {
	if c.unavailable.Load() && c.keep(ctx, openings) {
		releaseViewers(openings)
		return
	}
	if len(openings) > directBatchSize || c.journaled.Load() != c.flushed.Load() {
		b := &journalBatch{id: model.NewID("jnl"), sessions: openings}
		c.journaled.Add(int64(len(openings)))
		err := c.retryWhileUnavailable(ctx, openings,
			func(ctx context.Context) error { return c.insertJournal(ctx, b) })
		if err == nil {
			c.journal <- b
			return
		}
		defer c.flushed.Add(int64(len(openings)))
		if errors.Is(err, errKept) {
			return
		}
	}
	if err := c.storeOrSplit(ctx, openings); err != nil && !errors.Is(err, errKept) {
		slog.ErrorContext(ctx, "viewer sessions are lost because the process stops while the database is unavailable",
			"sessions", len(openings), "error", err)
	}
}

// storeOrSplit stores sessions in one transaction. If a reachable database rejects several, it
// stores each half separately, down to a single session. A rejected single session is logged and
// discarded after maxAttempts.
//
// It returns errKept if a file has the sessions, and errBusy if their file or journal row must
// stay. It returns errs.Unavailable if the process stops first. Storing the same sessions again is
// safe.
func (c *committer) storeOrSplit(ctx context.Context, openings []*pendingSession) error {
	err := c.storeBatch(ctx, nil, openings)
	for attempt := 1; err != nil && len(openings) == 1 && attempt < maxAttempts && !stopped(err) &&
		!errors.Is(err, errBusy); attempt++ {
		pause(ctx)
		err = c.storeBatch(ctx, nil, openings)
	}
	switch {
	case err == nil || stopped(err):
		return err
	case len(openings) == 1 && errors.Is(err, errBusy) && !openings[0].isOld(c.db.Now()):
		return err
	case len(openings) == 1:
		slog.ErrorContext(ctx, "a viewer session is discarded because the database rejects it",
			"session", openings[0].Session.ID, "link", openings[0].Session.LinkID, "error", err)
		return nil
	}
	middle := len(openings) / 2
	if err := c.storeOrSplit(ctx, openings[:middle]); err != nil {
		return err
	}
	return c.storeOrSplit(ctx, openings[middle:])
}

// storeBatch stores sessions in one transaction and deletes their journal rows. It retries while
// the database is unavailable.
func (c *committer) storeBatch(ctx context.Context, journalIDs []string, openings []*pendingSession) error {
	return c.retryWhileUnavailable(ctx, openings, func(ctx context.Context) error {
		return c.commit(ctx, journalIDs, openings)
	})
}

// retryWhileUnavailable repeats an attempt until it succeeds or a reachable database rejects it,
// and returns the attempt's error. Viewers are released after the first attempt. It returns errKept
// if the sessions were written to a file, and errs.Unavailable only if the context ends first. It
// returns errBusy for a timeout while the database accepts other writes, unless only memory has the
// session.
func (c *committer) retryWhileUnavailable(ctx context.Context, openings []*pendingSession,
	attempt func(context.Context) error) error {
	for {
		err := withCommitTimeout(ctx, attempt)
		kept := errs.Is(err, errs.Unavailable) && c.keep(ctx, openings)
		releaseViewers(openings)
		switch {
		case err == nil:
			c.reportAvailable(ctx)
			return nil
		case !errs.Is(err, errs.Unavailable):
			return err
		}
		if !c.unavailable.Swap(true) {
			slog.WarnContext(ctx, "viewer sessions wait for the database", "error", err)
		}
		switch {
		case kept:
			return errKept
		case !c.onlyInMemory(openings) && withCommitTimeout(ctx, c.checkWritable) == nil:
			return fmt.Errorf("%w: %w", errBusy, err)
		case ctx.Err() != nil:
			return err
		}
		pause(ctx)
	}
}

// onlyInMemory reports whether there is one session, only memory has it, and it is young enough to
// be retried.
func (c *committer) onlyInMemory(openings []*pendingSession) bool {
	return len(openings) == 1 && !openings[0].kept && !openings[0].isOld(c.db.Now())
}

// errBusy reports that a reachable database did not store the sessions in time.
var errBusy = errs.New(errs.Internal, "the database is reachable and did not store the viewer sessions in time")

// errKept reports that sessions were written to a file, which storeFiles stores later.
var errKept = errs.New(errs.Unavailable, "the viewer sessions are in a file until the database is available")

// reportAvailable lets further sessions be written to the database.
func (c *committer) reportAvailable(ctx context.Context) {
	if c.unavailable.Swap(false) {
		slog.InfoContext(ctx, "viewer sessions are written again", "dropped", c.dropped.Swap(0))
	}
}

// checkWritable returns an error unless the database accepts a write.
func (c *committer) checkWritable(ctx context.Context) error {
	return c.deleteJournal(ctx, "")
}

// stopped reports whether retryWhileUnavailable ended because the process stops in an outage.
func stopped(err error) bool { return errs.Is(err, errs.Unavailable) }

// pause blocks for retryInterval or until the context ends.
func pause(ctx context.Context) {
	select {
	case <-ctx.Done():
	case <-time.After(retryInterval):
	}
}

// withCommitTimeout limits an attempt to commitTimeout; the end of ctx does not interrupt it.
func withCommitTimeout(ctx context.Context, attempt func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), commitTimeout)
	defer cancel()
	return attempt(ctx)
}

func releaseViewers(openings []*pendingSession) {
	for _, o := range openings {
		if !o.closed {
			close(o.released)
			o.closed = true
		}
	}
}
