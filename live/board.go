package live

import (
	"context"
	"maps"
	"sync"
	"time"

	"rostrum/errs"
)

const (
	boardOverlap = 5 * time.Second       // how far back a board reads again, for changes that were committed late or by a clock that is behind
	boardRows    = 500                   // how many changes are read at once
	boardTurn    = time.Second           // how often it is looked whether somebody fell behind,
	lateTurn     = 50 * time.Millisecond // and then, whether they have read what they had
)

// Change is when a thing changed, and into which of its versions. One without a version is of a thing that is no more.
type Change struct {
	ID      string
	Version int64 // grows with every change of the thing
	At      time.Time
}

// Board says where the readers of things whose changes have no common order learn of them: what each has become, not what it was between.
type Board[E any] struct {
	Topic string
	Name  string // of what is read of each thing; the readers of one topic and name share everything
	// Open reads a piece of the topic's news, once for all of its readers. With errs.NotFound it tells of nothing that they read;
	// what else fails makes them look into the database.
	Open func(ctx context.Context, payload []byte) (E, error)
	// Changed reads at most so many of what has changed behind an instant and id, in the order of both.
	Changed func(ctx context.Context, behind Change, most int) ([]E, error)
	// Of tells what an entry is of.
	Of func(E) Change
	// Each lets every piece of news through, also when the thing was given in that version already.
	Each bool
}

func (b Board[E]) key() string { return b.Topic + "\n" + b.Name }

// Boards are the boards of one kind that are read in this process. The readers of a board share one subscription, one goroutine, and every reading
// of news and database. One who does not keep up is given what has changed meanwhile, and holds nobody.
type Boards[E any] struct {
	live  *Live
	pause func() time.Duration
	mu    sync.Mutex
	open  map[string]*board[E]
}

// NewBoards makes a kind of boards; pause is how long one waits for news before it looks into the database.
func NewBoards[E any](l *Live, pause func() time.Duration) *Boards[E] {
	return &Boards[E]{live: l, pause: pause, open: map[string]*board[E]{}}
}

// board is what the readers of one share.
type board[E any] struct {
	Board[E]
	boards *Boards[E]
	news   *Subscription
	stop   context.CancelFunc
	ready  func() error // what changed shortly before it was opened is known then
	since  time.Time    // changes before it have been given, but for those committed late; of the goroutine
	given  given        // of the same

	mu      sync.Mutex
	readers map[*boardReader[E]]struct{}
}

// boardReader is one reader; what stands below its channel belongs to the board's goroutine.
type boardReader[E any] struct {
	out    chan E
	behind bool      // it was too slow, and is given what the database says has changed
	since  time.Time // changes before it have been given to it
	given  given     // to it, from when it fell behind until what it was given cannot come again
}

// given are the changes that were handed out lately, by the things' ids.
type given map[string]Change

// takes reports whether a change has yet to be handed out, and notes that it was.
func (g given) takes(c Change) bool {
	if c.Version == 0 {
		return true
	}
	if known, ok := g[c.ID]; ok && known.Version >= c.Version {
		return false
	}
	g[c.ID] = c
	return true
}

// forget drops what was given so long before an instant that it is not read again.
func (g given) forget(now time.Time) {
	maps.DeleteFunc(g, func(_ string, c Change) bool { return c.At.Before(now.Add(-2 * boardOverlap)) })
}

// Read gives what changes from now on, until the context ends; then the channel is closed. It fails when the database cannot be read.
func (bs *Boards[E]) Read(ctx context.Context, of Board[E]) (<-chan E, error) {
	r := &boardReader[E]{out: make(chan E, readerBuffer)}
	b := bs.enter(ctx, of, r)
	if err := b.ready(); err != nil {
		bs.leave(b, r)
		return nil, err
	}
	context.AfterFunc(ctx, func() { bs.leave(b, r) })
	return r.out, nil
}

func (bs *Boards[E]) enter(ctx context.Context, of Board[E], r *boardReader[E]) *board[E] {
	bs.mu.Lock()
	defer bs.mu.Unlock()
	b := bs.open[of.key()]
	if b == nil {
		b = &board[E]{Board: of, boards: bs, news: bs.live.Subscribe(of.Topic), since: time.Now(), given: given{}, readers: map[*boardReader[E]]struct{}{}}
		ctx, b.stop = context.WithCancel(context.WithoutCancel(ctx))
		b.ready = sync.OnceValue(func() error { return b.begin(ctx) })
		bs.open[of.key()] = b
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.readers[r] = struct{}{}
	return b
}

// leave ends a reader, and the board with its last one.
func (bs *Boards[E]) leave(b *board[E], r *boardReader[E]) {
	bs.mu.Lock()
	defer bs.mu.Unlock()
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.readers, r)
	close(r.out)
	if len(b.readers) == 0 {
		b.stop()
		b.news.Close()
		delete(bs.open, b.key())
	}
}

