package live_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"rostrum/platform/live"
	"rostrum/test/kit/dbtest"
)

// versionedItem is an item with a version.
type versionedItem struct {
	ID      string
	Version int64
	At      time.Time
}

// versionSource is a database of items that counts its queries.
type versionSource struct {
	live    *live.Live
	feeds   *live.LatestStates[versionedItem]
	mu      sync.Mutex
	items   map[string]versionedItem
	opened  atomic.Int64
	queries atomic.Int64
}

func newWall(t *testing.T, pause time.Duration) *versionSource {
	t.Helper()
	w := &versionSource{live: dbtest.OpenLive(t, live.Config{Namespace: "wall"}), items: map[string]versionedItem{}}
	awaitCondition(t, "connected", w.live.Connected)
	w.feeds = live.NewLatestStates[versionedItem](w.live, func() time.Duration { return pause })
	return w
}

func (w *versionSource) newFeed(name string) live.LatestState[versionedItem] {
	return live.LatestState[versionedItem]{
		Topic: "things", Name: name,
		Decode: func(_ context.Context, payload []byte) (one versionedItem, err error) {
			w.opened.Add(1)
			if string(payload) == "heavy" {
				return one, errors.New("the notification does not contain the item")
			}
			return one, json.Unmarshal(payload, &one)
		},
		Changed: func(_ context.Context, after live.Change, most int) ([]versionedItem, error) {
			w.queries.Add(1)
			w.mu.Lock()
			defer w.mu.Unlock()
			var list []versionedItem
			for _, one := range w.items {
				if at := one.At.Compare(after.At); at > 0 || at == 0 && one.ID > after.ID {
					list = append(list, one)
				}
			}
			slices.SortFunc(list, func(a, b versionedItem) int {
				if a.At.Equal(b.At) {
					return int(a.Version - b.Version)
				}
				return a.At.Compare(b.At)
			})
			return list[:min(len(list), most)], nil
		},
		ChangeOf: func(one versionedItem) live.Change {
			return live.Change{ID: one.ID, Version: one.Version, At: one.At}
		},
	}
}

// update increments an item's version and returns its notification.
func (w *versionSource) update(id string) []byte {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.items[id] = versionedItem{id, w.items[id].Version + 1, time.Now()}
	payload, _ := json.Marshal(w.items[id])
	return payload
}

func (w *versionSource) read(t *testing.T, name string) <-chan versionedItem {
	t.Helper()
	things, err := w.feeds.Read(t.Context(), time.Time{}, w.newFeed(name))
	if err != nil {
		t.Fatal(err)
	}
	return things
}

func wantVersion(t *testing.T, from <-chan versionedItem, id string, version int64) {
	t.Helper()
	select {
	case got := <-from:
		if got.ID != id || got.Version != version {
			t.Fatalf("received %s in version %d, want %s in %d", got.ID, got.Version, id, version)
		}
	case <-time.After(testTimeout):
		t.Fatalf("%s was not received", id)
	}
}

