package audience

import (
	"context"
	"time"

	"rostrum/dbx"
	"rostrum/model"
	"rostrum/platform/job"
)

// Queue is the queue of all audience jobs.
const Queue = "audience"

// Job types.
const (
	JobReactions = "persona_reactions"
	JobNarrative = "narrative_test"
	JobSummary   = "audience_summary"
)

// The operations that reserve runs, as the run ledger names them.
const (
	opReactions = "generateReactions"
	opNarrative = "narrativeTest"
	opSummary   = "generateAudienceSummary"
)

// longJob limits a job with many personas at the usual pace of a text model.
const longJob = 4 * time.Hour

func (s *Service) registerAudienceJobs() {
	s.registerKind(JobReactions, longJob, s.workReactions, s.spentOnReactions, s.reactionsRetryRuns)
	s.registerKind(JobNarrative, longJob, s.workNarrative, s.spentOnReactions, s.narrativeRetryRuns)
	s.registerKind(JobSummary, 10*time.Minute, s.workSummary, spentOnSummary, s.summaryRetryRuns)
}

func (s *Service) registerKind(
	jobType string, timeout time.Duration, work func(context.Context, *job.Run) (any, error),
	spentRuns func(context.Context, dbx.Tx, *model.Job, error) (int, error),
	retryRuns func(context.Context, *model.Job) (int, error),
) {
	s.metered.Register(jobType, job.MeteredKind{
		Kind:      job.Kind{Queue: Queue, MaxRetries: 2, Timeout: timeout, Backoff: job.QuadraticBackoff, Work: work},
		SpentRuns: spentRuns, RetryRuns: retryRuns,
	})
}
