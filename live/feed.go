package live

import (
	"context"
	"sync"
	"time"

	"rostrum/errs"
)

// Stretch is a part of a feed: its entries behind one position and up to another.
type Stretch[E any] struct {
	Behind, To int64
	Entries    []E
	Partial    bool // of news: the entries are not in it; of the database: there are more behind To
}

// Source is where the entries of one feed come from. Their positions have no gaps, but several entries may share one.
type Source[E any] struct {
	Topic string
	// Open reads a piece of the topic's news, once for all readers of the process.
	Open func(payload []byte) Stretch[E]
	// Read asks the database. With errs.NotFound the feed is no more and its readers' channels are closed; what else fails is asked again.
	Read func(ctx context.Context, behind int64) (Stretch[E], error)
	// At is an entry's position.
	At func(E) int64
	// Last tells the entry that nothing follows.
	Last func(E) bool
}

// Feeds are the feeds of one kind that are read in this process. All readers of a feed share one subscription, one reading of its news and one
// goroutine. A reader that does not keep up reads the database by itself until it does again, and holds nobody.
type Feeds[E any] struct {
	live  *Live
	pause func() time.Duration
	mu    sync.Mutex
	open  map[string]*feed[E]
}

// NewFeeds makes a kind of feeds; pause is how long one waits for news before it looks into the database.
func NewFeeds[E any](l *Live, pause func() time.Duration) *Feeds[E] {
	return &Feeds[E]{live: l, pause: pause, open: map[string]*feed[E]{}}
}

// feed is what the readers of one source share.
type feed[E any] struct {
	feeds   *Feeds[E]
	source  Source[E]
	news    *Subscription
	stop    context.CancelFunc
	members int // readers and those who are about to be; under the feeds' lock

	mu      sync.Mutex
	heard   int64                   // the position up to which news have come
	keeping map[*Reader[E]]struct{} // the readers that keep up
}

// Enter hears a feed's news from now on, for a reader that has yet to find its place; it must be followed by Follow or Leave.
func (fs *Feeds[E]) Enter(ctx context.Context, source Source[E]) *Reader[E] {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	f := fs.open[source.Topic]
	if f == nil {
		f = &feed[E]{feeds: fs, source: source, news: fs.live.Subscribe(source.Topic), keeping: map[*Reader[E]]struct{}{}}
		ctx, f.stop = context.WithCancel(context.WithoutCancel(ctx))
		fs.open[source.Topic] = f
		go f.run(ctx)
	}
	f.members++
	return &Reader[E]{feed: f}
}

// leave ends the feed with its last member.
func (fs *Feeds[E]) leave(f *feed[E]) {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	f.members--
	if f.members == 0 {
		f.stop()
		delete(fs.open, f.source.Topic)
	}
}

// run hands out what happens.
func (f *feed[E]) run(ctx context.Context) {
	defer f.news.Close()
	take := func(payload []byte) (fits, goOn bool) { return f.hand(f.source.Open(payload)), true }
	for f.news.Listen(ctx, f.feeds.pause(), take) {
		f.look(ctx)
	}
}

// hand gives a stretch to the readers that keep up; false when one of them lacks what stands before it or in it.
func (f *feed[E]) hand(s Stretch[E]) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.heard = max(f.heard, s.To)
	fits := true
	for r := range f.keeping {
		switch {
		case s.To <= r.Seen:
		case s.Behind > r.Seen || len(s.Entries) == 0 && s.Partial:
			fits = false
		default:
			r.hear(s)
		}
	}
	return fits && !s.Partial
}

// look gives the readers that keep up what the database has and they have not.
func (f *feed[E]) look(ctx context.Context) {
	for ctx.Err() == nil {
		behind, any := f.least()
		if !any {
			return
		}
		s, err := f.source.Read(ctx, behind)
		if errs.Is(err, errs.NotFound) {
			f.close()
		}
		if err != nil || f.hand(s) {
			return // the database is away: the next round asks again
		}
	}
}

// least is the position that all readers that keep up have reached.
func (f *feed[E]) least() (position int64, any bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for r := range f.keeping {
		if !any || r.Seen < position {
			position, any = r.Seen, true
		}
	}
	return position, any
}

// close ends the readers that keep up; the others find out by themselves.
func (f *feed[E]) close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	for r := range f.keeping {
		r.end()
	}
}
