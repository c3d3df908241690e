package main

import (
	"context"
	"encoding/json"
	"net/url"
	"time"
)

// fewestAttempts is the number of failed attempts after which the next one may follow later than a
// run waits: at the earliest after 10 minutes.
const fewestAttempts = 4

// pendingDelivery is a delivery that failed and waits for its next attempt, as REST shows it.
type pendingDelivery struct {
	EventID  string            `json:"event_id"`
	Attempts []json.RawMessage `json:"attempts"`
	Next     *time.Time        `json:"next_attempt_at"`
}

// isDue reports whether the next attempt should have been made: it is in the past, or too few
// attempts failed for a later one.
func (d pendingDelivery) isDue(now time.Time) bool {
	return d.Next == nil || d.Next.Before(now) || len(d.Attempts) < fewestAttempts
}

// verifyPending checks events that did not arrive: an event is lost unless its delivery failed so
// often that its next attempt follows after the run.
func (l *load) verifyPending(ctx context.Context, missing []string, r *report) error {
	var page struct{ Deliveries []pendingDelivery }
	later := map[string]bool{}
	err := l.readPages(ctx, "/api/v1/webhooks/"+url.PathEscape(l.webhook)+"/deliveries?status=retrying", &page,
		func() int {
			rows := page.Deliveries
			page.Deliveries = nil
			for _, d := range rows {
				later[d.EventID] = !d.isDue(time.Now())
			}
			return len(rows)
		})
	if err != nil {
		return err
	}
	waiting := 0
	for _, id := range missing {
		if later[id] {
			waiting++
			continue
		}
		r.addLost("event %s was not delivered; the webhook: %s", id, l.describeWebhook(ctx))
	}
	r.AddNote("events whose delivery failed %d times or more and is tried again after the run: %d", fewestAttempts,
		waiting)
	return nil
}

// describeWebhook returns the webhook as REST shows it, with the reason of a pause, or why it
// cannot be read.
func (l *load) describeWebhook(ctx context.Context) string {
	var webhook json.RawMessage
	if err := l.getJSON(ctx, "/api/v1/webhooks/"+url.PathEscape(l.webhook), &webhook); err != nil {
		return err.Error()
	}
	return string(webhook)
}
