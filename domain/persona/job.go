package persona

import (
	"context"
	"time"

	"rostrum/dbx"
	"rostrum/llm"
	"rostrum/model"
	"rostrum/platform/job"
	"rostrum/platform/principal"
)

// Queue is the queue of all persona jobs.
const Queue = "persona"

// The job types of this package.
const (
	JobInteract = "persona_interact"
	JobDraft    = "persona_draft"
	JobBuild    = "persona_build"
	JobContent  = "persona_content"
	JobHealth   = "persona_health"
)

// registerPersonaJobs registers each job type with the job service.
func (s *Service) registerPersonaJobs() {
	s.registerJob(JobInteract, s.workInteract)
	s.registerJob(JobDraft, s.workDraft)
	s.registerJob(JobBuild, s.workBuild)
	s.registerJob(JobContent, s.workContent)
	s.registerJob(JobHealth, s.workHealth)
}

func (s *Service) registerJob(jobType string, work func(context.Context, *job.Run) (any, error)) {
	s.metered.Register(jobType, job.MeteredKind{
		Kind: job.Kind{
			Queue: Queue, MaxRetries: 2, Timeout: 10 * time.Minute, Backoff: job.QuadraticBackoff, Work: work,
		},
		RetryRuns: job.FixedRuns(runCost),
	})
}

// startJob queues a job that reserves one run for an operation, and asks the named text model or,
// without a name, the default one.
func (s *Service) startJob(ctx context.Context, operation, textModel string, request job.Request) (*model.StartedJob,
	error) {
	if err := llm.CheckModel(s.engine, textModel); err != nil {
		return nil, err
	}
	return s.metered.Start(ctx, job.MeteredRequest{Request: request, Operation: operation, Runs: runCost})
}

func (s *Service) workInteract(ctx context.Context, run *job.Run) (any, error) {
	p := principal.Must(ctx)
	q, err := job.Parameters[interactRequest](run.Job)
	if err != nil {
		return nil, err
	}
	x, err := s.resolveRequest(ctx, p.WorkspaceID, q)
	if err != nil {
		return nil, err
	}
	var answer llm.Answer
	if answer, err = s.writeReply(ctx, p.WorkspaceID, x, s.askWithin(jobLimit)); err != nil {
		return nil, err
	}
	err = run.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		row := x.toInteraction(p, answer)
		if row != nil {
			row.JobID = &run.Job.ID
		}
		return s.insertInteraction(ctx, tx, row)
	})
	return x.toPayload(answer), err
}
