package audience

import (
	"context"
	"time"

	"rostrum/dbx"
	"rostrum/job"
	"rostrum/model"
)

// Queue is the line that all of the room's jobs stand in.
const Queue = "audience"

// The types of the room's jobs.
const (
	JobReactions = "persona_reactions"
	JobNarrative = "narrative_test"
	JobSummary   = "audience_summary"
)

// The graph's fields that runs are reserved for.
const (
	opReactions = "generateReactions"
	opNarrative = "narrativeTest"
	opSummary   = "generateAudienceSummary"
	opJob       = "retryJob"
)

// longJob bounds a job of many personas at a text model's usual pace.
const longJob = 4 * time.Hour

func (s *Service) register() {
	s.kind(JobReactions, longJob, s.workReactions, s.endedReactions, s.retriedReactions)
	s.kind(JobNarrative, longJob, s.workNarrative, s.endedReactions, s.retriedNarrative)
	s.kind(JobSummary, 10*time.Minute, s.workSummary, s.endedSummary, s.retriedSummary)
}

func (s *Service) kind(
	jobType string, most time.Duration, work func(context.Context, *job.Run) (any, error),
	ended func(context.Context, dbx.Tx, *model.Job) error, due func(context.Context, *model.Job) (int, error),
) {
	s.Jobs.Register(jobType, job.Kind{
		Queue: Queue, MaxRetries: 2, Timeout: most,
		Backoff: func(attempt int) time.Duration { return time.Duration(attempt*attempt) * 2 * time.Second },
		Work: func(ctx context.Context, run *job.Run) (any, error) {
			out, err := work(asOwner(ctx, run.Job), run)
			return out, err
		},
		OnEnd: func(ctx context.Context, tx dbx.Tx, of *model.Job, _ error) error { return ended(ctx, tx, of) },
		BeforeRetry: func(ctx context.Context, of *model.Job) (func(context.Context, dbx.Tx, *model.Job) error, error) {
			runs, err := due(asOwner(ctx, of), of)
			return func(ctx context.Context, tx dbx.Tx, again *model.Job) error {
				return s.reserve(ctx, tx, again, opJob, runs)
			}, err
		},
	})
}

// asOwner is the context in which a job acts: that of whoever queued it.
func asOwner(ctx context.Context, of *model.Job) context.Context {
	return model.WithPrincipal(ctx, model.Principal{WorkspaceID: of.WorkspaceID, UserID: model.ValueOr(of.UserID, "")})
}

// reserve takes the runs of a job, where it costs any.
func (s *Service) reserve(ctx context.Context, tx dbx.Tx, of *model.Job, operation string, runs int) error {
	if runs == 0 {
		return nil
	}
	return s.Runs.Reserve(ctx, tx, of.WorkspaceID, operation, of.ID, runs)
}

// queued tells of a job that was queued.
func queued(of *model.Job) *model.ReactionJobPayload {
	return &model.ReactionJobPayload{JobID: of.ID, JobType: of.JobType, Status: of.Status}
}

// estimated tells what a job would cost.
func (s *Service) estimated(ctx context.Context, workspaceID string, runs int) (*model.ReactionJobPayload, error) {
	return &model.ReactionJobPayload{Estimate: &model.Estimate{Runs: runs}}, s.Runs.TellBudget(ctx, workspaceID)
}
