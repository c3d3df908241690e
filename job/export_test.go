package job

import (
	"context"
	"time"
)

// Hasten shortens the service's intervals, so that a test need not wait for them.
func (s *Service) Hasten() {
	s.timing = timing{
		lease: 30 * time.Second, renew: time.Second, sweep: 50 * time.Millisecond, tidy: time.Hour,
		grace: 50 * time.Millisecond, leave: 200 * time.Millisecond, poll: 20 * time.Millisecond, check: time.Hour,
	}
}

// Stall gives short leases and does not renew them, as a process that hangs does.
func (s *Service) Stall() { s.timing.lease, s.timing.renew = 300*time.Millisecond, time.Hour }

// Sweep and Tidy do at once what comes round by itself.
func (s *Service) Sweep(ctx context.Context) { s.sweep(ctx) }

func (s *Service) Tidy(ctx context.Context) { s.tidy(ctx) }

// Work hands a delivery to a worker, as the queue does.
func (s *Service) Work(ctx context.Context, jobID string, delivered int64) error {
	return s.work(ctx, delivery{JobID: jobID}, delivered)
}

// Keep sets how many of a job's events are kept.
func (s *Service) Keep(n int) { s.kept = n }

// KeptFor is how long the events of a job that has ended are kept.
const KeptFor = keptFor
