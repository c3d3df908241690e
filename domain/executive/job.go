package executive

import (
	"context"
	"time"

	"rostrum/llm"
	"rostrum/model"
	"rostrum/platform/job"
)

// Queue is the queue of the package's jobs and tasks.
const Queue = "executive"

// The types of the package's jobs.
const (
	JobSignals = "workspace_signals"
	JobCompare = "compare_insights"
)

// The operations that reserve runs, as the run ledger names them.
const (
	opSignals = "workspaceSignals"
	opCompare = "compareInsights"

	oneRun = 1
)

// The time limits of the models: shorter than a mutation for synchronous calls, longer for jobs.
var (
	callTime = llm.Limit{Time: 25 * time.Second, Alternative: "the /async path gives it longer"}
	jobTime  = llm.Limit{Time: 8 * time.Minute}
)

func (s *Service) registerInsightJobs() {
	s.registerKind(JobSignals, s.workSignals, job.FixedRuns(oneRun)) // a job that finds stored signals returns its run
	s.registerKind(JobCompare, s.workCompare, retryCost)
	s.Jobs.RegisterTask(chiefTask, job.Task{Queue: Queue, Timeout: chiefTime, Work: s.findChief})
}

func (s *Service) registerKind(
	jobType string, work func(context.Context, *job.Run) (any, error),
	retryRuns func(context.Context, *model.Job) (int, error),
) {
	s.metered.Register(jobType, job.MeteredKind{
		Kind: job.Kind{Queue: Queue, MaxRetries: 2, Timeout: 10 * time.Minute, Backoff: job.QuadraticBackoff,
			Work: work},
		RetryRuns: retryRuns,
	})
}
