package job

import (
	"context"
	"time"
)

// ShortenIntervals shortens the service's intervals, so that a test need not wait for them.
func (s *Service) ShortenIntervals() {
	s.timing = serviceTimings{
		lease: 30 * time.Second, renew: time.Second, sweep: 50 * time.Millisecond, tidy: time.Hour,
		grace: 50 * time.Millisecond, leave: 200 * time.Millisecond, poll: 20 * time.Millisecond, check: time.Hour,
	}
}

// StallLeases sets short leases and does not renew them, as in a process that hangs.
func (s *Service) StallLeases() { s.timing.lease, s.timing.renew = 300*time.Millisecond, time.Hour }

// SweepNow and TidyNow run the periodic work at once.
func (s *Service) SweepNow(ctx context.Context) error { return s.sweepJobs(ctx) }

func (s *Service) TidyNow(ctx context.Context) error { return s.deleteOldEvents(ctx) }

// WorkNow passes a delivery to a worker, as the queue does.
func (s *Service) WorkNow(ctx context.Context, jobID string, delivered int64) error {
	return s.workDelivery(ctx, deliveryArgs{JobID: jobID}, delivered)
}

// SetKeptEvents sets how many of a job's events are kept.
func (s *Service) SetKeptEvents(n int) { s.keptEvents = n }

// EventRetention is how long the events of an ended job are kept.
const EventRetention = eventRetention
