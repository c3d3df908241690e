package live

import (
	"context"
	"maps"
	"sync"
	"time"

	"rostrum/errs"
)

const (
	// how far back the database is read again, for late commits and slow clocks
	pollOverlap       = 5 * time.Second
	pollRows          = 500                   // maximum number of changes per query
	slowCheckInterval = time.Second           // how often to check for slow readers,
	resumeInterval    = 50 * time.Millisecond // and, while there are any, whether they have emptied their buffers
)

// Change is a version of an item and its time. Version 0 marks a removed item.
type Change struct {
	ID      string
	Version int64 // increases with every change of the item
	At      time.Time
}

// LatestState describes a feed of current states for items without a global order. It may skip
// intermediate states.
type LatestState[E any] struct {
	Topic string
	Name  string // of the columns that are read; readers with the same topic and name share the feed
	// Decode decodes a notification, once for all readers. errs.NotFound skips the notification;
	// after any other error the database is read.
	Decode func(ctx context.Context, payload []byte) (E, error)
	// Changed returns at most limit states that changed after a time and id, in that order.
	Changed func(ctx context.Context, after Change, limit int) ([]E, error)
	// ChangeOf returns the change that led to a state.
	ChangeOf func(E) Change
}

func (b LatestState[E]) sharedKey() string { return b.Topic + "\n" + b.Name }

// LatestStates are this process's feeds of one kind. A feed's readers share one subscription, one
// goroutine, the decoded notifications and the database queries. A slow reader gets the latest
// states when it has caught up, so it blocks no other.
type LatestStates[E any] struct {
	live  *Live
	pause func() time.Duration
	mu    sync.Mutex
	open  map[string]*stateFeed[E]
}

// NewLatestStates returns feeds without readers. pause returns how long a feed waits for
// notifications before it reads the database.
func NewLatestStates[E any](l *Live, pause func() time.Duration) *LatestStates[E] {
	return &LatestStates[E]{live: l, pause: pause, open: map[string]*stateFeed[E]{}}
}

// stateFeed is shared by the readers of one LatestState.
type stateFeed[E any] struct {
	state         LatestState[E]
	boards        *LatestStates[E]
	notifications *Subscription
	stop          context.CancelFunc
	ready         func() error // reads the changes shortly before the feed started, once
	since         time.Time    // changes before it have been sent, except late commits; used by the goroutine only
	sent          sentChanges  // used by the goroutine only

	mu      sync.Mutex
	readers map[*stateReader[E]]struct{}
}

// stateReader is one reader. Its fields except out are used by the feed's goroutine only.
type stateReader[E any] struct {
	out   chan E
	slow  bool        // its buffer was full; it gets changes from the database
	since time.Time   // changes before it have been sent to the reader
	sent  sentChanges // to the reader, until the shared changes cover them; nil if they do
}

// sentChanges are the recently sent changes by item.
type sentChanges map[string]Change

// addIfNewer records a change and reports whether it is newer than the recorded one.
func (s sentChanges) addIfNewer(c Change) bool {
	if c.Version == 0 {
		return true
	}
	if known, ok := s[c.ID]; ok && known.Version >= c.Version {
		return false
	}
	s[c.ID] = c
	return true
}

// dropBefore removes changes that are too old to be read again.
func (s sentChanges) dropBefore(now time.Time) {
	maps.DeleteFunc(s, func(_ string, c Change) bool { return c.At.Before(now.Add(-2 * pollOverlap)) })
}

// Read returns a channel of the changes from now on; it is closed when the context is canceled. If
// since is not zero, states changed since then, or shortly before, come first: the reader begins as
// a slow one. It returns an error if the database cannot be read.
func (bs *LatestStates[E]) Read(ctx context.Context, since time.Time, of LatestState[E]) (<-chan E, error) {
	r := &stateReader[E]{out: make(chan E, readerBuffer)}
	if !since.IsZero() {
		r.slow, r.since, r.sent = true, since, sentChanges{}
	}
	b := bs.joinFeed(ctx, of, r)
	if err := b.ready(); err != nil {
		bs.leaveFeed(b, r)
		return nil, err
	}
	context.AfterFunc(ctx, func() { bs.leaveFeed(b, r) })
	return r.out, nil
}

func (bs *LatestStates[E]) joinFeed(ctx context.Context, of LatestState[E], r *stateReader[E]) *stateFeed[E] {
	bs.mu.Lock()
	defer bs.mu.Unlock()
	b := bs.open[of.sharedKey()]
	if b == nil {
		b = &stateFeed[E]{state: of, boards: bs, notifications: bs.live.Subscribe(of.Topic), since: time.Now(),
			sent: sentChanges{}, readers: map[*stateReader[E]]struct{}{}}
		ctx, b.stop = context.WithCancel(context.WithoutCancel(ctx)) //nolint:gosec // leaveFeed calls it
		b.ready = sync.OnceValue(func() error { return b.readRecent(ctx) })
		bs.open[of.sharedKey()] = b
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.readers[r] = struct{}{}
	return b
}

// leaveFeed removes a reader, and stops the feed after its last one.
func (bs *LatestStates[E]) leaveFeed(b *stateFeed[E], r *stateReader[E]) {
	bs.mu.Lock()
	defer bs.mu.Unlock()
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.readers, r)
	close(r.out)
	if len(b.readers) == 0 {
		b.stop()
		b.notifications.Close()
		delete(bs.open, b.state.sharedKey())
	}
}

