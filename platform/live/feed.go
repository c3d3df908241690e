package live

import (
	"context"
	"sync"
	"time"

	"rostrum/errs"
)

// Batch is a part of a feed: the entries after one position up to another.
type Batch[E any] struct {
	AfterPosition, To int64
	Entries           []E
	Partial           bool // in a notification: the entries are left out; from the database: more entries follow To
}

// FeedSource is where a feed reads its entries. Their positions have no gaps, but several entries
// may share one.
type FeedSource[E any] struct {
	Topic string
	Name  string // of the view of the entries; readers with the same topic and name share the feed
	// Decode decodes a notification of the topic, once for all readers of the process.
	Decode func(payload []byte) Batch[E]
	// Read reads the entries after a position from the database. errs.NotFound closes the channels
	// of all readers; other errors are retried.
	Read func(ctx context.Context, after int64) (Batch[E], error)
	// PositionOf returns the position of an entry.
	PositionOf func(E) int64
	// IsLast reports whether no entry follows this one.
	IsLast func(E) bool
}

func (s FeedSource[E]) sharedKey() string { return s.Topic + "\n" + s.Name }

// SourceFeeds are this process's feeds of one kind. A feed's readers share one subscription, one
// goroutine and the decoded notifications. A slow reader reads the database in its own goroutine
// until it has caught up, so it blocks no other.
type SourceFeeds[E any] struct {
	live  *Live
	pause func() time.Duration
	mu    sync.Mutex
	open  map[string]*sourceFeed[E]
}

// NewSourceFeeds returns feeds without readers. pause returns how long a feed waits for
// notifications before it reads the database.
func NewSourceFeeds[E any](l *Live, pause func() time.Duration) *SourceFeeds[E] {
	return &SourceFeeds[E]{live: l, pause: pause, open: map[string]*sourceFeed[E]{}}
}

// sourceFeed is shared by the readers of one source.
type sourceFeed[E any] struct {
	feeds         *SourceFeeds[E]
	source        FeedSource[E]
	notifications *Subscription
	stop          context.CancelFunc
	members       int // readers, also ones that have not started; guarded by the lock of feeds

	mu       sync.Mutex
	notified int64                       // the highest position of the notifications so far
	upToDate map[*FeedReader[E]]struct{} // the readers that receive from the feed
}

// Join subscribes to a feed for a reader with a start position that is not known yet. Call Start or
// Cancel next.
func (fs *SourceFeeds[E]) Join(ctx context.Context, source FeedSource[E]) *FeedReader[E] {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	f := fs.open[source.sharedKey()]
	if f == nil {
		f = &sourceFeed[E]{feeds: fs, source: source, notifications: fs.live.Subscribe(source.Topic),
			upToDate: map[*FeedReader[E]]struct{}{}}
		ctx, f.stop = context.WithCancel(context.WithoutCancel(ctx)) //nolint:gosec // leaveFeed calls it
		fs.open[source.sharedKey()] = f
		go f.deliverLoop(ctx)
	}
	f.members++
	return &FeedReader[E]{feed: f}
}

// leaveFeed removes a member, and stops the feed after its last one.
func (fs *SourceFeeds[E]) leaveFeed(f *sourceFeed[E]) {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	f.members--
	if f.members == 0 {
		f.stop()
		delete(fs.open, f.source.sharedKey())
	}
}

// deliverLoop delivers entries until the context is canceled.
func (f *sourceFeed[E]) deliverLoop(ctx context.Context) {
	defer f.notifications.Close()
	take := func(payload []byte) (fits, goOn bool) { return f.deliverBatch(f.source.Decode(payload)), true }
	for f.notifications.Listen(ctx, f.feeds.pause(), take) {
		f.pollDatabase(ctx)
	}
}

// deliverBatch sends a batch to the readers that are up to date. It returns false if one of them
// lacks entries before it or in it.
func (f *sourceFeed[E]) deliverBatch(s Batch[E]) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.notified = max(f.notified, s.To)
	fits := true
	for r := range f.upToDate {
		switch {
		case s.To <= r.at.AfterPosition:
		case s.AfterPosition > r.at.AfterPosition || len(s.Entries) == 0 && s.Partial:
			fits = false
		default:
			r.receiveBatch(s)
		}
	}
	return fits && !s.Partial
}

// pollDatabase sends the readers that are up to date what the database has after their positions.
func (f *sourceFeed[E]) pollDatabase(ctx context.Context) {
	for ctx.Err() == nil {
		after, found := f.lowestPosition()
		if !found {
			return
		}
		s, err := f.source.Read(ctx, after)
		if errs.Is(err, errs.NotFound) {
			f.closeReaders()
		}
		if err != nil || f.deliverBatch(s) {
			return // after an error the next interval retries
		}
	}
}

// lowestPosition returns the lowest position of the readers that are up to date.
func (f *sourceFeed[E]) lowestPosition() (position int64, found bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for r := range f.upToDate {
		if !found || r.at.AfterPosition < position {
			position, found = r.at.AfterPosition, true
		}
	}
	return position, found
}

// closeReaders closes the readers that are up to date; the others get the error from the database.
func (f *sourceFeed[E]) closeReaders() {
	f.mu.Lock()
	defer f.mu.Unlock()
	for r := range f.upToDate {
		r.closeLocked()
	}
}
