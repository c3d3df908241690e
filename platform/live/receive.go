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
	maxSilence     = 3 * time.Second // time without a message after which the connection is pinged
	reconnectLeast = 100 * time.Millisecond
	reconnectMost  = 2 * time.Second
)

// keepSubscribed holds the process's only Redis subscription and reconnects after every error.
func (l *Live) keepSubscribed(ctx context.Context) {
	wait := reconnectLeast
	for {
		err := l.receiveMessages(ctx)
		if ctx.Err() != nil {
			return
		}
		if !l.warned.Swap(true) {
			slog.WarnContext(ctx, "redis cannot be reached; live updates read the database until it can", "error", err)
		}
		if l.hub.connected.Swap(false) {
			l.hub.signalAll()
			wait = reconnectLeast
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
		}
		wait = min(2*wait, reconnectMost)
	}
}

// receiveMessages subscribes and delivers messages until the connection fails. It also returns an
// error if the server does not answer a ping.
func (l *Live) receiveMessages(ctx context.Context) error {
	subscription := l.client.PSubscribe(ctx, l.channelName("*"))
	defer subscription.Close()
	defer context.AfterFunc(ctx, func() { subscription.Close() })()
	asked := false
	for {
		received, err := subscription.ReceiveTimeout(ctx, maxSilence)
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
		l.handleMessage(ctx, received)
	}
}

func (l *Live) handleMessage(ctx context.Context, received any) {
	switch m := received.(type) {
	case *redis.Subscription:
		l.hub.connected.Store(true)
		if l.warned.Swap(false) {
			slog.InfoContext(ctx, "redis is back")
		}
		l.hub.signalAll()
	case *redis.Message:
		payload, own := strings.CutPrefix(m.Payload, l.origin)
		topic := strings.TrimPrefix(m.Channel, l.channelName(""))
		switch {
		case own || len(payload) < len(l.origin):
		case topic == allTopics:
			l.hub.signalAll()
		default:
			l.hub.deliverPayload(topic, []byte(payload[len(l.origin):]))
		}
	}
}
