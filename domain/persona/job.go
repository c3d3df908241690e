package persona

import (
	"context"
	"fmt"
	"time"

	"rostrum/dbx"
	"rostrum/job"
	"rostrum/llm"
	"rostrum/model"
)

// Queue is the line that all of the room's jobs stand in.
const Queue = "persona"

// The types of the room's jobs.
const (
	JobInteract = "persona_interact"
	JobDraft    = "persona_draft"
	JobBuild    = "persona_build"
	JobContent  = "persona_content"
	JobHealth   = "persona_health"
)

// register says how each type is worked: with the parameters that it was queued with, as who queued it.
func (s *Service) register() {
	s.kind(JobInteract, s.workInteract)
	s.kind(JobDraft, s.workDraft)
	s.kind(JobBuild, s.workBuild)
	s.kind(JobContent, s.workContent)
	s.kind(JobHealth, s.workHealth)
}

func (s *Service) kind(jobType string, work func(context.Context, *job.Run, model.Principal) (any, error)) {
	s.jobs.Register(jobType, job.Kind{
		Queue: Queue, MaxRetries: 2, Timeout: 10 * time.Minute, OnEnd: s.settled, OnRetry: s.retried,
		Backoff: func(attempt int) time.Duration { return time.Duration(attempt*attempt) * 2 * time.Second },
		Work: func(ctx context.Context, run *job.Run) (any, error) {
			p := model.Principal{WorkspaceID: run.Job.WorkspaceID, UserID: model.ValueOr(run.Job.UserID, "")}
			return work(model.WithPrincipal(ctx, p), run, p)
		},
	})
}

// enqueue queues a job together with the reservation of its run, or tells what that would cost.
func (s *Service) enqueue(
	ctx context.Context, p model.Principal, jobType, operation, documentID string, parameters any, estimate bool,
) (*model.JobRef, error) {
	if estimate {
		costs, err := s.estimate(ctx, p)
		return &model.JobRef{Estimate: costs}, err
	}
	var started *model.Job
	err := s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) (err error) {
		started, err = s.jobs.Enqueue(ctx, tx, job.Request{
			Type: jobType, WorkspaceID: p.WorkspaceID, DocumentID: documentID, UserID: p.UserID, Parameters: parameters,
		})
		if err != nil {
			return err
		}
		return s.accounts.Reserve(ctx, tx, p.WorkspaceID, operation, started.ID, oneRun)
	})
	if err != nil {
		return nil, fmt.Errorf("queue %s: %w", jobType, err)
	}
	return &model.JobRef{JobID: started.ID, JobType: started.JobType, Status: started.Status}, nil
}

// settled spends the run of a job that ended well and gives back that of one that did not.
func (s *Service) settled(ctx context.Context, tx dbx.Tx, ended *model.Job, _ error) error {
	if ended.Status == model.JobStatusCompleted {
		return s.accounts.Commit(ctx, tx, ended.ID)
	}
	return s.accounts.Return(ctx, tx, ended.ID)
}

// retried reserves anew for a job that a caller runs again.
func (s *Service) retried(ctx context.Context, tx dbx.Tx, again *model.Job) error {
	return s.accounts.Reserve(ctx, tx, again.WorkspaceID, opJob, again.ID, oneRun)
}

func (s *Service) workInteract(ctx context.Context, run *job.Run, p model.Principal) (any, error) {
	q, err := job.Parameters[question](run.Job)
	if err != nil {
		return nil, err
	}
	x, err := s.resolve(ctx, p.WorkspaceID, q)
	if err != nil {
		return nil, err
	}
	var answer llm.Answer
	if answer, err = s.answer(ctx, p.WorkspaceID, x, s.asking(jobTime)); err != nil {
		return nil, err
	}
	err = run.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error { return keep(ctx, tx, x.interaction(p, answer)) })
	return x.payload(answer), err
}
