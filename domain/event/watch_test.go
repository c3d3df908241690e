package event_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"

	"rostrum/dbx"
	"rostrum/domain/event"
	"rostrum/live"
	"rostrum/model"
	"rostrum/testkit"
)

const patience = 30 * time.Second

// process is one of several on a database and a Redis.
func process(t *testing.T, db *dbx.DB, news live.Config) *event.Service {
	t.Helper()
	s := event.New(db, testkit.OpenLive(t, news))
	s.Hasten()
	return s
}

// next waits for a watcher's next event.
func next(t *testing.T, events <-chan *model.Event) *model.Event {
	t.Helper()
	select {
	case e, ok := <-events:
		if !ok {
			t.Fatal("the stream has ended")
		}
		return e
	case <-time.After(patience):
		t.Fatal("no event came")
	}
	return nil
}

// consumer reads a feed in whatever way comes next, and goes on behind the last id that it has seen.
type consumer struct {
	t         *testing.T
	services  []*event.Service
	workspace string
	types     []string
	after     string
	got       []string
}

func (c *consumer) until(total int) {
	for deadline := time.Now().Add(patience); len(c.got) < total && !c.t.Failed(); {
		if time.Now().After(deadline) {
			c.t.Errorf("%d events of %d came", len(c.got), total)
			return
		}
		s := c.services[rand.IntN(len(c.services))]
		if rand.IntN(2) == 0 {
			c.page(s, 1+rand.IntN(7))
		} else {
			c.watch(s, min(1+rand.IntN(7), total-len(c.got)))
		}
	}
}

func (c *consumer) page(s *event.Service, first int) {
	page, err := s.Page(c.t.Context(), c.workspace, &c.after, c.types, first)
	if err != nil {
		c.t.Error(err)
		return
	}
	for _, e := range page.Events {
		c.got = append(c.got, e.ID)
	}
	c.after = page.NextCursor
}

func (c *consumer) watch(s *event.Service, n int) {
	ctx, cancel := context.WithTimeout(c.t.Context(), patience)
	defer cancel()
	events, err := s.Watch(ctx, c.workspace, &c.after, c.types)
	if err != nil {
		c.t.Error(err)
		return
	}
	for range n {
		e, ok := <-events
		if !ok {
			c.t.Error("the stream ended early")
			return
		}
		c.got = append(c.got, e.ID)
		c.after = e.ID
	}
}

// batch is some events of two workspaces; a third of them are conversions.
func batch(ids []string, n int) []*model.Event {
	var events []*model.Event
	for i := range n {
		events = append(events, opened(ids[i%2], 1)...)
		if i%3 == 0 {
			events[i].Event = model.EventConversion
			events[i].Viewer = []byte(`{"value":"` + strings.Repeat("x", rand.IntN(3)*10_000) + `"}`) // some are too large for news
		}
	}
	return events
}

func TestSwitching(t *testing.T) {
	testkit.EachDB(t, func(t *testing.T, db *dbx.DB) {
		for _, kind := range testkit.Redises(t) {
			t.Run(kind.Name, func(t *testing.T) {
				switching(t, db, kind.Config(), func() {})
			})
		}
		t.Run("without redis", func(t *testing.T) {
			switching(t, db, live.Config{Address: "redis://127.0.0.1:1", Namespace: "dead"}, func() {})
		})
		t.Run("redis is cut and comes back", func(t *testing.T) {
			server := miniredis.RunT(t)
			switching(t, db, live.Config{Address: "redis://" + server.Addr(), Namespace: "cut"}, func() {
				server.Close()
				time.Sleep(200 * time.Millisecond)
				if err := server.Restart(); err != nil {
					t.Error(err)
				}
			})
		})
	})
}

// switching lets several processes append while consumers switch between ways, and finds every event once and in order with each of them.
func switching(t *testing.T, db *dbx.DB, config live.Config, meanwhile func()) {
	const appenders, batches = 4, 25
	services := []*event.Service{process(t, db, config), process(t, db, config)}
	if config.Address == "" {
		services[1] = services[0] // an embedded Redis serves one process
	}
	ids := workspaces(t, db, 2)
	var consumers []*consumer
	for _, types := range [][]string{nil, nil, {model.EventConversion}} {
		page, err := services[0].Page(t.Context(), ids[0], nil, types, 10)
		if err != nil || len(page.Events) != 0 {
			t.Fatalf("%v, %v", page, err)
		}
		consumers = append(consumers, &consumer{t: t, services: services, workspace: ids[0], types: types, after: page.NextCursor})
	}
	var all sync.WaitGroup
	for i := range appenders {
		all.Go(func() {
			for range batches {
				appendAll(t, db, services[i%2], batch(ids, 6))
				time.Sleep(time.Duration(rand.IntN(10)) * time.Millisecond)
			}
		})
	}
	for _, c := range consumers {
		total := appenders * batches * 3
		if c.types != nil {
			total = appenders * batches // of six events the first and the fourth convert, and the first is of this workspace
		}
		all.Go(func() { c.until(total) })
	}
	all.Go(meanwhile)
	all.Wait()
	for _, c := range consumers {
		var want []string
		for _, e := range stored(t, db, ids[0]) {
			if c.types == nil || slices.Contains(c.types, e.Event) {
				want = append(want, e.ID)
			}
		}
		if !slices.Equal(c.got, want) {
			t.Errorf("a consumer of %v got %d events, %d are stored; or their order differs", c.types, len(c.got), len(want))
		}
	}
}

