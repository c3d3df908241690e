package live_test

import (
	"context"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"rostrum/errs"
	"rostrum/live"
	"rostrum/testkit"
)

// shelf is a feed of numbers, each at the position that it is, with a database that counts how often it is asked.
type shelf struct {
	live   *live.Live
	feeds  *live.Feeds[int64]
	mu     sync.Mutex
	end    int64
	gone   bool
	opened atomic.Int64
	read   atomic.Int64
}

const shelfPage = 50

func newShelf(t *testing.T) *shelf {
	t.Helper()
	s := &shelf{live: testkit.OpenLive(t, live.Config{Namespace: "shelf"})}
	until(t, "connected", s.live.Connected)
	s.feeds = live.NewFeeds[int64](s.live, func() time.Duration { return time.Hour })
	return s
}

func (s *shelf) source() live.Source[int64] {
	return live.Source[int64]{
		Topic: "numbers",
		Open: func(payload []byte) live.Stretch[int64] {
			s.opened.Add(1)
			n, _ := strconv.ParseInt(string(payload), 10, 64)
			return live.Stretch[int64]{Behind: n - 1, To: n, Entries: []int64{n}}
		},
		Read: func(_ context.Context, behind int64) (live.Stretch[int64], error) {
			s.read.Add(1)
			s.mu.Lock()
			defer s.mu.Unlock()
			if s.gone {
				return live.Stretch[int64]{}, errs.New(errs.NotFound, "it is gone")
			}
			found := live.Stretch[int64]{Behind: behind, To: behind}
			for found.To < s.end && len(found.Entries) < shelfPage {
				found.To++
				found.Entries = append(found.Entries, found.To)
			}
			found.Partial = found.To < s.end
			return found, nil
		},
		At:   func(n int64) int64 { return n },
		Last: func(n int64) bool { return n == 10_000 },
	}
}

// add puts the next number on the shelf, and tells it unless it gets lost.
func (s *shelf) add(t *testing.T, lost bool) {
	t.Helper()
	s.mu.Lock()
	s.end++
	n := s.end
	s.mu.Unlock()
	if !lost {
		s.live.Publish(t.Context(), "numbers", strconv.AppendInt(nil, n, 10))
	}
}

func (s *shelf) reader(ctx context.Context, at live.Place[int64]) <-chan int64 {
	return s.feeds.Enter(ctx, s.source()).Follow(ctx, at)
}

func want(t *testing.T, from <-chan int64, numbers ...int64) {
	t.Helper()
	for _, n := range numbers {
		select {
		case got, open := <-from:
			if got != n || !open {
				t.Fatalf("%d comes (%t), want %d", got, open, n)
			}
		case <-time.After(patience):
			t.Fatalf("%d does not come", n)
		}
	}
}

func wantClosed(t *testing.T, from <-chan int64) {
	t.Helper()
	select {
	case got, open := <-from:
		if open {
			t.Fatalf("%d comes, want the end", got)
		}
	case <-time.After(patience):
		t.Fatal("it does not end")
	}
}

func TestFeeds(t *testing.T) {
	t.Parallel()
	t.Run("news are read once for all, and the database by nobody", func(t *testing.T) {
		t.Parallel()
		s := newShelf(t)
		var readers []<-chan int64
		for range 50 {
			readers = append(readers, s.reader(t.Context(), live.Place[int64]{}))
		}
		until(t, "all have looked once at most", func() bool { return s.read.Load() <= 1 })
		for n := range int64(100) {
			s.add(t, false)
			for _, r := range readers {
				want(t, r, n+1)
			}
		}
		if opened, read := s.opened.Load(), s.read.Load(); opened != 100 || read > 1 {
			t.Errorf("100 news were read %d times and the database %d times", opened, read)
		}
	})
	t.Run("who does not read holds nobody, and finds everything in the database", func(t *testing.T) {
		t.Parallel()
		s := newShelf(t)
		slow, quick := s.reader(t.Context(), live.Place[int64]{}), s.reader(t.Context(), live.Place[int64]{})
		all := make([]int64, 1000)
		for i := range all {
			all[i] = int64(i) + 1
			s.add(t, false)
			want(t, quick, all[i])
		}
		want(t, slow, all...)
		s.add(t, false)
		want(t, slow, 1001)
		want(t, quick, 1001)
	})
	t.Run("lost news are read from the database once for all", func(t *testing.T) {
		t.Parallel()
		s := newShelf(t)
		var readers []<-chan int64
		for range 20 {
			readers = append(readers, s.reader(t.Context(), live.Place[int64]{}))
		}
		s.add(t, true)
		s.add(t, true)
		s.add(t, false)
		for _, r := range readers {
			want(t, r, 1, 2, 3)
		}
		if n := s.read.Load(); n > 2 {
			t.Errorf("the database was read %d times", n)
		}
	})
	t.Run("a reader begins where it likes and asks for what it likes", func(t *testing.T) {
		t.Parallel()
		s := newShelf(t)
		for range 120 {
			s.add(t, true)
		}
		even := func(n int64) bool { return n%2 == 0 }
		r := s.reader(t.Context(), live.Place[int64]{Seen: 7, Behind: true, First: []int64{-1}, Wants: even})
		want(t, r, -1)
		for n := int64(8); n <= 120; n += 2 {
			want(t, r, n)
		}
		s.add(t, false)
		s.add(t, false)
		want(t, r, 122)
	})
	t.Run("a reader ends with its context, with the last entry, and with the feed", func(t *testing.T) {
		t.Parallel()
		s := newShelf(t)
		ctx, cancel := context.WithCancel(t.Context())
		r := s.reader(ctx, live.Place[int64]{})
		s.add(t, false)
		want(t, r, 1)
		cancel()
		wantClosed(t, r)
		last := s.reader(t.Context(), live.Place[int64]{First: []int64{10_000}})
		want(t, last, 10_000)
		wantClosed(t, last)
		keeping, behind := s.reader(t.Context(), live.Place[int64]{Seen: 1}), s.reader(t.Context(), live.Place[int64]{Behind: true})
		want(t, behind, 1)
		s.mu.Lock()
		s.gone = true
		s.mu.Unlock()
		s.live.Publish(t.Context(), "numbers", []byte("9")) // too far ahead, so the database is asked
		wantClosed(t, keeping)
		wantClosed(t, behind)
		until(t, "nobody listens", func() bool { return s.live.Followers() == 0 && s.feeds.Open() == 0 })
	})
	t.Run("readers come and go meanwhile", func(t *testing.T) {
		t.Parallel()
		s := newShelf(t)
		const numbers = 500
		var all sync.WaitGroup
		for i := range 8 {
			all.Go(func() {
				var got []int64
				for len(got) < numbers {
					ctx, cancel := context.WithCancel(t.Context())
					r := s.reader(ctx, live.Place[int64]{Seen: int64(len(got)), Behind: true})
					for range min(40+i, numbers-len(got)) {
						got = append(got, <-r)
					}
					cancel()
				}
				if !slices.IsSorted(got) || got[0] != 1 || got[numbers-1] != numbers {
					t.Errorf("reader %d: %v", i, got)
				}
			})
		}
		for i := range numbers {
			s.add(t, i%17 == 3)
		}
		all.Wait()
	})
}
