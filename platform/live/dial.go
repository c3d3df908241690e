package live

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"
)

const (
	// dialTimeout is the time to connect to a server.
	dialTimeout = 2 * time.Second
	// embeddedTimeout is the time for a command of the embedded Redis, and to connect to it: a slow
	// answer of the own process means a busy machine, not an outage.
	embeddedTimeout = 30 * time.Second
)

// newClient returns a client of the server at a redis:// or rediss:// address. If the address has
// master_name, it is that of a Sentinel, which knows the server.
func newClient(address string, isEmbedded bool) (*redis.Client, error) {
	redis.SetLogger(debugLogger{})
	if parsed, err := url.Parse(address); err == nil && parsed.Query().Has("master_name") {
		return newFailoverClient(address)
	}
	options, err := redis.ParseURL(address)
	if err != nil {
		return nil, fmt.Errorf("read redis address: %w", withoutAddress(err))
	}
	options.DialTimeout = dialTimeout
	options.ContextTimeoutEnabled = true // else a frozen server holds a request beyond its deadline
	if isEmbedded {
		options.DialTimeout, options.ReadTimeout, options.WriteTimeout = embeddedTimeout, embeddedTimeout,
			embeddedTimeout
	}
	options.MaintNotificationsConfig = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
	return redis.NewClient(options), nil
}

func newFailoverClient(address string) (*redis.Client, error) {
	options, err := redis.ParseFailoverURL(address)
	if err != nil {
		return nil, fmt.Errorf("read redis address: %w", withoutAddress(err))
	}
	options.DialTimeout = dialTimeout
	options.ContextTimeoutEnabled = true
	return redis.NewFailoverClient(options), nil
}

// withoutAddress returns the cause of an error of parsing an address. The error itself would print
// the address with its password.
func withoutAddress(err error) error {
	if failure, ok := errors.AsType[*url.Error](err); ok {
		return failure.Err
	}
	return errors.New("use redis://:PASSWORD@HOST:PORT/DATABASE or rediss://…, and for Sentinel redis://HOST:PORT/DATABASE?master_name=NAME&password=PASSWORD")
}

// debugLogger logs the client library's messages about single connections at debug level, because
// outages are logged separately.
type debugLogger struct{}

// Printf logs at debug level.
func (debugLogger) Printf(ctx context.Context, format string, args ...any) {
	slog.DebugContext(ctx, fmt.Sprintf(format, args...))
}
