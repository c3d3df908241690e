package live

import (
	"context"
	"time"

	"rostrum/errs"
)

// readerBuffer is how many entries a reader may leave unread before it has to read the database.
const readerBuffer = 128

// Place is where a reader begins and what it is given.
type Place[E any] struct {
	Seen   int64                                                       // the position behind which it begins
	Behind bool                                                        // the database is known to have more
	First  []E                                                         // what it is given before
	Wants  func(E) bool                                                // what it asks for; everything when nil
	Read   func(ctx context.Context, behind int64) (Stretch[E], error) // as the source's, without what it does not ask for; the source's when nil
}

// Reader is one reader of a feed.
type Reader[E any] struct {
	feed *feed[E]
	Place[E]
	ctx context.Context // of the one who reads
	out chan E
}

// Leave gives up the place before it was taken.
func (r *Reader[E]) Leave() { r.feed.feeds.leave(r.feed) }

// Follow gives the first entries, and then each that is wanted behind the place, once and in order, until the context ends or the last entry was
// given; then the channel is closed.
func (r *Reader[E]) Follow(ctx context.Context, at Place[E]) <-chan E {
	r.ctx, r.Place, r.out = ctx, at, make(chan E, readerBuffer)
	if r.Wants == nil {
		r.Wants = func(E) bool { return true }
	}
	if r.Read == nil {
		r.Read = r.feed.source.Read
	}
	r.feed.mu.Lock()
	defer r.feed.mu.Unlock()
	for _, e := range at.First {
		r.out <- e
		if r.feed.source.Last(e) {
			r.end()
			return r.out
		}
	}
	context.AfterFunc(ctx, r.leave)
	if at.Behind || !r.keepUp() {
		go r.catchUp()
	}
	return r.out
}

// leave ends a reader whose context has ended; one that is alone sees that by itself.
func (r *Reader[E]) leave() {
	r.feed.mu.Lock()
	defer r.feed.mu.Unlock()
	if _, keeping := r.feed.keeping[r]; keeping {
		r.end()
	}
}

// end is the end of a reader, under the feed's lock.
func (r *Reader[E]) end() {
	delete(r.feed.keeping, r)
	close(r.out)
	go r.Leave() // whose lock comes before this one
}

// keepUp lets the feed give the reader what follows, if it has all that was heard; under the feed's lock.
func (r *Reader[E]) keepUp() bool {
	if r.ctx.Err() != nil {
		r.end()
		return true
	}
	if r.Seen < r.feed.heard {
		return false
	}
	r.feed.keeping[r] = struct{}{}
	return true
}

// hear takes a stretch that begins where the reader is or before, or leaves it to the database where it cannot be buffered; under the feed's lock.
func (r *Reader[E]) hear(s Stretch[E]) {
	if len(s.Entries) > cap(r.out)-len(r.out) {
		delete(r.feed.keeping, r)
		go r.catchUp()
		return
	}
	for _, e := range s.Entries {
		if r.feed.source.At(e) <= r.Seen || !r.Wants(e) {
			continue
		}
		r.out <- e
		if r.feed.source.Last(e) {
			r.end()
			return
		}
	}
	r.Seen = s.To
}

// catchUp reads the database, at the reader's own pace, until it has all that was heard.
func (r *Reader[E]) catchUp() {
	for {
		s, err := r.Read(r.ctx, r.Seen)
		switch {
		case errs.Is(err, errs.NotFound):
			r.finish()
			return
		case err != nil:
			r.wait()
		case !r.give(s.Entries):
			r.finish()
			return
		default:
			r.Seen = s.To
		}
		if s.Partial || err != nil && r.ctx.Err() == nil {
			continue
		}
		if r.rejoin() {
			return
		}
	}
}

func (r *Reader[E]) rejoin() bool {
	r.feed.mu.Lock()
	defer r.feed.mu.Unlock()
	return r.keepUp()
}

func (r *Reader[E]) finish() {
	r.feed.mu.Lock()
	defer r.feed.mu.Unlock()
	r.end()
}

// wait lets a database that is away come back.
func (r *Reader[E]) wait() {
	timer := time.NewTimer(r.feed.feeds.pause())
	defer timer.Stop()
	select {
	case <-r.ctx.Done():
	case <-timer.C:
	}
}

// give waits until the reader has taken the entries; false when it has gone or nothing follows.
func (r *Reader[E]) give(entries []E) bool {
	for _, e := range entries {
		if !r.Wants(e) {
			continue
		}
		select {
		case <-r.ctx.Done():
			return false
		case r.out <- e:
			if r.feed.source.Last(e) {
				return false
			}
		}
	}
	return true
}
