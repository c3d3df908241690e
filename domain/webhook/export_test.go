package webhook

import (
	"context"
	"time"

	"rostrum/model"
)

// SetClock replaces the clock, and removes jitter from the schedule.
func (s *Service) SetClock(now func() time.Time) { s.now, s.jitter = now, func() float64 { return 0 } }

// DeleteExpired, DispatchDeferred and FindDeferred run periodic work immediately.
func (s *Service) DeleteExpired(ctx context.Context) error    { return s.deleteExpired(ctx) }
func (s *Service) DispatchDeferred(ctx context.Context) error { return s.dispatchDeferred(ctx) }
func (s *Service) FindDeferred(ctx context.Context) error     { return s.findDeferred(ctx) }

// AddChanged adds webhooks to the next RecordChanges, which records changes immediately.
func (s *Service) AddChanged(webhooks ...*model.Webhook)   { s.changed.add(webhooks...) }
func (s *Service) RecordChanges(ctx context.Context) error { return s.recordChanges(ctx) }

// MaxConcurrent is the maximum number of concurrent deliveries per webhook.
const MaxConcurrent = maxConcurrent

// RetryDelay is the schedule of retries.
var RetryDelay = retryDelay
