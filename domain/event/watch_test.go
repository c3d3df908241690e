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
	"rostrum/model"
	"rostrum/platform/live"
	"rostrum/test/kit/dbtest"
	"rostrum/test/kit/poll"
)

const waitLimit = time.Minute

// newProcess returns a service that shares a database and a Redis with others.
func newProcess(t *testing.T, db *dbx.DB, config live.Config) *event.Service {
	t.Helper()
	s := event.New(event.Config{DB: db, Live: dbtest.OpenLive(t, config)})
	s.ShortenIntervals()
	return s
}

// nextEvent waits for the next event of a stream.
func nextEvent(t *testing.T, events <-chan *model.Event) *model.Event {
	t.Helper()
	select {
	case e, ok := <-events:
		if !ok {
			t.Fatal("the stream ended")
		}
		return e
	case <-time.After(waitLimit):
		t.Fatal("no event was received")
	}
	return nil
}

// feedConsumer reads a feed by pages and streams in random order, always after the last id it got.
type feedConsumer struct {
	t         *testing.T
	services  []*event.Service
	workspace string
	types     []model.EventType
	after     string
	got       []string
}

func (c *feedConsumer) consumeUntil(total int) {
	for deadline := time.Now().Add(waitLimit); len(c.got) < total && !c.t.Failed(); {
		if time.Now().After(deadline) {
			c.t.Errorf("received %d of %d events", len(c.got), total)
			return
		}
		s := c.services[rand.IntN(len(c.services))]
		if rand.IntN(2) == 0 {
			c.readPage(s, 1+rand.IntN(7))
		} else {
			c.readStream(s, min(1+rand.IntN(7), total-len(c.got)))
		}
	}
}

func (c *feedConsumer) readPage(s *event.Service, first int) {
	page, err := s.Page(c.t.Context(), c.workspace, model.PageArgs{First: &first, After: &c.after}, c.types)
	if err != nil {
		c.t.Error(err)
		return
	}
	for _, e := range page.Nodes {
		c.got = append(c.got, e.ID)
	}
	c.after = *page.End
}

func (c *feedConsumer) readStream(s *event.Service, n int) {
	ctx, cancel := context.WithTimeout(c.t.Context(), waitLimit)
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

// mixedEvents returns n events of two workspaces; a third of them are conversions.
func mixedEvents(ids []string, n int) []*model.Event {
	var events []*model.Event
	for i := range n {
		events = append(events, newEvents(ids[i%2], 1)...)
		if i%3 == 0 {
			events[i].Event = model.EventConversion
			// some are too large for a notification
			events[i].Viewer = []byte(`{"value":"` + strings.Repeat("x", rand.IntN(3)*10_000) + `"}`)
		}
	}
	return events
}

func TestSwitchBetweenPagesAndStreams(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		for _, kind := range dbtest.RedisKinds(t) {
			t.Run(kind.Name, func(t *testing.T) {
				checkSwitching(t, db, kind.Config(), func() {})
			})
		}
		t.Run("without redis", func(t *testing.T) {
			checkSwitching(t, db, live.Config{Address: "redis://127.0.0.1:1", Namespace: "dead"}, func() {})
		})
		t.Run("redis disconnects and reconnects", func(t *testing.T) {
			server := miniredis.RunT(t)
			checkSwitching(t, db, live.Config{Address: "redis://" + server.Addr(), Namespace: "cut"}, func() {
				server.Close()
				time.Sleep(200 * time.Millisecond)
				if err := server.Restart(); err != nil {
					t.Error(err)
				}
			})
		})
	})
}

