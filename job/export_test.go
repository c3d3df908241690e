package job

import (
	"context"
	"time"
)

// Hasten shortens the service's intervals, so that a test need not wait for them.
func (s *Service) Hasten() {
	s.timing = timing{
		lease: 600 * time.Millisecond, renew: 100 * time.Millisecond, sweep: 50 * time.Millisecond, tidy: time.Hour,
		grace: 50 * time.Millisecond, leave: 200 * time.Millisecond, poll: 20 * time.Millisecond, check: time.Hour,
	}
}

// Stall stops renewing leases, as a process that hangs does.
func (s *Service) Stall() { s.timing.renew = time.Hour }

// Sweep and Tidy do at once what comes round by itself.
func (s *Service) Sweep(ctx context.Context) { s.sweep(ctx) }

func (s *Service) Tidy(ctx context.Context) { s.tidy(ctx) }

// Work hands a delivery to a worker, as the queue does.
func (s *Service) Work(ctx context.Context, jobID string, delivered int64) error {
	return s.work(ctx, jobID, delivered)
}

// KeptEvents and KeptFor are how much of a job's events is kept.
const (
	KeptEvents = keptEvents
	KeptFor    = keptFor
)
