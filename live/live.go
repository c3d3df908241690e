// Package live is the program's Redis: the news between processes, and the client for limits, caches and sessions.
package live

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"

	"rostrum/model"
)

// Config says which Redis to use.
type Config struct {
	// Address is a redis:// or rediss:// address; when it is empty a Redis is embedded in the process.
	Address string
	// Namespace stands before every key and channel, so that several installations can share a Redis: letters, digits, - and _.
	Namespace string
}

// Live is the connection to Redis. Losing it is never an error of the caller's: news within the process go on, followers
// of topics are told that they may have missed some, and the connection comes back by itself.
type Live struct {
	client    *redis.Client
	embedded  *miniredis.Miniredis
	namespace string
	origin    string // names this process in its own news, which it has delivered already
	hub       hub
	outbox    chan message
	lossy     atomic.Bool // news were lost on the way to Redis since the others were last told
	warned    atomic.Bool // an outage is in the log
	stop      context.CancelFunc
	running   sync.WaitGroup
}

// Open connects to Redis. It fails when the address cannot be read or the embedded Redis cannot listen, not when a Redis is down.
func Open(ctx context.Context, config Config) (*Live, error) {
	l := &Live{
		namespace: config.Namespace + ":",
		origin:    model.NewID("p"),
		outbox:    make(chan message, outboxSize),
		hub:       hub{topics: map[string]map[*Subscription]struct{}{}},
	}
	ctx, l.stop = context.WithCancel(context.WithoutCancel(ctx))
	address := config.Address
	if address == "" {
		var err error
		if address, err = l.embed(ctx); err != nil {
			l.stop()
			return nil, fmt.Errorf("open embedded redis: %w", err)
		}
	}
	options, err := redis.ParseURL(address)
	if err != nil {
		l.stop()
		return nil, fmt.Errorf("read redis address: %w", err)
	}
	redis.SetLogger(murmur{})
	options.DialTimeout = 2 * time.Second
	options.MaintNotificationsConfig = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
	l.client = redis.NewClient(options)
	l.running.Go(func() { l.listen(ctx) })
	l.running.Go(func() { l.send(ctx) })
	return l, nil
}

// murmur takes what the client's library says of single connections; outages are in the log already.
type murmur struct{}

// Printf logs for those who look for it.
func (murmur) Printf(ctx context.Context, format string, args ...any) {
	slog.DebugContext(ctx, fmt.Sprintf(format, args...))
}

// Client is the Redis client for what needs more than news; its callers must go on without it when it fails.
func (l *Live) Client() *redis.Client { return l.client }

// Key is the name under which this installation keeps something in Redis.
func (l *Live) Key(name string) string { return l.namespace + name }

// Connected reports whether news of other processes arrive at present; while they do not, followers read the database.
func (l *Live) Connected() bool { return l.hub.connected.Load() }

// Pause is how long followers wait for news before they look into the database: a shorter time while none arrive.
func (l *Live) Pause(connected, away time.Duration) time.Duration {
	if l.Connected() {
		return connected
	}
	return away
}

// Close sends what is waiting, for half a second at most, ends the news and closes the connection, and the embedded Redis with it.
func (l *Live) Close() error {
	l.stop()
	l.running.Wait()
	err := l.client.Close()
	if l.embedded != nil {
		l.embedded.Close()
	}
	return err
}
