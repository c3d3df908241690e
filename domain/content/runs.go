package content

import (
	"context"
	"errors"
	"unicode/utf8"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/llm"
	"rostrum/llm/offline"
	"rostrum/platform/job"
	"rostrum/platform/principal"
)

// Runs accounts for the workspace's run budget.
type Runs interface {
	job.Budget
	// Spend runs work under a reservation while the caller waits. It commits the reservation if
	// work and the function that it returns succeed; otherwise it returns the error.
	Spend(
		ctx context.Context, workspaceID, operation string, runs int,
		work func(ctx context.Context) (func(ctx context.Context, tx dbx.Tx) error, error),
	) error
}

// maxTextLength limits a text for a model in code points. maxPoints limits the points of a request.
const (
	maxTextLength = 200_000
	maxPoints     = 100
)

// runCost is the cost of one answer in runs.
const runCost = 1

// checkLength returns a too_large error if the text exceeds maxTextLength.
func checkLength(field, s string) error {
	if utf8.RuneCountInString(s) > maxTextLength {
		return errs.New(errs.TooLarge, "%s exceeds %d characters: send it in parts", field, maxTextLength)
	}
	return nil
}

// spendRun runs work under one run of the caller's workspace. It returns a model_timeout error if
// work exceeds the deadline.
func (s *Service) spendRun(ctx context.Context, operation string, work func(ctx context.Context) error) error {
	p := principal.Must(ctx)
	return s.runs.Spend(ctx, p.WorkspaceID, operation, runCost,
		func(ctx context.Context) (func(context.Context, dbx.Tx) error, error) {
			err := work(ctx)
			if errors.Is(err, context.DeadlineExceeded) && !errs.Is(err, errs.ModelTimeout) {
				err = errs.Wrap(err, errs.ModelTimeout, "the text model did not answer in time")
			}
			return func(context.Context, dbx.Tx) error { return nil }, err
		})
}

// setModel sets the requested model of a task. The offline engine ignores it.
func (s *Service) setModel(task llm.Task, name *string) llm.Task {
	if name = nonBlank(name); name != nil && s.models.Model() != offline.Model {
		task.Model = *name
	}
	return task
}
