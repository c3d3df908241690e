package webhook

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"rostrum/errs"
	"rostrum/model"
	"rostrum/platform/job"
)

// taskRef names a delivery, and the generation for which its task was enqueued.
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

// maxRefs limits the deliveries of one task. Larger tasks save statements of the queue, but a task
// takes as long as its slowest delivery.
const maxRefs = 8

// tasksOf returns the tasks that send deliveries at once, each with maxRefs of them.
func tasksOf(refs []taskRef) (tasks []job.TaskArgs) {
	for some := range slices.Chunk(refs, maxRefs) {
		texts := make([]string, len(some))
		for i, r := range some {
			texts[i] = r.String()
		}
		tasks = append(tasks, job.TaskArgs{Ref: strings.Join(texts, ",")})
	}
	return tasks
}

// parseTaskRefs returns the deliveries of a task. It returns an error for a text not made by
// tasksOf.
func parseTaskRefs(text string) (refs []taskRef, err error) {
	for one := range strings.SplitSeq(text, ",") {
		r, err := parseTaskRef(one)
		if err != nil {
			return nil, err
		}
		refs = append(refs, r)
	}
	return refs, nil
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

// hasFailed reports whether the attempt failed; receiverGone reports whether the receiver answered
// 410 Gone.
func (r *deliveryResult) hasFailed() bool {
	return r.outcome == outcomeSent && r.attempt.ErrorCode != nil
}

func (r *deliveryResult) receiverGone() bool {
	return r.outcome == outcomeSent && r.attempt.Status != nil && *r.attempt.Status == 410
}

// runDeliveries attempts the deliveries of a task at the same time. After an error the queue
// repeats the task, which skips the deliveries that have a result.
func (s *Service) runDeliveries(ctx context.Context, text string) error {
	refs, err := parseTaskRefs(text)
	if err != nil {
		return err
	}
	if err := s.awaitRunning(ctx, len(refs)); err != nil {
		return err
	}
	var group errgroup.Group
	for _, r := range refs {
		group.Go(errs.CatchPanic(func() error {
			defer s.running.Release(1)
			return s.runDelivery(ctx, r)
		}))
	}
	return group.Wait()
}

// awaitRunning waits until n more deliveries may run. It gives up while the task still has time for
// a request.
func (s *Service) awaitRunning(ctx context.Context, n int) error {
	ctx, cancel := context.WithTimeout(ctx, taskTimeout-SendTimeout)
	defer cancel()
	if err := s.running.Acquire(ctx, int64(n)); err != nil {
		return fmt.Errorf("wait for other deliveries: %w", err)
	}
	return nil
}

// runDelivery attempts a delivery if the task is its latest.
func (s *Service) runDelivery(ctx context.Context, r taskRef) error {
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

// loadDeliveries reads the deliveries of tasks. An element is nil if its task is void: the delivery
// is deleted, finished, deferred or enqueued again.
func (s *Service) loadDeliveries(ctx context.Context, refs []taskRef) ([]*loadedDelivery, error) {
	found, err := s.readDeliveries(ctx, refs)
	if err != nil {
		return nil, err
	}
	out := make([]*loadedDelivery, len(refs))
	for i, r := range refs {
		if p := found[r.id]; p != nil && p.webhook != nil && p.delivery.Generation == r.generation &&
			p.delivery.Open() && p.delivery.WaitingSince == nil {
			out[i] = p
		}
	}
	return out, nil
}
