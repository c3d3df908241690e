package live

import (
	"context"
	"log/slog"
	"time"
)

const (
	outboxSize     = 1024
	publishTimeout = 500 * time.Millisecond
	// allTopics is the topic of a notification to all subscribers that some notifications may have
	// been lost. No topic has an empty name.
	allTopics = ""
)

// outboxMessage is a notification that waits to be sent to Redis.
type outboxMessage struct {
	topic   string
	payload []byte
}

// Publish delivers a notification to the topic's subscribers: in this process at once, in others
// through Redis. It never blocks and returns no error. If Redis does not accept a notification, it
// is lost, and other processes' subscribers are signaled when Redis is back. The context is only
// for logging.
func (l *Live) Publish(ctx context.Context, topic string, payload []byte) {
	l.hub.deliverPayload(topic, payload)
	select {
	case l.outbox <- outboxMessage{topic, payload}:
	default:
		if !l.lossy.Swap(true) {
			slog.WarnContext(ctx, "notifications are published faster than redis accepts them; other processes read the database")
		}
	}
}

// sendOutbox sends the outbox to Redis in order until the context is canceled.
func (l *Live) sendOutbox(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			l.flushOutbox(context.WithoutCancel(ctx))
			return
		case m := <-l.outbox:
			l.sendMessage(ctx, m)
		}
	}
}

// flushOutbox sends the rest of the outbox when the process ends, for at most publishTimeout.
func (l *Live) flushOutbox(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, publishTimeout)
	defer cancel()
	for ctx.Err() == nil {
		select {
		case m := <-l.outbox:
			l.sendMessage(ctx, m)
		default:
			return
		}
	}
}

// sendMessage sends one message and records whether it was lost. After a loss, the next message is
// followed by one to allTopics.
func (l *Live) sendMessage(ctx context.Context, m outboxMessage) {
	if err := l.publishMessage(ctx, m); err != nil {
		if !l.lossy.Swap(true) && ctx.Err() == nil {
			slog.WarnContext(ctx, "redis does not accept notifications; other processes read the database", "error",
				err)
		}
		return
	}
	if l.lossy.Swap(false) {
		if err := l.publishMessage(ctx, outboxMessage{topic: allTopics}); err != nil {
			l.lossy.Store(true)
		}
	}
}

func (l *Live) publishMessage(ctx context.Context, m outboxMessage) error {
	ctx, cancel := context.WithTimeout(ctx, publishTimeout)
	defer cancel()
	return l.client.Publish(ctx, l.channelName(m.topic), l.origin+string(m.payload)).Err()
}

func (l *Live) channelName(topic string) string { return l.Key("news:") + topic }
