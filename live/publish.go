package live

import (
	"context"
	"log/slog"
	"time"
)

const (
	outboxSize     = 1024
	publishTimeout = 500 * time.Millisecond
	// everyone is the topic that tells the followers of all topics that news may have been lost; no topic has an empty name.
	everyone = ""
)

// message is one piece of news on its way to Redis.
type message struct {
	topic   string
	payload []byte
}

// Publish gives news to the topic's followers in this process at once, and to those of the other processes through Redis. It never
// waits and never fails: what Redis does not take is lost, and the followers elsewhere are told so as soon as it is back.
// The context lends its values to the log only.
func (l *Live) Publish(ctx context.Context, topic string, payload []byte) {
	l.hub.deliver(topic, payload)
	select {
	case l.outbox <- message{topic, payload}:
	default:
		if !l.lossy.Swap(true) {
			slog.WarnContext(ctx, "news are made faster than redis takes them; other processes read the database")
		}
	}
}

// send carries the outbox to Redis in order.
func (l *Live) send(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			l.flush(context.WithoutCancel(ctx))
			return
		case m := <-l.outbox:
			l.carry(ctx, m)
		}
	}
}

// flush sends what still waits when the process ends.
func (l *Live) flush(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, publishTimeout)
	defer cancel()
	for ctx.Err() == nil {
		select {
		case m := <-l.outbox:
			l.carry(ctx, m)
		default:
			return
		}
	}
}

// carry sends one message, or remembers that one was lost; the first that gets through after a loss is followed by a word to everyone.
func (l *Live) carry(ctx context.Context, m message) {
	if err := l.publish(ctx, m); err != nil {
		if !l.lossy.Swap(true) && ctx.Err() == nil {
			slog.WarnContext(ctx, "redis does not take news; other processes read the database", "error", err)
		}
		return
	}
	if l.lossy.Swap(false) {
		if err := l.publish(ctx, message{topic: everyone}); err != nil {
			l.lossy.Store(true)
		}
	}
}

func (l *Live) publish(ctx context.Context, m message) error {
	ctx, cancel := context.WithTimeout(ctx, publishTimeout)
	defer cancel()
	return l.client.Publish(ctx, l.channel(m.topic), l.origin+string(m.payload)).Err()
}

func (l *Live) channel(topic string) string { return l.Key("news:") + topic }
