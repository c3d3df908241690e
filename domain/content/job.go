package content

import (
	"context"

	"rostrum/api"
	"rostrum/job"
	"rostrum/model"
)

// The queue and the job types of this package.
const (
	Queue       = "content"
	JobGenerate = "content_generate"
	JobEnhance  = "content_enhance"
)

// The fields of the schema that reserve runs.
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

func (s *Service) registerJobs() {
	for _, jobType := range []string{JobGenerate, JobEnhance} {
		s.metered.Register(jobType, job.MeteredKind{
			Kind: job.Kind{Queue: Queue, MaxRetries: 2, Work: s.runJob}, RetryRuns: job.FixedRuns(runCost),
		})
	}
}

// GenerateAsync starts a job that runs Generate. It returns validation errors at once.
func (s *Service) GenerateAsync(ctx context.Context, in api.ContentGenerateInput, estimate bool) (*model.JobRef, error) {
	b, err := s.newGenerateBrief(ctx, in)
	if err != nil {
		return nil, err
	}
	return s.enqueueJob(ctx, JobGenerate, fieldGenerate, b, estimate)
}

// EnhanceAsync starts a job that runs Enhance. It returns validation errors at once.
func (s *Service) EnhanceAsync(ctx context.Context, in api.ContentEnhanceInput, estimate bool) (*model.JobRef, error) {
	b, err := newEnhanceBrief(in)
	if err != nil {
		return nil, err
	}
	return s.enqueueJob(ctx, JobEnhance, fieldEnhance, b, estimate)
}

// enqueueJob enqueues a job that reserves one run for an operation, or returns the estimate.
func (s *Service) enqueueJob(ctx context.Context, jobType, operation string, b brief, estimate bool) (*model.JobRef, error) {
	return s.metered.EnqueueOrEstimate(ctx, job.MeteredRequest{
		Request: job.Request{Type: jobType, Parameters: b}, Operation: operation, Runs: runCost,
	}, estimate)
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
	out, err := s.writePiece(ctx, s.resolveModel(b), nil)
	if err != nil {
		return nil, err
	}
	return jobResult{out.Content, out.Model, out.Truncated, out.Warning}, nil
}