func TestWatch(t *testing.T) {
	testkit.EachDB(t, func(t *testing.T, db *dbx.DB) {
		for _, kind := range testkit.Redises(t) {
			t.Run("the news carry events, so that followers do not read "+kind.Name, func(t *testing.T) {
				const watchers, batches = 20, 10
				config := kind.Config()
				near := testkit.OpenLive(t, config)
				far := testkit.OpenLive(t, config)
				for !far.Connected() || !near.Connected() {
					time.Sleep(time.Millisecond)
				}
				a, b := event.New(db, near), event.New(db, far)
				if config.Address == "" {
					b = a // an embedded Redis serves one process
				}
				b.Hasten()
				id := workspaces(t, db, 1)[0]
				ctx, statements := dbx.WithCounter(t.Context())
				var streams []<-chan *model.Event
				for range watchers {
					events, err := b.Watch(ctx, id, nil, nil)
					if err != nil {
						t.Fatal(err)
					}
					streams = append(streams, events)
				}
				for range batches {
					appendAll(t, db, a, opened(id, 10))
					for _, events := range streams {
						for range 10 {
							next(t, events)
						}
					}
				}
				// each finds the end to begin with, looks behind it once, and once more should the connection have come up meanwhile
				if n := statements.Load(); n > 3*watchers {
					t.Errorf("%d statements for %d events to %d watchers", n, batches*10, watchers)
				}
			})
		}
		t.Run("without after only what happens next comes", func(t *testing.T) {
			s := process(t, db, live.Config{Namespace: "next"})
			ids := workspaces(t, db, 2)
			appendAll(t, db, s, opened(ids[0], 2))
			events, err := s.Watch(t.Context(), ids[0], nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			more := append(opened(ids[1], 1), opened(ids[0], 1)...)
			appendAll(t, db, s, more)
			if e := next(t, events); e.ID != more[1].ID || e.Position != 3 || string(e.Viewer) != string(more[1].Viewer) || *e.Link != *more[1].Link || !e.Timestamp.Equal(more[1].Timestamp) {
				t.Errorf("%+v came", e)
			}
		})
		t.Run("a reader may be slow and may go", func(t *testing.T) {
			s := process(t, db, live.Config{Namespace: "slow"})
			id := workspaces(t, db, 1)[0]
			ctx, cancel := context.WithCancel(t.Context())
			events, err := s.Watch(ctx, id, nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			for range 100 { // more news than a subscription holds
				appendAll(t, db, s, opened(id, 12))
			}
			for i := range 1200 {
				if e := next(t, events); e.Position != int64(i)+1 {
					t.Fatalf("event %d is at %d", i, e.Position)
				}
			}
			cancel()
			for range events {
			}
		})
	})
}

func TestPages(t *testing.T) {
	testkit.EachDB(t, func(t *testing.T, db *dbx.DB) {
		s := process(t, db, live.Config{Namespace: "page"})
		t.Run("a page goes on behind a cursor", func(t *testing.T) {
			id := workspaces(t, db, 1)[0]
			if page := pageOf(t, s, id, nil, nil, 2); len(page.Events) != 0 || page.NextCursor != event.Start {
				t.Errorf("an empty feed: %+v", page)
			}
			events := batch([]string{id, id}, 5)
			appendAll(t, db, s, events)
			after := event.Start
			for _, want := range [][]*model.Event{events[:2], events[2:4], events[4:], {}} {
				page := pageOf(t, s, id, &after, nil, 2)
				if !slices.Equal(idsOf(page.Events), idsOf(want)) {
					t.Errorf("behind %s: %v, want %v", after, idsOf(page.Events), idsOf(want))
				}
				after = page.NextCursor
			}
			if after != events[4].ID {
				t.Errorf("the last cursor is %s", after)
			}
			page := pageOf(t, s, id, nil, []string{model.EventConversion}, 10)
			if !slices.Equal(idsOf(page.Events), idsOf([]*model.Event{events[0], events[3]})) || page.NextCursor != events[4].ID {
				t.Errorf("conversions: %v, then %s", idsOf(page.Events), page.NextCursor)
			}
		})
		t.Run("a wrong cursor or type is named", func(t *testing.T) {
			ids := workspaces(t, db, 2)
			theirs := opened(ids[1], 1)
			appendAll(t, db, s, theirs)
			for _, after := range []string{theirs[0].ID, "evt_x", "", model.NewID("evt"), strings.Replace(theirs[0].ID, "evt", "lnk", 1)} {
				_, page := s.Page(t.Context(), ids[0], &after, nil, 1)
				_, watch := s.Watch(t.Context(), ids[0], &after, nil)
				for _, err := range []error{page, watch} {
					refused(t, err, "after")
				}
			}
			_, page := s.Page(t.Context(), ids[0], nil, []string{"conversion", "link.closed"}, 1)
			_, watch := s.Watch(t.Context(), ids[0], nil, []string{"stale"})
			refused(t, page, "types")
			refused(t, watch, "types")
		})
	})
}

func pageOf(t *testing.T, s *event.Service, id string, after *string, types []string, first int) *model.EventPage {
	t.Helper()
	page, err := s.Page(t.Context(), id, after, types, first)
	if err != nil {
		t.Fatal(err)
	}
	return page
}

func idsOf(events []*model.Event) []string {
	ids := make([]string, len(events))
	for i, e := range events {
		ids[i] = fmt.Sprint(e.Position, " ", e.ID)
	}
	return ids
}
