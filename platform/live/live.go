package live

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"

	"rostrum/model"
)

// Config selects a Redis server.
type Config struct {
	// Address is a redis:// or rediss:// address, of a server or, with master_name, of a Sentinel. If
	// it is empty, the process starts a Redis server.
	Address string
	// Namespace is a prefix of every key and channel, so that several installations can share a
	// Redis: letters, digits, - and _.
	Namespace string
}

// Live is the connection to Redis. Losing it causes no error: notifications within the process
// continue, subscribers learn that they may have missed some, and the connection is restored.
type Live struct {
	client    *redis.Client
	embedded  *miniredis.Miniredis
	namespace string
	origin    string // identifies the notifications of this process, which are already delivered
	hub       subscriptionHub
	outbox    chan outboxMessage
	lossy     atomic.Bool // a notification was lost on the way to Redis and other processes do not know it yet
	warned    atomic.Bool // the outage has been logged
	stop      context.CancelFunc
	running   sync.WaitGroup
}

// Open connects to Redis. It returns an error for an invalid address, or if the embedded Redis
// cannot listen, but not if a Redis is down.
func Open(ctx context.Context, config Config) (*Live, error) {
	l := &Live{
		namespace: config.Namespace + ":",
		origin:    model.NewID("p"),
		outbox:    make(chan outboxMessage, outboxSize),
		hub:       subscriptionHub{topics: map[string]map[*Subscription]struct{}{}},
	}
	ctx, l.stop = context.WithCancel(context.WithoutCancel(ctx))
	address := config.Address
	if address == "" {
		var err error
		if address, err = l.startEmbedded(ctx); err != nil {
			l.stop()
			return nil, fmt.Errorf("open embedded redis: %w", err)
		}
	}
	var err error
	if l.client, err = newClient(address, l.Embedded()); err != nil {
		l.stop()
		return nil, err
	}
	l.running.Go(func() { l.keepSubscribed(ctx) })
	l.running.Go(func() { l.sendOutbox(ctx) })
	return l, nil
}

// Embedded reports whether the Redis server runs in this process. Its data is then lost when the
// process ends.
func (l *Live) Embedded() bool { return l.embedded != nil }

// Client returns the Redis client. Its callers must work without it if it returns errors.
func (l *Live) Client() *redis.Client { return l.client }

// Key returns the key of this installation for a name.
func (l *Live) Key(name string) string { return l.namespace + name }

// Connected reports whether other processes' notifications arrive. If not, subscribers read the
// database.
func (l *Live) Connected() bool { return l.hub.connected.Load() }

// PollInterval returns how long subscribers wait for notifications before they read the database:
// down while Redis is down, else connected.
func (l *Live) PollInterval(connected, down time.Duration) time.Duration {
	if l.Connected() {
		return connected
	}
	return down
}

// Close sends the outbox for at most 500 ms, closes the connection and stops the embedded Redis.
func (l *Live) Close() error {
	l.stop()
	l.running.Wait()
	err := l.client.Close()
	if l.embedded != nil {
		l.embedded.Close()
	}
	return err
}
