package content

import (
	"context"
	"fmt"

	"rostrum/dbx"
	"rostrum/job"
	"rostrum/model"
)

// The room's jobs and the queue that they stand in.
const (
	Queue           = "content"
	JobTypeGenerate = "content_generate"
	JobTypeEnhance  = "content_enhance"
)

// The graph's fields that runs are reserved for.
const (
	opGenerate = "contentGenerate"
	opEnhance  = "contentEnhance"
	opJob      = "retryJob"
)

// outcome is a job's result, as callers see it: what the answer would have been.
type outcome struct {
	Content   string  `json:"content"`
	Model     *string `json:"model"`
	Truncated bool    `json:"truncated"`
	Warning   *string `json:"warning"`
}

func (s *Service) register() {
	for _, kind := range []string{JobTypeGenerate, JobTypeEnhance} {
		s.jobs.Register(kind, job.Kind{Queue: Queue, MaxRetries: 2, Work: s.work, OnEnd: s.ended, OnRetry: s.retried})
	}
}

// GenerateAsync queues what Generate does.
func (s *Service) GenerateAsync(ctx context.Context, in model.ContentGenerateInput, estimate bool) (*model.JobRef, error) {
	b, err := s.generating(ctx, in)
	if err != nil {
		return nil, err
	}
	return s.enqueue(ctx, JobTypeGenerate, opGenerate, b, estimate)
}

// EnhanceAsync queues what Enhance does.
func (s *Service) EnhanceAsync(ctx context.Context, in model.ContentEnhanceInput, estimate bool) (*model.JobRef, error) {
	b, err := enhancing(in)
	if err != nil {
		return nil, err
	}
	return s.enqueue(ctx, JobTypeEnhance, opEnhance, b, estimate)
}

// enqueue makes a job together with the reservation of its run, or tells what that would cost.
func (s *Service) enqueue(ctx context.Context, kind, operation string, b brief, estimate bool) (*model.JobRef, error) {
	if estimate {
		costs, err := s.estimate(ctx, runs)
		return &model.JobRef{Estimate: costs}, err
	}
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	var queued *model.Job
	err = s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) (err error) {
		queued, err = s.jobs.Enqueue(ctx, tx, job.Request{Type: kind, WorkspaceID: p.WorkspaceID, UserID: p.UserID, Parameters: b})
		if err != nil {
			return err
		}
		return s.runs.Reserve(ctx, tx, p.WorkspaceID, operation, queued.ID, runs)
	})
	if err != nil {
		return nil, fmt.Errorf("queue a piece: %w", err)
	}
	return &model.JobRef{JobID: queued.ID, JobType: queued.JobType, Status: queued.Status}, nil
}

// work writes the piece; it changes nothing but the job, so it may run any number of times.
func (s *Service) work(ctx context.Context, run *job.Run) (any, error) {
	b, err := job.Parameters[brief](run.Job)
	if err != nil {
		return nil, err
	}
	if err := run.Progress(ctx, 10, "writing"); err != nil {
		return nil, err
	}
	out, err := s.write(ctx, s.chosen(b), nil)
	if err != nil {
		return nil, err
	}
	return outcome{out.Content, out.Model, out.Truncated, out.Warning}, nil
}

// ended spends the run of a piece that was written and gives back that of one that was not.
func (s *Service) ended(ctx context.Context, tx dbx.Tx, ended *model.Job, _ error) error {
	if ended.Status == model.JobStatusCompleted {
		return s.runs.Commit(ctx, tx, ended.ID)
	}
	return s.runs.Return(ctx, tx, ended.ID)
}

// retried reserves anew for a job that a caller runs again.
func (s *Service) retried(ctx context.Context, tx dbx.Tx, again *model.Job) error {
	return s.runs.Reserve(ctx, tx, again.WorkspaceID, opJob, again.ID, runs)
}
