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
	"rostrum/platform/live"
	"rostrum/test/kit/dbtest"
)

// numberSource is a feed of numbers, each at its own position. Its database counts queries.
type numberSource struct {
	live   *live.Live
	feeds  *live.SourceFeeds[int64]
	mu     sync.Mutex
	end    int64
	gone   bool
	opened atomic.Int64
	read   atomic.Int64
}

const shelfPage = 50

func newShelf(t *testing.T) *numberSource {
	t.Helper()
	s := &numberSource{live: dbtest.OpenLive(t, live.Config{Namespace: "shelf"})}
	awaitCondition(t, "connected", s.live.Connected)
	s.feeds = live.NewSourceFeeds[int64](s.live, func() time.Duration { return time.Hour })
	return s
}

func (s *numberSource) source() live.FeedSource[int64] {
	return live.FeedSource[int64]{
		Topic: "numbers",
		Decode: func(payload []byte) live.Batch[int64] {
			s.opened.Add(1)
			n, _ := strconv.ParseInt(string(payload), 10, 64)
			return live.Batch[int64]{AfterPosition: n - 1, To: n, Entries: []int64{n}}
		},
		Read: func(_ context.Context, after int64) (live.Batch[int64], error) {
			s.read.Add(1)
			s.mu.Lock()
			defer s.mu.Unlock()
			if s.gone {
				return live.Batch[int64]{}, errs.New(errs.NotFound, "it is gone")
			}
			found := live.Batch[int64]{AfterPosition: after, To: after}
			for found.To < s.end && len(found.Entries) < shelfPage {
				found.To++
				found.Entries = append(found.Entries, found.To)
			}
			found.Partial = found.To < s.end
			return found, nil
		},
		PositionOf: func(n int64) int64 { return n },
		IsLast:     func(n int64) bool { return n == 10_000 },
	}
}

// add appends the next number, and publishes it unless it is lost.
func (s *numberSource) add(t *testing.T, lost bool) {
	t.Helper()
	s.mu.Lock()
	s.end++
	n := s.end
	s.mu.Unlock()
	if !lost {
		s.live.Publish(t.Context(), "numbers", strconv.AppendInt(nil, n, 10))
	}
}

func (s *numberSource) reader(ctx context.Context, at live.StartPosition[int64]) <-chan int64 {
	return s.feeds.Join(ctx, s.source()).Start(ctx, at)
}

func wantNext(t *testing.T, from <-chan int64, numbers ...int64) {
	t.Helper()
	for _, n := range numbers {
		select {
		case got, open := <-from:
			if got != n || !open {
				t.Fatalf("received %d (%t), want %d", got, open, n)
			}
		case <-time.After(testTimeout):
			t.Fatalf("%d was not received", n)
		}
	}
}

func wantClosed(t *testing.T, from <-chan int64) {
	t.Helper()
	select {
	case got, open := <-from:
		if open {
			t.Fatalf("received %d, want the end", got)
		}
	case <-time.After(testTimeout):
		t.Fatal("the feed does not end")
	}
}

func TestFeeds(t *testing.T) {
	t.Parallel()
	t.Run("notifications are decoded once for all readers, without a database query", func(t *testing.T) {
		t.Parallel()
		s := newShelf(t)
		var readers []<-chan int64
		for range 50 {
			readers = append(readers, s.reader(t.Context(), live.StartPosition[int64]{}))
		}
		awaitCondition(t, "all have looked once at most", func() bool { return s.read.Load() <= 1 })
		for n := range int64(100) {
			s.add(t, false)
			for _, r := range readers {
				wantNext(t, r, n+1)
			}
		}
		if opened, read := s.opened.Load(), s.read.Load(); opened != 100 || read > 1 {
			t.Errorf("100 notifications were decoded %d times with %d database queries", opened, read)
		}
	})
	t.Run("a slow reader does not block others and continues from the database", func(t *testing.T) {
		t.Parallel()
		s := newShelf(t)
		slow, quick := s.reader(t.Context(), live.StartPosition[int64]{}),
			s.reader(t.Context(), live.StartPosition[int64]{})
		all := make([]int64, 1000)
		for i := range all {
			all[i] = int64(i) + 1
			s.add(t, false)
			wantNext(t, quick, all[i])
		}
		wantNext(t, slow, all...)
		s.add(t, false)
		wantNext(t, slow, 1001)
		wantNext(t, quick, 1001)
	})
	t.Run("lost notifications are read from the database once for all readers", func(t *testing.T) {
		t.Parallel()
		s := newShelf(t)
		var readers []<-chan int64
		for range 20 {
			readers = append(readers, s.reader(t.Context(), live.StartPosition[int64]{}))
		}
		s.add(t, true)
		s.add(t, true)
		s.add(t, false)
		for _, r := range readers {
			wantNext(t, r, 1, 2, 3)
		}
		if n := s.read.Load(); n > 2 {
			t.Errorf("the database was queried %d times", n)
		}
	})
	t.Run("readers have their own start position and filter", func(t *testing.T) {
		t.Parallel()
		s := newShelf(t)
		for range 120 {
			s.add(t, true)
		}
		even := func(n int64) bool { return n%2 == 0 }
		r := s.reader(t.Context(), live.StartPosition[int64]{AfterPosition: 7, HasMore: true, First: []int64{-1},
			Wants: even})
		wantNext(t, r, -1)
		for n := int64(8); n <= 120; n += 2 {
			wantNext(t, r, n)
		}
		s.add(t, false)
		s.add(t, false)
		wantNext(t, r, 122)
	})
	t.Run("a reader ends with its context, with the last entry, and with the feed", func(t *testing.T) {
		t.Parallel()
		s := newShelf(t)
		ctx, cancel := context.WithCancel(t.Context())
		r := s.reader(ctx, live.StartPosition[int64]{})
		s.add(t, false)
		wantNext(t, r, 1)
		cancel()
		wantClosed(t, r)
		last := s.reader(t.Context(), live.StartPosition[int64]{First: []int64{10_000}})
		wantNext(t, last, 10_000)
		wantClosed(t, last)
		keeping, after := s.reader(t.Context(), live.StartPosition[int64]{AfterPosition: 1}),
			s.reader(t.Context(), live.StartPosition[int64]{HasMore: true})
		wantNext(t, after, 1)
		s.mu.Lock()
		s.gone = true
		s.mu.Unlock()
		s.live.Publish(t.Context(), "numbers", []byte("9")) // too far ahead, so the database is queried
		wantClosed(t, keeping)
		wantClosed(t, after)
		awaitCondition(t, "all subscriptions are closed",
			func() bool { return s.live.SubscribedTopics() == 0 && s.feeds.OpenFeeds() == 0 })
	})
	t.Run("readers join and leave concurrently", func(t *testing.T) {
		t.Parallel()
		s := newShelf(t)
		const numbers = 500
		var all sync.WaitGroup
		for i := range 8 {
			all.Go(func() {
				var got []int64
				for len(got) < numbers {
					ctx, cancel := context.WithCancel(t.Context())
					r := s.reader(ctx, live.StartPosition[int64]{AfterPosition: int64(len(got)), HasMore: true})
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
