package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"
	"syscall"
	"time"

	"rostrum/test/kit/process"
)

// fault is one kind of fault. Its inject blocks until the fault is over, and returns the gateways
// that have to recover.
type fault struct {
	name   string
	weight int
	inject func(context.Context, *cluster, plan) ([]*gateway, error)
}

// mainFaults stop gateways or their connections to Postgres. They follow one another.
var mainFaults = []fault{
	{"connections to Postgres cut", 40, func(_ context.Context, c *cluster, _ plan) ([]*gateway, error) {
		g := c.anyGateway()
		g.postgres.Cut()
		return []*gateway{g}, nil
	}},
	{"connections to Redis cut", 20, func(_ context.Context, c *cluster, _ plan) ([]*gateway, error) {
		g := c.anyGateway()
		g.redis.Cut()
		return []*gateway{g}, nil
	}},
	{"gateway killed", 15, func(ctx context.Context, c *cluster, _ plan) ([]*gateway, error) {
		g := c.anyGateway()
		return []*gateway{g}, restart(ctx, g.Server, syscall.SIGKILL)
	}},
	{"gateway terminated", 6, func(ctx context.Context, c *cluster, _ plan) ([]*gateway, error) {
		g := c.anyGateway()
		return []*gateway{g}, restart(ctx, g.Server, syscall.SIGTERM)
	}},
	{"gateway paused", 2, func(_ context.Context, c *cluster, p plan) ([]*gateway, error) {
		g := c.anyGateway()
		return []*gateway{g}, pause(g.Server, p.pause)
	}},
	{"Postgres frozen", 8, func(_ context.Context, c *cluster, _ plan) ([]*gateway, error) {
		g := c.anyGateway()
		g.postgres.Freeze()
		time.Sleep(time.Second + rand.N(2*time.Second))
		g.postgres.Thaw()
		return []*gateway{g}, nil
	}},
	{"clock of Postgres moved", 3, func(_ context.Context, c *cluster, _ plan) ([]*gateway, error) {
		if c.clock == nil {
			return nil, errSkipped
		}
		if err := c.clock.move(rand.N(2*time.Minute) - time.Minute); err != nil {
			return nil, err
		}
		time.Sleep(time.Second + rand.N(4*time.Second))
		return c.gateways, c.clock.move(0)
	}},
	{"Postgres restarted", 4, func(ctx context.Context, c *cluster, _ plan) ([]*gateway, error) {
		return c.gateways, restart(ctx, c.postgres, syscall.SIGINT)
	}},
	{"Postgres crashed", 2, func(ctx context.Context, c *cluster, _ plan) ([]*gateway, error) {
		return c.gateways, restart(ctx, c.postgres, syscall.SIGQUIT)
	}},
}

// sideFaults concern Redis and the receiver of webhooks and overlap with the main faults.
var sideFaults = []fault{
	{"Redis stopped", 3, func(ctx context.Context, c *cluster, _ plan) ([]*gateway, error) {
		return c.gateways, restart(ctx, c.redis, syscall.SIGTERM)
	}},
	{"Redis killed", 3, func(ctx context.Context, c *cluster, _ plan) ([]*gateway, error) {
		return c.gateways, restart(ctx, c.redis, syscall.SIGKILL)
	}},
	{"Redis frozen", 3, func(_ context.Context, c *cluster, _ plan) ([]*gateway, error) {
		return c.gateways, pause(c.redis, time.Second+rand.N(3*time.Second))
	}},
	{"receiver slow", 2, func(_ context.Context, c *cluster, _ plan) ([]*gateway, error) {
		c.receiver.delay.Store(int64(time.Second))
		time.Sleep(2 * time.Second)
		c.receiver.delay.Store(0)
		return nil, nil
	}},
	{"receiver refuses half", 2, func(_ context.Context, c *cluster, _ plan) ([]*gateway, error) {
		c.receiver.refuses.Store(2)
		time.Sleep(2 * time.Second)
		c.receiver.refuses.Store(0)
		return nil, nil
	}},
	{receiverDown, 1, func(_ context.Context, c *cluster, p plan) ([]*gateway, error) {
		c.receiver.refuses.Store(1)
		time.Sleep(p.outage)
		c.receiver.refuses.Store(0)
		return nil, nil
	}},
}