// checkSwitching appends from several services while consumers switch between pages and streams.
// Each consumer must receive every event once and in order.
func checkSwitching(t *testing.T, db *dbx.DB, config live.Config, disturb func()) {
	const appenders, batches = 4, 25
	services := []*event.Service{newProcess(t, db, config), newProcess(t, db, config)}
	if config.Address == "" {
		services[1] = services[0] // an embedded Redis serves one process
	}
	ids := createWorkspaces(t, db, 2)
	var consumers []*feedConsumer
	for _, types := range [][]model.EventType{nil, nil, {model.EventTypeConversion}} {
		page, err := services[0].Page(t.Context(), ids[0], model.PageArgs{}, types)
		if err != nil || len(page.Nodes) != 0 {
			t.Fatalf("%v, %v", page, err)
		}
		consumers = append(consumers, &feedConsumer{t: t, services: services, workspace: ids[0], types: types,
			after: *page.End})
	}
	var group sync.WaitGroup
	for i := range appenders {
		group.Go(func() {
			for range batches {
				appendAll(t, db, services[i%2], mixedEvents(ids, 6))
				time.Sleep(time.Duration(rand.IntN(10)) * time.Millisecond)
			}
		})
	}
	for _, c := range consumers {
		total := appenders * batches * 3
		if c.types != nil {
			// of six events the first and the fourth are conversions, and the first belongs to this workspace
			total = appenders * batches
		}
		group.Go(func() { c.consumeUntil(total) })
	}
	group.Go(disturb)
	group.Wait()
	for _, c := range consumers {
		var want []string
		for _, e := range storedEvents(t, db, ids[0]) {
			if c.types == nil || slices.Contains(c.types, model.EventType(e.Event)) {
				want = append(want, e.ID)
			}
		}
		if !slices.Equal(c.got, want) {
			t.Errorf("a consumer of %v got %d events, %d are stored; or their order differs", c.types, len(c.got),
				len(want))
		}
	}
}