func TestLatestState(t *testing.T) {
	t.Parallel()
	t.Run("notifications are decoded once for equal readers", func(t *testing.T) {
		t.Parallel()
		w := newWall(t, time.Hour)
		w.update("before")
		var readers []<-chan versionedItem
		for range 50 {
			readers = append(readers, w.read(t, "all"))
		}
		other := w.read(t, "others")
		for n := range int64(100) {
			w.live.Publish(t.Context(), "things", w.update("a"))
			for _, r := range readers {
				wantVersion(t, r, "a", n+1)
			}
			wantVersion(t, other, "a", n+1)
		}
		if opened, asked := w.opened.Load(), w.queries.Load(); opened != 200 || asked != 2 {
			t.Errorf("100 notifications were decoded %d times for two feeds with %d database queries", opened, asked)
		}
	})
	t.Run("lost notifications are replaced by one query", func(t *testing.T) {
		t.Parallel()
		w := newWall(t, time.Hour)
		r := w.read(t, "all")
		notification := w.update("a")
		w.live.Publish(t.Context(), "things", notification)
		wantVersion(t, r, "a", 1)
		w.update("b")
		w.live.Publish(t.Context(), "things", []byte("heavy"))
		wantVersion(t, r, "b", 1)
		w.live.Publish(t.Context(), "things", notification)
		w.live.Publish(t.Context(), "things", w.update("c"))
		wantVersion(t, r, "c", 1)
	})
	t.Run("without notifications the database is polled", func(t *testing.T) {
		t.Parallel()
		w := newWall(t, 20*time.Millisecond)
		r := w.read(t, "all")
		w.update("a")
		wantVersion(t, r, "a", 1)
		w.update("a")
		wantVersion(t, r, "a", 2)
	})
	t.Run("a slow reader does not block others and receives the latest state of each item", func(t *testing.T) {
		t.Parallel()
		w := newWall(t, time.Hour)
		slow, quick := w.read(t, "all"), w.read(t, "all")
		const things = 700
		for n := range int64(3 * things) {
			id := strconv.FormatInt(n%things, 10)
			w.live.Publish(t.Context(), "things", w.update(id))
			wantVersion(t, quick, id, n/things+1)
		}
		latest := map[string]int64{}
		for len(latest) < things || slices.Min(values(latest)) < 3 {
			select {
			case one := <-slow:
				if one.Version <= latest[one.ID] {
					t.Fatalf("received %s in version %d after %d", one.ID, one.Version, latest[one.ID])
				}
				latest[one.ID] = one.Version
			case <-time.After(testTimeout):
				t.Fatalf("received %d of %d items", len(latest), things)
			}
		}
		w.live.Publish(t.Context(), "things", w.update("last"))
		wantVersion(t, quick, "last", 1)
		wantVersion(t, slow, "last", 1)
	})
	t.Run("a reader that starts in the past receives the states that changed since then, then the changes",
		func(t *testing.T) {
			t.Parallel()
			w := newWall(t, time.Hour)
			current := w.read(t, "all")
			w.mu.Lock()
			w.items["old"] = versionedItem{"old", 1, time.Now().Add(-time.Hour)}
			w.items["past"] = versionedItem{"past", 2, time.Now().Add(-10 * time.Minute)}
			w.mu.Unlock()
			resumed, err := w.feeds.Read(t.Context(), time.Now().Add(-30*time.Minute), w.newFeed("all"))
			if err != nil {
				t.Fatal(err)
			}
			wantVersion(t, resumed, "past", 2)
			w.live.Publish(t.Context(), "things", w.update("new"))
			wantVersion(t, resumed, "new", 1)
			wantVersion(t, current, "new", 1)
		})
	t.Run("a feed without readers is closed", func(t *testing.T) {
		t.Parallel()
		w := newWall(t, time.Hour)
		ctx, cancel := context.WithCancel(t.Context())
		things, err := w.feeds.Read(ctx, time.Time{}, w.newFeed("all"))
		if err != nil {
			t.Fatal(err)
		}
		cancel()
		if _, open := <-things; open {
			t.Error("received an item")
		}
		awaitCondition(t, "no topic is followed", func() bool { return w.live.SubscribedTopics() == 0 })
	})
	t.Run("a database failure is returned at once", func(t *testing.T) {
		t.Parallel()
		w := newWall(t, time.Hour)
		of := w.newFeed("all")
		away := errors.New("away")
		of.Changed = func(context.Context, live.Change, int) ([]versionedItem, error) { return nil, away }
		if _, err := w.feeds.Read(t.Context(), time.Time{}, of); !errors.Is(err, away) {
			t.Errorf("the error is %v", err)
		}
		w.read(t, "all") // the database responds again
	})
}

func values(m map[string]int64) []int64 {
	var list []int64
	for _, v := range m {
		list = append(list, v)
	}
	return list
}
