package content

import (
	"context"

	"rostrum/api"
	"rostrum/llm"
	"rostrum/model"
	"rostrum/platform/job"
)

// The queue and the job types of this package.
const (
	Queue       = "content"
	JobGenerate = "content_generate"
	JobEnhance  = "content_enhance"
)

// The operations that reserve runs, as the run ledger names them.
const (
	fieldGenerate = "contentGenerate"
	fieldEnhance  = "contentEnhance"
)

// jobResult is the public result of a content job. It has the fields of GeneratedText.
type jobResult struct {
	Content   string  `json:"content"`
	Model     *string `json:"model"`
	Truncated bool    `json:"truncated"`
	Warning   *string `json:"warning"`
}

func (s *Service) registerContentJobs() {
	for _, jobType := range []string{JobGenerate, JobEnhance} {
		s.metered.Register(jobType, job.MeteredKind{
			Kind: job.Kind{Queue: Queue, MaxRetries: 2, Work: s.runJob}, RetryRuns: job.FixedRuns(runCost),
		})
	}
}

// StartGeneration queues a job that runs Generate. It returns validation errors at once.
func (s *Service) StartGeneration(ctx context.Context, in api.GenerateContentInput) (*model.StartedJob, error) {
	b, err := s.newGenerateBrief(ctx, in)
	if err != nil {
		return nil, err
	}
	return s.startJob(ctx, JobGenerate, fieldGenerate, b)
}

// StartEnhancement queues a job that runs Enhance. It returns validation errors at once.
func (s *Service) StartEnhancement(ctx context.Context, in api.EnhanceContentInput) (*model.StartedJob, error) {
	b, err := newEnhanceBrief(in)
	if err != nil {
		return nil, err
	}
	return s.startJob(ctx, JobEnhance, fieldEnhance, b)
}

// startJob queues a job that reserves one run for an operation.
func (s *Service) startJob(ctx context.Context, jobType, operation string, b brief) (*model.StartedJob, error) {
	if err := llm.CheckModel(s.models, b.Model); err != nil {
		return nil, err
	}
	return s.metered.Start(ctx, job.MeteredRequest{
		Request: job.Request{Type: jobType, Parameters: b, DocumentID: b.sourceID}, Operation: operation, Runs: runCost,
	})
}

// runJob writes the piece. It stores only the job's result, so it may run repeatedly.
func (s *Service) runJob(ctx context.Context, run *job.Run) (any, error) {
	b, err := job.Parameters[brief](run.Job)
	if err != nil {
		return nil, err
	}
	if err := run.Progress(ctx, 10, "writing"); err != nil {
		return nil, err
	}
	out, err := s.writePiece(ctx, b, nil)
	if err != nil {
		return nil, err
	}
	return jobResult{out.Content, out.Model, out.Truncated, out.Warning}, nil
}
