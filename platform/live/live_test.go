package live_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"

	"rostrum/platform/live"
	"rostrum/test/kit/dbtest"
	"rostrum/test/kit/poll"
)

const testTimeout = time.Minute

func nextMessage(t *testing.T, s *live.Subscription) string {
	t.Helper()
	select {
	case payload := <-s.C():
		return string(payload)
	case <-time.After(testTimeout):
		t.Fatal("no notification")
	}
	return ""
}

func wantMissed(t *testing.T, s *live.Subscription) {
	t.Helper()
	select {
	case <-s.Missed():
	case <-time.After(testTimeout):
		t.Fatal("no signal of missed notifications")
	}
}

func awaitCondition(t *testing.T, label string, holds func() bool) {
	t.Helper()
	poll.Until(t, holds, "timeout: %s", label)
}

func subscribeTopic(t *testing.T, l *live.Live, topic string) *live.Subscription {
	t.Helper()
	s := l.Subscribe(topic)
	t.Cleanup(s.Close)
	return s
}

func TestPublish(t *testing.T) {
	t.Run("subscribers of the process receive messages once and in order", func(t *testing.T) {
		dbtest.EachRedis(t, func(t *testing.T, kind dbtest.RedisKind) {
			l := kind.Open(t)
			awaitCondition(t, "connected", l.Connected)
			mine, other := subscribeTopic(t, l, "mine"), subscribeTopic(t, l, "other")
			for i := range 20 {
				l.Publish(t.Context(), "mine", fmt.Append(nil, i))
			}
			l.Publish(t.Context(), "other", []byte("end"))
			for i := range 20 {
				if got := nextMessage(t, mine); got != fmt.Sprint(i) {
					t.Fatalf("message %d is %q", i, got)
				}
			}
			if got := nextMessage(t, other); got != "end" || len(mine.C()) != 0 {
				t.Errorf("the other topic received %q, and %d messages were repeated", got, len(mine.C()))
			}
		})
	})
	t.Run("subscribers of another process receive messages", func(t *testing.T) {
		one, two := openPair(t, miniredis.RunT(t))
		far := subscribeTopic(t, two, "mine")
		one.Publish(t.Context(), "mine", []byte("hello"))
		if got := nextMessage(t, far); got != "hello" {
			t.Errorf("got %q", got)
		}
	})
	t.Run("another namespace receives no message", func(t *testing.T) {
		server := miniredis.RunT(t)
		one, two := openPair(t, server)
		stranger := dbtest.OpenLive(t, live.Config{Address: "redis://" + server.Addr(), Namespace: "strange"})
		awaitCondition(t, "connected", stranger.Connected)
		far, strange := subscribeTopic(t, two, "mine"), subscribeTopic(t, stranger, "mine")
		one.Publish(t.Context(), "mine", []byte("hello"))
		nextMessage(t, far)
		stranger.Publish(t.Context(), "mine", []byte("own"))
		if got := nextMessage(t, strange); got != "own" {
			t.Errorf("got %q from another namespace", got)
		}
	})
	t.Run("a slow subscriber is notified of the loss and does not block others", func(t *testing.T) {
		l := dbtest.OpenLive(t, live.Config{Namespace: "slow"})
		slow, quick := subscribeTopic(t, l, "mine"), subscribeTopic(t, l, "mine")
		for i := range 500 {
			l.Publish(t.Context(), "mine", fmt.Append(nil, i))
			if got := nextMessage(t, quick); got != fmt.Sprint(i) {
				t.Fatalf("message %d is %q", i, got)
			}
		}
		wantMissed(t, slow)
	})
}

// openPair opens the connections of two processes to one Redis.
func openPair(t *testing.T, server *miniredis.Miniredis) (one, two *live.Live) {
	t.Helper()
	config := live.Config{Address: "redis://" + server.Addr(), Namespace: "pair"}
	one, two = dbtest.OpenLive(t, config), dbtest.OpenLive(t, config)
	awaitCondition(t, "both are connected", func() bool { return one.Connected() && two.Connected() })
	return one, two
}

func TestOutage(t *testing.T) {
	t.Run("an unreachable address is no error, and messages stay within the process", func(t *testing.T) {
		l := dbtest.OpenLive(t, live.Config{Address: "redis://127.0.0.1:1", Namespace: "dead"})
		s := subscribeTopic(t, l, "mine")
		l.Publish(t.Context(), "mine", []byte("hello"))
		if got := nextMessage(t, s); got != "hello" || l.Connected() {
			t.Errorf("got %q, connected %v", got, l.Connected())
		}
	})
	t.Run("subscribers are notified of the loss and the recovery, then receive messages", func(t *testing.T) {
		server := miniredis.RunT(t)
		one, two := openPair(t, server)
		s := subscribeTopic(t, two, "mine")
		server.Close()
		wantMissed(t, s)
		awaitCondition(t, "the loss is known", func() bool { return !two.Connected() })
		if err := server.Restart(); err != nil {
			t.Fatal(err)
		}
		awaitCondition(t, "both are back", func() bool { return one.Connected() && two.Connected() })
		wantMissed(t, s)
		awaitCondition(t, "messages arrive again", func() bool {
			one.Publish(t.Context(), "mine", []byte("hello"))
			return len(s.C()) > 0
		})
	})
	t.Run("subscribers are notified of lost messages", func(t *testing.T) {
		server := miniredis.RunT(t)
		one, two := openPair(t, server)
		s := subscribeTopic(t, two, "mine")
		server.SetError("LOADING not now")
		one.Publish(t.Context(), "mine", []byte("lost"))
		one.Publish(t.Context(), "mine", []byte("lost too"))
		awaitCondition(t, "both were tried", func() bool { return one.OutboxLen() == 0 })
		server.SetError("")
		awaitCondition(t, "the loss is reported", func() bool {
			one.Publish(t.Context(), "another topic", nil)
			return len(s.Missed()) > 0
		})
	})
	t.Run("an invalid address is an error", func(t *testing.T) {
		if _, err := live.Open(t.Context(), live.Config{Address: "http://127.0.0.1"}); err == nil {
			t.Error("Open accepts an invalid address")
		}
	})
}

func TestEmbedded(t *testing.T) {
	l := dbtest.OpenLive(t, live.Config{Namespace: "keys"})
	if err := l.Client().Set(t.Context(), l.Key("k"), "v", 150*time.Millisecond).Err(); err != nil {
		t.Fatal(err)
	}
	awaitCondition(t, "the key expires", func() bool { return l.Client().Exists(t.Context(), l.Key("k")).Val() == 0 })
}
