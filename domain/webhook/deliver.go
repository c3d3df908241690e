package webhook

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"rostrum/model"
)

// taskRef is the argument of a task: the id of a delivery, and the generation for which the task was enqueued.
type taskRef struct {
	id         string
	generation int
}

func (r taskRef) String() string { return r.id + ":" + strconv.Itoa(r.generation) }

func parseTaskRef(text string) (taskRef, error) {
	id, generation, _ := strings.Cut(text, ":")
	n, err := strconv.Atoi(generation)
	if err != nil {
		return taskRef{}, fmt.Errorf("%q is not a reference to a delivery", text)
	}
	return taskRef{id, n}, nil
}

// loadedDelivery is a delivery with the rows that are needed to send it.
type loadedDelivery struct {
	delivery *model.Delivery
	webhook  *model.Webhook
	event    *model.Event // nil if it has expired
}

// deliveryOutcome is the result of a task.
type deliveryOutcome int

const (
	outcomeSent     deliveryOutcome = iota // a request was attempted, successfully or not
	outcomeDeferred                        // the concurrency limit of the webhook is reached
	outcomeSkipped                         // the webhook is paused
)

// deliveryResult is the result of a task, to be stored.
type deliveryResult struct {
	*loadedDelivery
	outcome    deliveryOutcome
	attempt    *model.DeliveryAttempt
	retryAfter time.Duration // the delay that the receiver requested; 0 is none
	finishedAt time.Time
}

// hasFailed reports whether the attempt failed; receiverGone reports whether the receiver answered 410 Gone.
func (r *deliveryResult) hasFailed() bool {
	return r.outcome == outcomeSent && r.attempt.ErrorCode != nil
}

func (r *deliveryResult) receiverGone() bool {
	return r.outcome == outcomeSent && r.attempt.Status != nil && *r.attempt.Status == 410
}

// runDelivery attempts a delivery if the task is the latest of the delivery. After an error the queue retries the task.
func (s *Service) runDelivery(ctx context.Context, text string) error {
	r, err := parseTaskRef(text)
	if err != nil {
		return err
	}
	p, err := s.loads.processItem(ctx, r)
	if err != nil || p == nil {
		return err
	}
	done, err := s.attemptDelivery(ctx, p)
	if err != nil {
		return err
	}
	_, err = s.results.processItem(ctx, done)
	if err == nil && done.outcome == outcomeDeferred {
		s.deferred.addIDs(p.webhook.ID)
	}
	return err
}

// attemptDelivery sends a delivery unless its webhook is paused or at its concurrency limit.
func (s *Service) attemptDelivery(ctx context.Context, p *loadedDelivery) (*deliveryResult, error) {
	r := &deliveryResult{loadedDelivery: p, finishedAt: s.now()}
	if !p.webhook.IsActive {
		r.outcome = outcomeSkipped
		return r, nil
	}
	leave, ok := s.limiter.acquire(ctx, p.webhook.ID)
	if !ok {
		r.outcome = outcomeDeferred
		return r, context.Cause(ctx)
	}
	defer leave()
	err := s.sendEvent(ctx, r)
	return r, err
}

// loadDeliveries reads the deliveries of tasks. An element is nil if the task is void because the delivery is deleted, finished, deferred
// or enqueued again.
func (s *Service) loadDeliveries(ctx context.Context, refs []taskRef) ([]*loadedDelivery, error) {
	found, err := s.readDeliveries(ctx, refs)
	if err != nil {
		return nil, err
	}
	out := make([]*loadedDelivery, len(refs))
	for i, r := range refs {
		if p := found[r.id]; p != nil && p.webhook != nil && p.delivery.Generation == r.generation && p.delivery.Open() && p.delivery.WaitingSince == nil {
			out[i] = p
		}
	}
	return out, nil
}
