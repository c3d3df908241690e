package ingest

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
)

const (
	// maxPolls is the number of sources that a process polls at the same time.
	maxPolls = 8
	// maxOwnPolls is how many of them may be of one workspace.
	maxOwnPolls = 6
	// pollTick is the interval at which due sources are looked for.
	pollTick = time.Second
	// pollTime limits a poll: what it did not come to waits for the next one.
	pollTime = 4 * time.Minute
	// pollLease is how long a process has a source for itself. It is longer than pollTime, so that
	// only a process that died loses it.
	pollLease = 5 * time.Minute
)

// Run polls sources that are due until the context ends, and waits for the polls under way. Errors of
// the database are logged; what stopped a poll is stored with its source.
func (s *Service) Run(ctx context.Context) {
	if s.db.InProcess() {
		logPolling(ctx, s.endLeases(ctx))
	}
	p := &poller{Service: s, slots: make(chan struct{}, maxPolls), ended: make(chan struct{}, 1),
		byOwner: map[string]int{}}
	defer p.running.Wait()
	tick := time.NewTicker(pollTick)
	defer tick.Stop()
	for {
		logPolling(ctx, errs.CatchPanic(func() error { return p.startDue(ctx) })())
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		case <-p.ended:
		}
	}
}

func logPolling(ctx context.Context, err error) {
	if err != nil && ctx.Err() == nil {
		slog.WarnContext(ctx, "failed to poll a source", "error", err)
	}
}

// poller runs the polls of a process. A goroutine exists only while a source is being polled.
type poller struct {
	*Service
	slots   chan struct{}
	mu      sync.Mutex
	byOwner map[string]int // polls under way, by workspace
	ended   chan struct{}  // a poll ended, so another one may begin
	running sync.WaitGroup
}

// startDue begins polls of due sources for the free slots.
func (p *poller) startDue(ctx context.Context) error {
	for len(p.slots) < cap(p.slots) && ctx.Err() == nil { // only this goroutine takes slots
		src, err := p.claimNext(ctx)
		if src == nil || err != nil {
			return err
		}
		p.start(ctx, src)
	}
	return nil
}

// claimNext claims a due source, or returns nil. A workspace without a poll under way goes before the
// others, so that sources of one that never answer do not stop those of all.
func (p *poller) claimNext(ctx context.Context) (*model.Source, error) {
	for _, most := range []int{1, maxOwnPolls} {
		src, err := p.claimSource(ctx, p.busyOwners(most))
		if src != nil || err != nil {
			return src, err
		}
	}
	return nil, nil //nolint:nilnil // nothing is due
}

// busyOwners returns the workspaces that have that many polls under way.
func (p *poller) busyOwners(polls int) (owners []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for owner, running := range p.byOwner {
		if running >= polls {
			owners = append(owners, owner)
		}
	}
	return owners
}

// start polls a claimed source in a goroutine of its own.
func (p *poller) start(ctx context.Context, src *model.Source) {
	p.slots <- struct{}{}
	p.countPoll(src.WorkspaceID, 1)
	p.running.Go(func() {
		logPolling(ctx, errs.CatchPanic(func() error { return p.pollClaimed(ctx, src) })())
		p.countPoll(src.WorkspaceID, -1)
		<-p.slots
		select {
		case p.ended <- struct{}{}:
		default:
		}
	})
}

func (p *poller) countPoll(workspaceID string, change int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.byOwner[workspaceID] += change; p.byOwner[workspaceID] == 0 {
		delete(p.byOwner, workspaceID)
	}
}

// errLeaseLost reports that a source was deleted, has another address, or is polled by another
// process.
var errLeaseLost = errors.New("the poll has lost its source")

// pollClaimed polls a leased source and stores the outcome. It returns errors of the database only.
// A poll that the process's end interrupts gives its lease back.
func (s *Service) pollClaimed(ctx context.Context, src *model.Source) error {
	if pause := s.fetch.Snooze(src.URL, src.IsSnoozed); pause > 0 {
		return ignoreLost(s.snoozeSource(ctx, src, pause))
	}
	polling, cancel := context.WithTimeout(ctx, pollTime)
	defer cancel()
	outcome, err := s.pollSource(polling, src)
	storing, end := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer end()
	if ctx.Err() != nil {
		return ignoreLost(s.snoozeSource(storing, src, 0))
	}
	if err != nil {
		return ignoreLost(err)
	}
	return ignoreLost(s.finishPoll(storing, src, outcome))
}

func ignoreLost(err error) error {
	if errors.Is(err, errLeaseLost) {
		return nil
	}
	return err
}

// snoozeSource gives a lease back without a poll, because the host is at its limit or the process
// stops.
func (s *Service) snoozeSource(ctx context.Context, polled *model.Source, pause time.Duration) error {
	return s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		src, err := s.lockLeased(ctx, tx, polled)
		if err != nil {
			return err
		}
		src.LeaseUntil, src.IsSnoozed = nil, pause > 0
		if src.NextPollAt != nil {
			at := s.now().Add(pause)
			src.NextPollAt = &at
		}
		return saveSource(ctx, tx, src)
	})
}