func TestWatch(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		for _, kind := range dbtest.RedisKinds(t) {
			t.Run("notifications contain events, so that watchers run no query "+kind.Name, func(t *testing.T) {
				const watchers, batches = 20, 10
				config := kind.Config()
				first := dbtest.OpenLive(t, config)
				second := dbtest.OpenLive(t, config)
				poll.Until(t, func() bool { return second.Connected() && first.Connected() }, "not connected")
				a, b := event.New(event.Config{DB: db, Live: first}), event.New(event.Config{DB: db, Live: second})
				if config.Address == "" {
					b = a // an embedded Redis serves one process
				}
				b.ShortenIntervals()
				id := createWorkspaces(t, db, 1)[0]
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
					appendAll(t, db, a, newEvents(id, 10))
					for _, events := range streams {
						for range 10 {
							nextEvent(t, events)
						}
					}
				}
				// Each watcher reads the end of the feed and then newer events. While Redis is slow
				// the feed is read as well, but never by each watcher for each batch.
				if n := statements.Load(); n >= watchers*batches {
					t.Errorf("%d statements for %d events to %d watchers", n, batches*10, watchers)
				}
			})
		}
		t.Run("without after only new events are sent", func(t *testing.T) {
			s := newProcess(t, db, live.Config{Namespace: "next"})
			ids := createWorkspaces(t, db, 2)
			appendAll(t, db, s, newEvents(ids[0], 2))
			events, err := s.Watch(t.Context(), ids[0], nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			more := append(newEvents(ids[1], 1), newEvents(ids[0], 1)...)
			appendAll(t, db, s, more)
			if e := nextEvent(t, events); e.ID != more[1].ID || e.Position != 3 ||
				string(e.Viewer) != string(more[1].Viewer) || *e.Link != *more[1].Link ||
				!e.Timestamp.Equal(more[1].Timestamp) {
				t.Errorf("received %+v", e)
			}
		})
		t.Run("a reader may be slow and may cancel", func(t *testing.T) {
			s := newProcess(t, db, live.Config{Namespace: "slow"})
			id := createWorkspaces(t, db, 1)[0]
			ctx, cancel := context.WithCancel(t.Context())
			events, err := s.Watch(ctx, id, nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			for range 100 { // more notifications than a subscription buffers
				appendAll(t, db, s, newEvents(id, 12))
			}
			for i := range 1200 {
				if e := nextEvent(t, events); e.Position != int64(i)+1 {
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
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		s := newProcess(t, db, live.Config{Namespace: "page"})
		t.Run("a page starts after the cursor", func(t *testing.T) {
			id := createWorkspaces(t, db, 1)[0]
			if page := readPage(t, s, id, nil, nil, 2); len(page.Nodes) != 0 || *page.End != event.StartCursor {
				t.Errorf("the page of an empty feed is %+v", page)
			}
			events := mixedEvents([]string{id, id}, 5)
			appendAll(t, db, s, events)
			after := event.StartCursor
			for _, want := range [][]*model.Event{events[:2], events[2:4], events[4:], {}} {
				page := readPage(t, s, id, &after, nil, 2)
				if !slices.Equal(eventIDs(page.Nodes), eventIDs(want)) {
					t.Errorf("after %s: %v, want %v", after, eventIDs(page.Nodes), eventIDs(want))
				}
				after = *page.End
			}
			if after != events[4].ID {
				t.Errorf("the last cursor is %s", after)
			}
			page := readPage(t, s, id, nil, []model.EventType{model.EventTypeConversion}, 10)
			if !slices.Equal(eventIDs(page.Nodes), eventIDs([]*model.Event{events[0], events[3]})) ||
				*page.End != events[4].ID {
				t.Errorf("conversions: %v, then %s", eventIDs(page.Nodes), *page.End)
			}
		})
		t.Run("a page ends before the cursor", func(t *testing.T) {
			id := createWorkspaces(t, db, 1)[0]
			events := mixedEvents([]string{id, id}, 5)
			appendAll(t, db, s, events)
			args := model.PageArgs{Last: new(2)}
			for i, want := range [][]*model.Event{events[3:], events[1:3], events[:1], {}} {
				page, err := s.Page(t.Context(), id, args, nil)
				if err != nil || !slices.Equal(eventIDs(page.Nodes), eventIDs(want)) || page.Before != (i < 2) ||
					page.Behind != (i > 0) {
					t.Fatalf("%d: %+v (%v), want %v", i, page, err, eventIDs(want))
				}
				info := page.PageInfo()
				if args.Before = info.StartCursor; len(want) > 0 && (info.EndCursor == nil ||
					*info.EndCursor != want[len(want)-1].ID) {
					t.Errorf("%d: the page ends at %v", i, info.EndCursor)
				}
				if n, err := page.TotalCount(t.Context()); n != len(events) || err != nil {
					t.Errorf("%d events in all (%v)", n, err)
				}
			}
			_, err := s.Page(t.Context(), id, model.PageArgs{First: new(1), Last: new(1)}, nil)
			wantInvalidField(t, err, "last")
		})
		t.Run("an invalid cursor or type is a field error", func(t *testing.T) {
			ids := createWorkspaces(t, db, 2)
			theirs := newEvents(ids[1], 1)
			appendAll(t, db, s, theirs)
			for _, after := range []string{theirs[0].ID, "evt_x", "", model.NewID("evt"),
				strings.Replace(theirs[0].ID, "evt", "lnk", 1)} {
				_, page := s.Page(t.Context(), ids[0], model.PageArgs{After: &after}, nil)
				_, watch := s.Watch(t.Context(), ids[0], &after, nil)
				for _, err := range []error{page, watch} {
					wantInvalidField(t, err, "after")
				}
			}
			_, page := s.Page(t.Context(), ids[0], model.PageArgs{}, []model.EventType{"conversion", "link.closed"})
			_, watch := s.Watch(t.Context(), ids[0], nil, []model.EventType{"stale"})
			wantInvalidField(t, page, "types")
			wantInvalidField(t, watch, "types")
		})
	})
}

func readPage(t *testing.T, s *event.Service, id string, after *string, types []model.EventType,
	first int) *model.EventConnection {
	t.Helper()
	page, err := s.Page(t.Context(), id, model.PageArgs{First: &first, After: after}, types)
	if err != nil {
		t.Fatal(err)
	}
	return page
}

func eventIDs(events []*model.Event) []string {
	ids := make([]string, len(events))
	for i, e := range events {
		ids[i] = fmt.Sprint(e.Position, " ", e.ID)
	}
	return ids
}
