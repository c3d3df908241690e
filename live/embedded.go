package live

import (
	"context"
	"time"

	"github.com/alicebob/miniredis/v2"
)

// embed starts a Redis inside the process and gives its address.
func (l *Live) embed(ctx context.Context) (string, error) {
	server, err := miniredis.Run()
	if err != nil {
		return "", err
	}
	l.embedded = server
	l.running.Go(func() { tick(ctx, server) })
	return "redis://" + server.Addr(), nil
}

// tick moves the embedded server's time, which stands still by itself, so that keys expire.
func tick(ctx context.Context, server *miniredis.Miniredis) {
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
