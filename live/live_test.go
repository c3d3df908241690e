package live_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"

	"rostrum/live"
	"rostrum/testkit"
)

const patience = 30 * time.Second

func next(t *testing.T, s *live.Subscription) string {
	t.Helper()
	select {
	case payload := <-s.C():
		return string(payload)
	case <-time.After(patience):
		t.Fatal("no news")
	}
	return ""
}

func missed(t *testing.T, s *live.Subscription) {
	t.Helper()
	select {
	case <-s.Missed():
	case <-time.After(patience):
		t.Fatal("no signal that news were missed")
	}
}

func until(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !holds(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not within %v: %s", patience, what)
		}
	}
}

func subscribe(t *testing.T, l *live.Live, topic string) *live.Subscription {
	t.Helper()
	s := l.Subscribe(topic)
	t.Cleanup(s.Close)
	return s
}

func TestPublish(t *testing.T) {
	t.Run("own followers get the news once and in order", func(t *testing.T) {
		testkit.EachRedis(t, func(t *testing.T, kind testkit.RedisKind) {
			l := kind.Open(t)
			until(t, "connected", l.Connected)
			mine, other := subscribe(t, l, "mine"), subscribe(t, l, "other")
			for i := range 20 {
				l.Publish(t.Context(), "mine", fmt.Append(nil, i))
			}
			l.Publish(t.Context(), "other", []byte("end"))
			for i := range 20 {
				if got := next(t, mine); got != fmt.Sprint(i) {
					t.Fatalf("news %d is %q", i, got)
				}
			}
			if got := next(t, other); got != "end" || len(mine.C()) != 0 {
				t.Errorf("the other topic got %q, and %d news came twice", got, len(mine.C()))
			}
		})
	})
	t.Run("followers in another process get them too", func(t *testing.T) {
		one, two := pair(t, miniredis.RunT(t))
		far := subscribe(t, two, "mine")
		one.Publish(t.Context(), "mine", []byte("hello"))
		if got := next(t, far); got != "hello" {
			t.Errorf("got %q", got)
		}
	})
	t.Run("another namespace hears nothing", func(t *testing.T) {
		server := miniredis.RunT(t)
		one, two := pair(t, server)
		stranger := testkit.OpenLive(t, live.Config{Address: "redis://" + server.Addr(), Namespace: "strange"})
		until(t, "connected", stranger.Connected)
		far, strange := subscribe(t, two, "mine"), subscribe(t, stranger, "mine")
		one.Publish(t.Context(), "mine", []byte("hello"))
		next(t, far)
		stranger.Publish(t.Context(), "mine", []byte("own"))
		if got := next(t, strange); got != "own" {
			t.Errorf("got %q from another namespace", got)
		}
	})
	t.Run("a follower that does not read is told, and holds nobody", func(t *testing.T) {
		l := testkit.OpenLive(t, live.Config{Namespace: "slow"})
		slow, quick := subscribe(t, l, "mine"), subscribe(t, l, "mine")
		for i := range 500 {
			l.Publish(t.Context(), "mine", fmt.Append(nil, i))
			if got := next(t, quick); got != fmt.Sprint(i) {
				t.Fatalf("news %d is %q", i, got)
			}
		}
		missed(t, slow)
	})
}

// pair opens two processes' connections to one Redis.
func pair(t *testing.T, server *miniredis.Miniredis) (one, two *live.Live) {
	t.Helper()
	config := live.Config{Address: "redis://" + server.Addr(), Namespace: "pair"}
	one, two = testkit.OpenLive(t, config), testkit.OpenLive(t, config)
	until(t, "both are connected", func() bool { return one.Connected() && two.Connected() })
	return one, two
}

func TestOutage(t *testing.T) {
	t.Run("a dead address is no error, and news stay within the process", func(t *testing.T) {
		l := testkit.OpenLive(t, live.Config{Address: "redis://127.0.0.1:1", Namespace: "dead"})
		s := subscribe(t, l, "mine")
		l.Publish(t.Context(), "mine", []byte("hello"))
		if got := next(t, s); got != "hello" || l.Connected() {
			t.Errorf("got %q, connected %v", got, l.Connected())
		}
	})
	t.Run("followers are told of a loss and of the return, and news go on", func(t *testing.T) {
		server := miniredis.RunT(t)
		one, two := pair(t, server)
		s := subscribe(t, two, "mine")
		server.Close()
		missed(t, s)
		until(t, "the loss is known", func() bool { return !two.Connected() })
		if err := server.Restart(); err != nil {
			t.Fatal(err)
		}
		until(t, "both are back", func() bool { return one.Connected() && two.Connected() })
		missed(t, s)
		until(t, "news arrive again", func() bool {
			one.Publish(t.Context(), "mine", []byte("hello"))
			return len(s.C()) > 0
		})
	})
	t.Run("news that were lost on the way are made known", func(t *testing.T) {
		server := miniredis.RunT(t)
		one, two := pair(t, server)
		s := subscribe(t, two, "mine")
		server.SetError("LOADING not now")
		one.Publish(t.Context(), "mine", []byte("lost"))
		one.Publish(t.Context(), "mine", []byte("lost too"))
		until(t, "both were tried", func() bool { return one.Waiting() == 0 })
		server.SetError("")
		until(t, "the loss is told", func() bool {
			one.Publish(t.Context(), "another topic", nil)
			return len(s.Missed()) > 0
		})
	})
	t.Run("an address that cannot be read is an error", func(t *testing.T) {
		if _, err := live.Open(t.Context(), live.Config{Address: "http://127.0.0.1"}); err == nil {
			t.Error("opened")
		}
	})
}

func TestEmbedded(t *testing.T) {
	l := testkit.OpenLive(t, live.Config{Namespace: "keys"})
	if err := l.Client().Set(t.Context(), l.Key("k"), "v", 150*time.Millisecond).Err(); err != nil {
		t.Fatal(err)
	}
	until(t, "the key expires", func() bool { return l.Client().Exists(t.Context(), l.Key("k")).Val() == 0 })
}
