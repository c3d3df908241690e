package live

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
)

const (
	silence      = 3 * time.Second // after which the connection is asked for a sign of life
	reconnectMin = 100 * time.Millisecond
	reconnectMax = 2 * time.Second
)

// listen holds the process's one Redis subscription, and renews it whenever it breaks.
func (l *Live) listen(ctx context.Context) {
	wait := reconnectMin
	for {
		err := l.receive(ctx)
		if ctx.Err() != nil {
			return
		}
		if !l.warned.Swap(true) {
			slog.WarnContext(ctx, "redis cannot be reached; live updates read the database until it can", "error", err)
		}
		if l.hub.connected.Swap(false) {
			l.hub.missAll()
			wait = reconnectMin
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
		}
		wait = min(2*wait, reconnectMax)
	}
}

// receive subscribes and hands out what arrives until the connection fails. A connection that stays silent after a ping has failed too.
func (l *Live) receive(ctx context.Context) error {
	subscription := l.client.PSubscribe(ctx, l.channel("*"))
	defer subscription.Close()
	defer context.AfterFunc(ctx, func() { subscription.Close() })()
	asked := false
	for {
		received, err := subscription.ReceiveTimeout(ctx, silence)
		if timeout, ok := errors.AsType[net.Error](err); ok && timeout.Timeout() && !asked && l.Connected() {
			asked = true
			err = subscription.Ping(ctx)
			if err == nil {
				continue
			}
		}
		if err != nil {
			return err
		}
		asked = false
		l.handle(ctx, received)
	}
}

func (l *Live) handle(ctx context.Context, received any) {
	switch m := received.(type) {
	case *redis.Subscription:
		l.hub.connected.Store(true)
		if l.warned.Swap(false) {
			slog.InfoContext(ctx, "redis is back")
		}
		l.hub.missAll()
	case *redis.Message:
		payload, own := strings.CutPrefix(m.Payload, l.origin)
		topic := strings.TrimPrefix(m.Channel, l.channel(""))
		switch {
		case own || len(payload) < len(l.origin):
		case topic == everyone:
			l.hub.missAll()
		default:
			l.hub.deliver(topic, []byte(payload[len(l.origin):]))
		}
	}
}
