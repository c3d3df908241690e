package audience

import (
	"context"
	"errors"
	"sync/atomic"

	"rostrum/platform/job"
)

// NewFailingOnce returns a service that fails its first narrative test job after the work is done.
func NewFailingOnce(c Config) *Service {
	s := newService(c)
	var failed atomic.Bool
	s.registerKind(JobNarrative, longJob, func(ctx context.Context, run *job.Run) (any, error) {
		out, err := s.workNarrative(ctx, run)
		if err == nil && !failed.Swap(true) {
			err = errors.New("worker stopped")
		}
		return out, err
	}, s.spentOnReactions, s.narrativeRetryRuns)
	s.registerKind(JobReactions, longJob, s.workReactions, s.spentOnReactions, s.reactionsRetryRuns)
	return s
}
