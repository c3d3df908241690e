package audience

import (
	"context"
	"errors"
	"sync/atomic"

	"rostrum/job"
)

// NewDying makes the room with a worker of narrative tests that dies once, when all of a test's work is done.
func NewDying(c Config) *Service {
	s := &Service{c}
	var died atomic.Bool
	s.kind(JobNarrative, longJob, func(ctx context.Context, run *job.Run) (any, error) {
		out, err := s.workNarrative(ctx, run)
		if err == nil && !died.Swap(true) {
			err = errors.New("the process is gone")
		}
		return out, err
	}, s.endedReactions, s.retriedNarrative)
	s.kind(JobReactions, longJob, s.workReactions, s.endedReactions, s.retriedReactions)
	return s
}
