package executive

import (
	"context"
	"fmt"
	"time"

	"rostrum/dbx"
	"rostrum/job"
	"rostrum/llm"
	"rostrum/model"
)

// Queue is the line that the room's jobs and tasks stand in.
const Queue = "executive"

// The types of the room's jobs.
const (
	JobSignals = "workspace_signals"
	JobCompare = "compare_insights"
)

// The graph's fields that runs are reserved for, and what one look or comparison costs.
const (
	opSignals = "workspaceSignals"
	opCompare = "compareInsights"
	opJob     = "retryJob"

	oneRun = 1
)

// How long the models have for one request: less than a mutation where somebody waits, and more where nobody does.
var (
	callTime = llm.Limit{Time: 25 * time.Second, Otherwise: "the /async path gives it longer"}
	jobTime  = llm.Limit{Time: 8 * time.Minute}
)

func (s *Service) register() {
	s.kind(JobSignals, s.workSignals, signalsCost)
	s.kind(JobCompare, s.workCompare, compareCost)
	s.Jobs.RegisterTask(chiefTask, job.Task{Queue: Queue, Timeout: chiefTime, Work: s.findChief})
}

// kind registers a type of jobs, which are worked as who queued them, and cost what they may cost when a caller runs them again.
func (s *Service) kind(
	jobType string, work func(context.Context, *job.Run, model.Principal) (any, error), cost func(*model.Job) (int, error),
) {
	s.Jobs.Register(jobType, job.Kind{
		Queue: Queue, MaxRetries: 2, Timeout: 10 * time.Minute, OnEnd: s.settled,
		Backoff: func(attempt int) time.Duration { return time.Duration(attempt*attempt) * 2 * time.Second },
		Work: func(ctx context.Context, run *job.Run) (any, error) {
			p := principalOf(run.Job)
			return work(model.WithPrincipal(ctx, p), run, p)
		},
		OnRetry: func(ctx context.Context, tx dbx.Tx, again *model.Job) error {
			runs, err := cost(again)
			if err != nil {
				return err
			}
			return s.Accounts.Reserve(ctx, tx, again.WorkspaceID, opJob, again.ID, runs)
		},
	})
}

func principalOf(of *model.Job) model.Principal {
	return model.Principal{WorkspaceID: of.WorkspaceID, UserID: model.ValueOr(of.UserID, "")}
}

// enqueue queues a job together with the reservation of its runs.
func (s *Service) enqueue(ctx context.Context, p model.Principal, r job.Request, operation string, runs int) (*model.JobRef, error) {
	r.WorkspaceID, r.UserID = p.WorkspaceID, p.UserID
	var queued *model.Job
	err := s.DB.InTx(ctx, func(ctx context.Context, tx dbx.Tx) (err error) {
		if queued, err = s.Jobs.Enqueue(ctx, tx, r); err != nil || runs == 0 {
			return err
		}
		return s.Accounts.Reserve(ctx, tx, p.WorkspaceID, operation, queued.ID, runs)
	})
	if err != nil {
		return nil, fmt.Errorf("queue %s: %w", r.Type, err)
	}
	return &model.JobRef{JobID: queued.ID, JobType: queued.JobType, Status: queued.Status}, nil
}

// settled spends the runs of a job that ended well and gives back those of one that did not.
func (s *Service) settled(ctx context.Context, tx dbx.Tx, ended *model.Job, _ error) error {
	if ended.Status == model.JobStatusCompleted {
		return s.Accounts.Commit(ctx, tx, ended.ID)
	}
	return s.Accounts.Return(ctx, tx, ended.ID)
}

// signalsCost is what a job that finds signals may cost; one that finds them kept gives its run back.
func signalsCost(*model.Job) (int, error) { return oneRun, nil }

// estimate is what a call would cost.
func (s *Service) estimate(ctx context.Context, workspaceID string, runs int) (*model.Estimate, error) {
	return &model.Estimate{Runs: runs}, s.Accounts.TellBudget(ctx, workspaceID)
}
