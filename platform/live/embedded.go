package live

import (
	"context"
	"crypto/rand"
	"time"

	"github.com/alicebob/miniredis/v2"
)

// startEmbedded starts a Redis server in the process and returns its address. It has a random
// password, because other users of the machine can connect to it. It returns an error if it cannot
// listen.
func (l *Live) startEmbedded(ctx context.Context) (string, error) {
	server, password := miniredis.NewMiniRedis(), rand.Text()
	server.RequireAuth(password)
	if err := server.Start(); err != nil {
		return "", err
	}
	l.embedded = server
	l.running.Go(func() { advanceClock(ctx, server) })
	return "redis://:" + password + "@" + server.Addr(), nil
}

// advanceClock advances the embedded server's clock, which does not run by itself, so that keys
// expire.
func advanceClock(ctx context.Context, server *miniredis.Miniredis) {
	ticker := time.NewTicker(100 * time.Millisecond)
	defer ticker.Stop()
	last := time.Now()
	for {
		select {
		case <-ctx.Done():
			return
		case now := <-ticker.C:
			server.FastForward(now.Sub(last))
			last = now
		}
	}
}
