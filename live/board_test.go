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

	"rostrum/live"
	"rostrum/testkit"
)

// thing is in one of its versions.
type thing struct {
	ID      string
	Version int64
	At      time.Time
}

// wall is a database of things that counts how often it is asked.
type wall struct {
	live   *live.Live
	boards *live.Boards[thing]
	mu     sync.Mutex
	things map[string]thing
	opened atomic.Int64
	asked  atomic.Int64
}

func newWall(t *testing.T, pause time.Duration) *wall {
	t.Helper()
	w := &wall{live: testkit.OpenLive(t, live.Config{Namespace: "wall"}), things: map[string]thing{}}
	until(t, "connected", w.live.Connected)
	w.boards = live.NewBoards[thing](w.live, func() time.Duration { return pause })
	return w
}

func (w *wall) board(name string) live.Board[thing] {
	return live.Board[thing]{
		Topic: "things", Name: name,
		Open: func(_ context.Context, payload []byte) (one thing, err error) {
			w.opened.Add(1)
			if string(payload) == "heavy" {
				return one, errors.New("the news do not carry the thing")
			}
			return one, json.Unmarshal(payload, &one)
		},
		Changed: func(_ context.Context, behind live.Change, most int) ([]thing, error) {
			w.asked.Add(1)
			w.mu.Lock()
			defer w.mu.Unlock()
			var list []thing
			for _, one := range w.things {
				if at := one.At.Compare(behind.At); at > 0 || at == 0 && one.ID > behind.ID {
					list = append(list, one)
				}
			}
			slices.SortFunc(list, func(a, b thing) int {
				if a.At.Equal(b.At) {
					return int(a.Version - b.Version)
				}
				return a.At.Compare(b.At)
			})
			return list[:min(len(list), most)], nil
		},
		Of: func(one thing) live.Change { return live.Change{ID: one.ID, Version: one.Version, At: one.At} },
	}
}

// change brings a thing into its next version, and gives the news of it.
func (w *wall) change(id string) []byte {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.things[id] = thing{id, w.things[id].Version + 1, time.Now()}
	payload, _ := json.Marshal(w.things[id])
	return payload
}

func (w *wall) read(t *testing.T, name string) <-chan thing {
	t.Helper()
	things, err := w.boards.Read(t.Context(), w.board(name))
	if err != nil {
		t.Fatal(err)
	}
	return things
}

func wantThing(t *testing.T, from <-chan thing, id string, version int64) {
	t.Helper()
	select {
	case got := <-from:
		if got.ID != id || got.Version != version {
			t.Fatalf("%s comes in version %d, want %s in %d", got.ID, got.Version, id, version)
		}
	case <-time.After(patience):
		t.Fatalf("%s does not come", id)
	}
}

func TestBoards(t *testing.T) {
	t.Parallel()
	t.Run("news are read once for all who read the same", func(t *testing.T) {
		t.Parallel()
		w := newWall(t, time.Hour)
		w.change("before")
		var readers []<-chan thing
		for range 50 {
			readers = append(readers, w.read(t, "all"))
		}
		other := w.read(t, "others")
		for n := range int64(100) {
			w.live.Publish(t.Context(), "things", w.change("a"))
			for _, r := range readers {
				wantThing(t, r, "a", n+1)
			}
			wantThing(t, other, "a", n+1)
		}
		if opened, asked := w.opened.Load(), w.asked.Load(); opened != 200 || asked != 2 {
			t.Errorf("100 news were read %d times for two boards, and the database %d times", opened, asked)
		}
	})
	t.Run("lost news are made up for, once", func(t *testing.T) {
		t.Parallel()
		w := newWall(t, time.Hour)
		r := w.read(t, "all")
		told := w.change("a")
		w.live.Publish(t.Context(), "things", told)
		wantThing(t, r, "a", 1)
		w.change("b")
		w.live.Publish(t.Context(), "things", []byte("heavy"))
		wantThing(t, r, "b", 1)
		w.live.Publish(t.Context(), "things", told)
		w.live.Publish(t.Context(), "things", w.change("c"))
		wantThing(t, r, "c", 1)
	})
	t.Run("without news the database is looked into", func(t *testing.T) {
		t.Parallel()
		w := newWall(t, 20*time.Millisecond)
		r := w.read(t, "all")
		w.change("a")
		wantThing(t, r, "a", 1)
		w.change("a")
		wantThing(t, r, "a", 2)
	})
	t.Run("who does not read holds nobody, and finds what each thing has become", func(t *testing.T) {
		t.Parallel()
		w := newWall(t, time.Hour)
		slow, quick := w.read(t, "all"), w.read(t, "all")
		const things = 700
		for n := range int64(3 * things) {
			id := strconv.FormatInt(n%things, 10)
			w.live.Publish(t.Context(), "things", w.change(id))
			wantThing(t, quick, id, n/things+1)
		}
		latest := map[string]int64{}
		for len(latest) < things || slices.Min(values(latest)) < 3 {
			select {
			case one := <-slow:
				if one.Version <= latest[one.ID] {
					t.Fatalf("%s comes in version %d after %d", one.ID, one.Version, latest[one.ID])
				}
				latest[one.ID] = one.Version
			case <-time.After(patience):
				t.Fatalf("%d of %d things have come", len(latest), things)
			}
		}
		w.live.Publish(t.Context(), "things", w.change("last"))
		wantThing(t, quick, "last", 1)
		wantThing(t, slow, "last", 1)
	})
	t.Run("nothing is left of a board without readers", func(t *testing.T) {
		t.Parallel()
		w := newWall(t, time.Hour)
		ctx, cancel := context.WithCancel(t.Context())
		things, err := w.boards.Read(ctx, w.board("all"))
		if err != nil {
			t.Fatal(err)
		}
		cancel()
		if _, open := <-things; open {
			t.Error("something came")
		}
		until(t, "no topic is followed", func() bool { return w.live.Followers() == 0 })
	})
	t.Run("a database that is away is said at once", func(t *testing.T) {
		t.Parallel()
		w := newWall(t, time.Hour)
		of := w.board("all")
		away := errors.New("away")
		of.Changed = func(context.Context, live.Change, int) ([]thing, error) { return nil, away }
		if _, err := w.boards.Read(t.Context(), of); !errors.Is(err, away) {
			t.Errorf("it says %v", err)
		}
		w.read(t, "all") // with a database that is there
	})
}

func values(m map[string]int64) []int64 {
	var list []int64
	for _, v := range m {
		list = append(list, v)
	}
	return list
}