// readRecent records the changes shortly before the start, and starts the goroutine. These changes
// are read again but not sent.
func (b *stateFeed[E]) readRecent(ctx context.Context) error {
	err := b.eachChange(ctx, b.since, func(_ E, c Change) bool {
		b.sent.addIfNewer(c)
		return true
	})
	if err == nil {
		go b.deliverLoop(ctx)
	}
	return err
}

func (b *stateFeed[E]) deliverLoop(ctx context.Context) {
	for looked := time.Now(); ctx.Err() == nil; {
		interval := slowCheckInterval
		if b.hasSlowReader() {
			interval = resumeInterval
		}
		if b.receiveUntil(ctx, min(interval, max(b.boards.pause()-time.Since(looked), 0))) ||
			time.Since(looked) >= b.boards.pause() {
			looked = time.Now()
			b.pollDatabase(ctx, looked)
		}
		b.resumeSlow(ctx)
	}
}

// receiveUntil sends notifications to the readers for the given time. It returns true if the
// database must be read earlier.
func (b *stateFeed[E]) receiveUntil(ctx context.Context, wait time.Duration) bool {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return false
		case <-timer.C:
			return false
		case <-b.notifications.Missed():
			return true
		case payload := <-b.notifications.C():
			e, err := b.state.Decode(ctx, payload)
			switch {
			case errs.Is(err, errs.NotFound):
			case err != nil:
				return true
			default:
				b.sendChange(e, b.state.ChangeOf(e))
			}
		}
	}
}

// pollDatabase sends the database's changes that were not sent. It retries an error at the next
// interval.
func (b *stateFeed[E]) pollDatabase(ctx context.Context, now time.Time) {
	if b.eachChange(ctx, b.since, func(e E, c Change) bool { return b.sendChange(e, c) }) != nil {
		return
	}
	b.since = now
	b.sent.dropBefore(now)
	b.mu.Lock()
	defer b.mu.Unlock()
	for r := range b.readers {
		if !r.slow && r.since.Before(now.Add(-pollOverlap)) {
			r.sent = nil
		}
	}
}

// eachChange calls take for every change since a time until it returns false.
func (b *stateFeed[E]) eachChange(ctx context.Context, since time.Time, take func(E, Change) bool) error {
	for after := (Change{At: since.Add(-pollOverlap)}); ; {
		list, err := b.state.Changed(ctx, after, pollRows)
		if err != nil {
			return err
		}
		for _, e := range list {
			after = b.state.ChangeOf(e)
			if !take(e, after) {
				return nil
			}
		}
		if len(list) < pollRows {
			return nil
		}
	}
}

// sendChange sends a change to the readers that are not slow, if it is newer than the last one
// sent. It returns false if all readers are slow.
func (b *stateFeed[E]) sendChange(e E, c Change) bool {
	fresh := b.sent.addIfNewer(c)
	b.mu.Lock()
	defer b.mu.Unlock()
	upToDate := false
	for r := range b.readers {
		if r.slow {
			continue
		}
		upToDate = true
		if !fresh || r.sent != nil && !r.sent.addIfNewer(c) {
			continue
		}
		select {
		case r.out <- e:
		default:
			b.markSlow(r, c)
		}
	}
	return upToDate
}

// markSlow marks a reader with a full buffer. It then gets changes from the database.
func (b *stateFeed[E]) markSlow(r *stateReader[E], c Change) {
	r.slow, r.since, r.sent = true, b.since, maps.Clone(b.sent)
	if !c.At.IsZero() && c.At.Before(r.since) {
		r.since = c.At
	}
	delete(r.sent, c.ID)
}

func (b *stateFeed[E]) hasSlowReader() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	for r := range b.readers {
		if r.slow {
			return true
		}
	}
	return false
}

// resumeSlow sends changes from the database to slow readers that have emptied their buffers.
func (b *stateFeed[E]) resumeSlow(ctx context.Context) {
	b.mu.Lock()
	var slow []*stateReader[E]
	for r := range b.readers {
		if r.slow && len(r.out) == 0 {
			slow = append(slow, r)
		}
	}
	b.mu.Unlock()
	for _, r := range slow {
		now, full := time.Now(), false
		err := b.eachChange(ctx, r.since, func(e E, c Change) bool {
			full = !b.sendLate(r, e, c)
			return !full
		})
		if err == nil && !full {
			r.slow, r.since = false, now
		}
		r.sent.dropBefore(r.since)
	}
}

// sendLate sends a change to a slow reader; it returns false if its buffer is full or it has left.
func (b *stateFeed[E]) sendLate(r *stateReader[E], e E, c Change) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if _, there := b.readers[r]; !there || len(r.out) == cap(r.out) {
		return false
	}
	if r.sent.addIfNewer(c) {
		r.out <- e
	}
	if c.At.After(r.since) {
		r.since = c.At
	}
	return true
}