// begin notes what changed shortly before, which is read again and nobody's news.
func (b *board[E]) begin(ctx context.Context) error {
	err := b.changes(ctx, b.since, func(_ E, c Change) bool {
		b.given.takes(c)
		return true
	})
	if err == nil {
		go b.run(ctx)
	}
	return err
}

func (b *board[E]) run(ctx context.Context) {
	for looked := time.Now(); ctx.Err() == nil; {
		turn := boardTurn
		if b.anyBehind() {
			turn = lateTurn
		}
		if b.listen(ctx, min(turn, max(b.boards.pause()-time.Since(looked), 0))) || time.Since(looked) >= b.boards.pause() {
			looked = time.Now()
			b.look(ctx, looked)
		}
		b.serve(ctx)
	}
}

// listen hands out news for a while; true when the database has to be looked into before.
func (b *board[E]) listen(ctx context.Context, wait time.Duration) bool {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return false
		case <-timer.C:
			return false
		case <-b.news.Missed():
			return true
		case payload := <-b.news.C():
			e, err := b.Open(ctx, payload)
			switch {
			case errs.Is(err, errs.NotFound):
			case err != nil:
				return true
			default:
				b.hand(e, b.Of(e), b.Each)
			}
		}
	}
}

// look hands out what the database says has changed and was not handed out; while it is away the next look does.
func (b *board[E]) look(ctx context.Context, now time.Time) {
	if b.changes(ctx, b.since, func(e E, c Change) bool { return b.hand(e, c, false) }) != nil {
		return
	}
	b.since = now
	b.given.forget(now)
	b.mu.Lock()
	defer b.mu.Unlock()
	for r := range b.readers {
		if !r.behind && r.since.Before(now.Add(-boardOverlap)) {
			r.given = nil
		}
	}
}

// changes reads what has changed since an instant, as long as take goes along.
func (b *board[E]) changes(ctx context.Context, since time.Time, take func(E, Change) bool) error {
	for behind := (Change{At: since.Add(-boardOverlap)}); ; {
		list, err := b.Changed(ctx, behind, boardRows)
		if err != nil {
			return err
		}
		for _, e := range list {
			behind = b.Of(e)
			if !take(e, behind) {
				return nil
			}
		}
		if len(list) < boardRows {
			return nil
		}
	}
}

// hand gives an entry to the readers that keep up, if it is new or else each is wanted; false when no reader keeps up.
func (b *board[E]) hand(e E, c Change, each bool) bool {
	fresh := b.given.takes(c) || each
	b.mu.Lock()
	defer b.mu.Unlock()
	keeping := false
	for r := range b.readers {
		if r.behind {
			continue
		}
		keeping = true
		if !fresh || r.given != nil && !r.given.takes(c) && !each {
			continue
		}
		select {
		case r.out <- e:
		default:
			b.fallBehind(r, c)
		}
	}
	return keeping
}

// fallBehind leaves a reader that has no room for a change to the database.
func (b *board[E]) fallBehind(r *boardReader[E], c Change) {
	r.behind, r.since, r.given = true, b.since, maps.Clone(b.given)
	if !c.At.IsZero() && c.At.Before(r.since) {
		r.since = c.At
	}
	delete(r.given, c.ID)
}

func (b *board[E]) anyBehind() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	for r := range b.readers {
		if r.behind {
			return true
		}
	}
	return false
}

// serve lets those go on who fell behind and have read what they had.
func (b *board[E]) serve(ctx context.Context) {
	b.mu.Lock()
	var slow []*boardReader[E]
	for r := range b.readers {
		if r.behind && len(r.out) == 0 {
			slow = append(slow, r)
		}
	}
	b.mu.Unlock()
	for _, r := range slow {
		now, full := time.Now(), false
		err := b.changes(ctx, r.since, func(e E, c Change) bool {
			full = !b.giveLate(r, e, c)
			return !full
		})
		if err == nil && !full {
			r.behind, r.since = false, now
		}
		r.given.forget(r.since)
	}
}

// giveLate gives a change to one who fell behind; false when there is no room for it.
func (b *board[E]) giveLate(r *boardReader[E], e E, c Change) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if _, there := b.readers[r]; !there || len(r.out) == cap(r.out) {
		return false
	}
	if r.given.takes(c) {
		r.out <- e
	}
	if c.At.After(r.since) {
		r.since = c.At
	}
	return true
}
