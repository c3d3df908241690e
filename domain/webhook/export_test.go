package webhook

import (
	"context"
	"time"
)

// SetClock puts another clock in the place of the present, and takes chance out of the schedule.
func (s *Service) SetClock(now func() time.Time) { s.now, s.jitter = now, func() float64 { return 0 } }

// Tidy, Look and Sweep do at once what comes round by itself.
func (s *Service) Tidy(ctx context.Context) error  { return s.tidy(ctx) }
func (s *Service) Look(ctx context.Context) error  { return s.look(ctx) }
func (s *Service) Sweep(ctx context.Context) error { return s.sweep(ctx) }

// AtOnce is how many deliveries to one webhook run at once.
const AtOnce = atOnce

// PauseAfter and RetryAfter are the schedule.
var (
	PauseAfter = pauseAfter
	RetryAfter = retryAfter
)
