package live

import (
	"context"
	"time"

	"rostrum/errs"
)

// readerBuffer is the number of entries that a reader's channel buffers. A reader with a full
// buffer reads the database.
const readerBuffer = 128

// StartPosition is where a reader starts, and which entries it reads.
type StartPosition[E any] struct {
	AfterPosition int64 // the reader starts after this position
	// the database may have entries after AfterPosition
	HasMore bool
	First   []E // entries to send first
	// reports whether an entry is sent; nil sends all
	Wants func(E) bool
	// reads like the source's Read, but may leave out entries that are not sent; default: the source's
	Read func(ctx context.Context, after int64) (Batch[E], error)
}

// FeedReader is one reader of a feed.
type FeedReader[E any] struct {
	feed *sourceFeed[E]
	at   StartPosition[E]
	ctx  context.Context // of the reader; canceling it closes the channel
	out  chan E
}

// Cancel leaves the feed without having started.
func (r *FeedReader[E]) Cancel() { r.feed.feeds.leaveFeed(r.feed) }

// Start returns a channel with the first entries and then every wanted entry after the start
// position, once and in order. It is closed when the context is canceled or after the last entry.
func (r *FeedReader[E]) Start(ctx context.Context, at StartPosition[E]) <-chan E {
	r.ctx, r.at, r.out = ctx, at, make(chan E, readerBuffer)
	if r.at.Wants == nil {
		r.at.Wants = func(E) bool { return true }
	}
	if r.at.Read == nil {
		r.at.Read = r.feed.source.Read
	}
	r.feed.mu.Lock()
	defer r.feed.mu.Unlock()
	for _, e := range at.First {
		r.out <- e
		if r.feed.source.IsLast(e) {
			r.closeLocked()
			return r.out
		}
	}
	context.AfterFunc(ctx, r.stopOnCancel)
	if at.HasMore || !r.followLocked() {
		go r.readBacklog()
	}
	return r.out
}

// stopOnCancel closes a reader that is up to date. Any other reader's goroutine sees the canceled
// context itself.
func (r *FeedReader[E]) stopOnCancel() {
	r.feed.mu.Lock()
	defer r.feed.mu.Unlock()
	if _, upToDate := r.feed.upToDate[r]; upToDate {
		r.closeLocked()
	}
}

// closeLocked closes the channel; the feed's lock must be held.
func (r *FeedReader[E]) closeLocked() {
	delete(r.feed.upToDate, r)
	close(r.out)
	go r.Cancel() // locks the feeds, which must be locked first
}

// followLocked adds the reader to the up-to-date ones, if it has all entries notified so far. The
// feed's lock must be held.
func (r *FeedReader[E]) followLocked() bool {
	if r.ctx.Err() != nil {
		r.closeLocked()
		return true
	}
	if r.at.AfterPosition < r.feed.notified {
		return false
	}
	r.feed.upToDate[r] = struct{}{}
	return true
}

// receiveBatch buffers a batch's entries that the reader has not sent. If the buffer is too full,
// the reader continues from the database. The feed's lock must be held.
func (r *FeedReader[E]) receiveBatch(s Batch[E]) {
	if len(s.Entries) > cap(r.out)-len(r.out) {
		delete(r.feed.upToDate, r)
		go r.readBacklog()
		return
	}
	for _, e := range s.Entries {
		if r.feed.source.PositionOf(e) <= r.at.AfterPosition || !r.at.Wants(e) {
			continue
		}
		r.out <- e
		if r.feed.source.IsLast(e) {
			r.closeLocked()
			return
		}
	}
	r.at.AfterPosition = s.To
}

// readBacklog reads the database until the reader is up to date, blocking on the reader's channel.
// It retries errors.
func (r *FeedReader[E]) readBacklog() {
	for {
		s, err := r.at.Read(r.ctx, r.at.AfterPosition)
		switch {
		case errs.Is(err, errs.NotFound):
			r.closeReader()
			return
		case err != nil:
			r.waitToRetry()
		case !r.sendEntries(s.Entries):
			r.closeReader()
			return
		default:
			r.at.AfterPosition = s.To
		}
		if s.Partial || err != nil && r.ctx.Err() == nil {
			continue
		}
		if r.tryFollow() {
			return
		}
	}
}

func (r *FeedReader[E]) tryFollow() bool {
	r.feed.mu.Lock()
	defer r.feed.mu.Unlock()
	return r.followLocked()
}

func (r *FeedReader[E]) closeReader() {
	r.feed.mu.Lock()
	defer r.feed.mu.Unlock()
	r.closeLocked()
}

// waitToRetry waits for one poll interval after a database error.
func (r *FeedReader[E]) waitToRetry() {
	timer := time.NewTimer(r.feed.feeds.pause())
	defer timer.Stop()
	select {
	case <-r.ctx.Done():
	case <-timer.C:
	}
}

// sendEntries blocks until the reader has received the entries. It returns false if the context is
// canceled or the last entry was sent.
func (r *FeedReader[E]) sendEntries(entries []E) bool {
	for _, e := range entries {
		if !r.at.Wants(e) {
			continue
		}
		select {
		case <-r.ctx.Done():
			return false
		case r.out <- e:
			if r.feed.source.IsLast(e) {
				return false
			}
		}
	}
	return true
}