// receiverDown is the fault that is injected in the first half of a run only, as its deliveries are
// sent minutes after its end.
const receiverDown = "receiver down"

// errSkipped is returned by a fault that cannot be injected on this machine.
var errSkipped = errors.New("the fault is skipped")

func (c *cluster) anyGateway() *gateway { return c.gateways[rand.N(len(c.gateways))] }

func restart(ctx context.Context, s *process.Server, sig syscall.Signal) error {
	if err := s.End(sig); err != nil {
		return err
	}
	return s.Start(ctx)
}

func pause(s *process.Server, length time.Duration) error {
	if err := s.Signal(syscall.SIGSTOP); err != nil {
		return err
	}
	time.Sleep(length)
	return s.Signal(syscall.SIGCONT)
}

// overtime is how much longer than planned faults are injected until there are as many as required.
const overtime = 2 * time.Minute

// isOver reports whether no more faults are injected after a time.
func (p plan) isOver(after time.Duration, faults int) bool {
	return after >= p.faults && (faults >= p.minFaults || after >= p.faults+overtime)
}

// injectFaults injects faults of both groups until the plan's time is over.
func (l *load) injectFaults(ctx context.Context, p plan, r *report) error {
	r.requiredCount = p.minFaults
	if p.every {
		r.requireFaults(slices.Concat(mainFaults, sideFaults))
	}
	var group sync.WaitGroup
	errs, begin := make([]error, 2), time.Now()
	for i, faults := range [][]fault{mainFaults, sideFaults} {
		group.Go(func() { errs[i] = l.injectGroup(ctx, faults, p, r, begin) })
	}
	group.Wait()
	return errors.Join(errs...)
}

// injectGroup injects faults of a group one after another until the plan's time after begin is
// over: all of them once if the plan has every fault, and then by their weights.
func (l *load) injectGroup(ctx context.Context, faults []fault, p plan, r *report, begin time.Time) error {
	var first []int
	if p.every {
		first = rand.Perm(len(faults))
	}
	for ctx.Err() == nil && !p.isOver(time.Since(begin), r.faultCount()) {
		f := chooseFault(faults, time.Since(begin) < p.faults/2)
		if len(first) > 0 {
			f, first = faults[first[0]], first[1:]
		}
		affected, err := f.inject(context.WithoutCancel(ctx), l.cluster, p)
		if errors.Is(err, errSkipped) {
			r.waiveFault(f.name)
			continue
		}
		if err != nil {
			return err
		}
		r.addFault(f.name, l.awaitRecovery(affected))
		select {
		case <-ctx.Done():
		case <-time.After(rand.N(time.Second)):
		}
	}
	return nil
}

func chooseFault(faults []fault, isEarly bool) fault {
	faults = slices.DeleteFunc(slices.Clone(faults), func(f fault) bool { return f.name == receiverDown && !isEarly })
	total := 0
	for _, f := range faults {
		total += f.weight
	}
	n := rand.N(total)
	for _, f := range faults {
		if n -= f.weight; n < 0 {
			return f
		}
	}
	return faults[0]
}

// awaitRecovery returns the time until each of the gateways has stored a document. A gateway that
// needs longer than a client's patience is reported with that time.
func (l *load) awaitRecovery(gateways []*gateway) time.Duration {
	begin := time.Now()
	for _, g := range gateways {
		for time.Since(begin) < patience && l.context.Err() == nil {
			if l.createOnce(g, fmt.Sprintf("probe %d", l.counter.Add(1)), "Text.") {
				break
			}
			time.Sleep(50 * time.Millisecond)
		}
	}
	return time.Since(begin)
}

// createOnce sends a request for a new document to a gateway, without repeating it, and reports
// whether it was accepted.
func (l *load) createOnce(g *gateway, title, content string) bool {
	text, _ := json.Marshal(map[string]string{"title": title, "content": content})
	return l.sendOnce(g, http.MethodPost, "/api/v1/documents", title, text, &struct{}{}).accepted
}
