package webhook

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"rostrum/model"
)

// ref is what a task carries: a delivery, and the turn for which it was queued.
type ref struct {
	id   string
	turn int
}

func (r ref) String() string { return r.id + ":" + strconv.Itoa(r.turn) }

func parseRef(text string) (ref, error) {
	id, turn, _ := strings.Cut(text, ":")
	n, err := strconv.Atoi(turn)
	if err != nil {
		return ref{}, fmt.Errorf("%q names no delivery", text)
	}
	return ref{id, n}, nil
}

// parcel is a delivery with all that sending it needs.
type parcel struct {
	delivery *model.Delivery
	webhook  *model.Webhook
	event    *model.Event // nil when it is no longer kept
}

// outcome is what became of a task.
type outcome int

const (
	sent    outcome = iota // it was attempted, well or not
	parked                 // the webhook has as many deliveries going as it may
	skipped                // the webhook is paused
)

// result is what is written of a task.
type result struct {
	*parcel
	outcome outcome
	attempt *model.DeliveryAttempt
	wait    time.Duration // as long the receiver wants to be left alone
	at      time.Time
}

// failed and gone tell why the attempt did not succeed; a receiver that is gone has said so itself.
func (r *result) failed() bool { return r.outcome == sent && r.attempt.ErrorCode != nil }

func (r *result) gone() bool {
	return r.outcome == sent && r.attempt.Status != nil && *r.attempt.Status == 410
}

// deliver does the task of a delivery once, if it is still the valid one. An error means that nothing is known of it, and it comes again.
func (s *Service) deliver(ctx context.Context, text string) error {
	r, err := parseRef(text)
	if err != nil {
		return err
	}
	p, err := s.loads.run(ctx, r)
	if err != nil || p == nil {
		return err
	}
	done, err := s.try(ctx, p)
	if err != nil {
		return err
	}
	_, err = s.results.run(ctx, done)
	if err == nil && done.outcome == parked {
		s.waiting.add(p.webhook.ID)
	}
	return err
}

// try sends the parcel unless its webhook is paused or busy.
func (s *Service) try(ctx context.Context, p *parcel) (*result, error) {
	r := &result{parcel: p, at: s.now()}
	if !p.webhook.IsActive {
		r.outcome = skipped
		return r, nil
	}
	leave, ok := s.gates.enter(ctx, p.webhook.ID)
	if !ok {
		r.outcome = parked
		return r, context.Cause(ctx)
	}
	defer leave()
	err := s.send(ctx, r)
	return r, err
}

// load reads the parcels of the tasks; nil stands for a task that is void: the delivery is gone, done, or queued anew.
func (s *Service) load(ctx context.Context, refs []ref) ([]*parcel, error) {
	found, err := s.parcels(ctx, refs)
	if err != nil {
		return nil, err
	}
	out := make([]*parcel, len(refs))
	for i, r := range refs {
		if p := found[r.id]; p != nil && p.webhook != nil && p.delivery.Turn == r.turn && p.delivery.Open() && p.delivery.WaitingSince == nil {
			out[i] = p
		}
	}
	return out, nil
}
