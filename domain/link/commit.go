package link

import (
	"context"
	"encoding/json"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
)

const (
	// writers gather sessions at the same time, so that the next ones are on their way while a commit reaches the disk.
	writers = 4
	// directBatch is how many sessions are stored at once where no others wait; more go through the journal.
	directBatch = 64
	// batchSize is how many sessions one transaction takes.
	batchSize = 500
	// queued is how many sessions may wait to be written, and how many may be journalled and not yet stored.
	queued = 50_000
	// commitTime bounds one transaction, and how long a viewer waits for it.
	commitTime = 3 * time.Second
	// retryEvery is how often what could not be written is tried again.
	retryEvery = 250 * time.Millisecond
)

// opening is a new session on its way into the database.
type opening struct {
	Session *model.LinkSession
	Link    *model.LinkSummary
	written chan struct{} // closed when the viewer need not wait any longer
	told    bool          // it is closed, or nobody waits: the session comes from the journal
}

func newOpening(v *model.LinkSession, link *model.LinkSummary) *opening {
	return &opening{Session: v, Link: link, written: make(chan struct{})}
}

func (o *opening) event() *model.Event {
	v := o.Session
	viewer := model.OpenedViewer{Country: v.Country, City: v.City, Device: v.Device, Browser: v.Browser, OS: v.OS, Referrer: v.Referrer}
	return newEvent(model.EventLinkOpened, v.WorkspaceID, o.Link, viewer, v.OpenedAt)
}

func newEvent(kind, workspaceID string, link *model.LinkSummary, viewer any, at time.Time) *model.Event {
	text, _ := json.Marshal(viewer) //nolint:errchkjson // texts, times and what was JSON before
	return &model.Event{
		ID: model.NewID(model.EventPrefix), WorkspaceID: workspaceID, Event: kind, LinkID: &link.ID, Link: link, Viewer: text, Timestamp: at,
	}
}

// committer writes new sessions for all requests of the process. Few at a time are stored at once: the session, its count and its event
// in one transaction for all that came during the one before. When more come than that takes, a batch is first written to a journal,
// one row and one statement for any number of sessions; then its viewers go on, and the rows behind them are stored in the order of the
// journal by one goroutine. A batch leaves the journal in the transaction that stores it, so that each session is stored once whoever does it, this
// process or, when it died, another. While the database is down viewers do not wait: their sessions are kept in memory, 50,000
// at most, and a process that dies meanwhile loses them.
type committer struct {
	db       *dbx.DB
	announce Announce
	queue    chan *opening
	journal  chan *batch
	taken    atomic.Int64 // sessions that were journalled
	stored   atomic.Int64 // those of them that are stored since
	down     atomic.Bool
	lost     atomic.Int64
}

// batch is what one row of the journal holds.
type batch struct {
	id       string
	openings []*opening
}

func newCommitter(db *dbx.DB, announce Announce) *committer {
	return &committer{db: db, announce: announce, queue: make(chan *opening, queued), journal: make(chan *batch, queued/directBatch)}
}

// wait has a session written and returns when it is, or when the viewer should wait no longer.
func (c *committer) wait(ctx context.Context, o *opening) {
	select {
	case c.queue <- o:
	default:
		if c.lost.Add(1) == 1 {
			slog.ErrorContext(ctx, "viewer sessions come faster than the database takes them; some are lost")
		}
		return
	}
	if c.down.Load() {
		return
	}
	patience := time.NewTimer(commitTime)
	defer patience.Stop()
	select {
	case <-o.written:
	case <-patience.C:
	case <-ctx.Done():
	}
}

// settle waits until the sessions that this process has journalled so far are stored, a second at most, so that who reads finds what
// was answered before.
func (c *committer) settle(ctx context.Context) {
	taken := c.taken.Load()
	for deadline := time.Now().Add(time.Second); c.stored.Load() < taken && ctx.Err() == nil && time.Now().Before(deadline); {
		time.Sleep(time.Millisecond)
	}
}

// run writes what comes until the context ends, and then what is left.
func (c *committer) run(ctx context.Context) {
	var writing, storing sync.WaitGroup
	for range writers {
		writing.Go(func() { c.write(ctx) })
	}
	storing.Go(func() { c.store(ctx) })
	storing.Go(func() { c.recover(ctx) })
	writing.Wait()
	close(c.journal)
	storing.Wait()
}

// write takes sessions from the queue until the context ends and the queue is empty.
func (c *committer) write(ctx context.Context) {
	for {
		select {
		case first := <-c.queue:
			c.take(ctx, gather(c.queue, first))
		case <-ctx.Done():
			select {
			case first := <-c.queue:
				c.take(ctx, gather(c.queue, first))
			default:
				return
			}
		}
	}
}

// gather takes what waits behind the first.
func gather(queue <-chan *opening, first *opening) []*opening {
	openings := []*opening{first}
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

// take stores a few sessions at once and journals many. Viewers wait for the first attempt only.
func (c *committer) take(ctx context.Context, openings []*opening) {
	if len(openings) <= directBatch && c.taken.Load() == c.stored.Load() {
		c.insist(ctx, openings, func(ctx context.Context) error { return c.commit(ctx, nil, openings) })
		return
	}
	b := &batch{id: model.NewID("jnl"), openings: openings}
	c.taken.Add(int64(len(openings)))
	if c.insist(ctx, openings, func(ctx context.Context) error { return c.note(ctx, b) }) {
		c.journal <- b
		return
	}
	c.stored.Add(int64(len(openings)))
}

// insist repeats an attempt while the database is down, and reports whether it succeeded. What the database refuses for
// another reason is tried singly by oneByOne.
func (c *committer) insist(ctx context.Context, openings []*opening, attempt func(context.Context) error) bool {
	for {
		err := c.bounded(ctx, attempt)
		release(openings)
		switch {
		case err == nil:
			if c.down.Swap(false) {
				slog.InfoContext(ctx, "viewer sessions are written again", "lost", c.lost.Swap(0))
			}
			return true
		case !errs.Is(err, errs.Unavailable):
			c.oneByOne(ctx, openings, err)
			return false
		case ctx.Err() != nil:
			slog.ErrorContext(ctx, "viewer sessions are lost at the end", "sessions", len(openings), "error", err)
			return false
		}
		if !c.down.Swap(true) {
			slog.WarnContext(ctx, "viewer sessions wait for the database", "error", err)
		}
		select {
		case <-ctx.Done():
		case <-time.After(retryEvery):
		}
	}
}

func (c *committer) bounded(ctx context.Context, attempt func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), commitTime)
	defer cancel()
	return attempt(ctx)
}

// oneByOne stores the sessions of a refused batch singly, so that one that the database does not take costs only itself.
func (c *committer) oneByOne(ctx context.Context, openings []*opening, err error) {
	for _, o := range openings {
		if len(openings) > 1 {
			err = c.bounded(ctx, func(ctx context.Context) error { return c.commit(ctx, nil, []*opening{o}) })
		}
		if err != nil {
			slog.ErrorContext(ctx, "a viewer session could not be written", "session", o.Session.ID, "error", err)
		}
	}
}

func release(openings []*opening) {
	for _, o := range openings {
		if !o.told {
			close(o.written)
			o.told = true
		}
	}
}
