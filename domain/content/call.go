package content

import (
	"context"
	"errors"
	"unicode/utf8"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/llm"
	"rostrum/model"
)

// Runs is what the room needs of the workspace's run budget.
type Runs interface {
	// Spend does work that its caller waits for under a reservation, which is kept when the work and what it gives succeed.
	Spend(
		ctx context.Context, workspaceID, operation string, runs int,
		work func(ctx context.Context) (func(ctx context.Context, tx dbx.Tx) error, error),
	) error
	// Reserve takes the runs of a job, which Commit keeps and Return gives back.
	Reserve(ctx context.Context, tx dbx.Tx, workspaceID, operation, jobID string, runs int) error
	Commit(ctx context.Context, tx dbx.Tx, jobID string) error
	Return(ctx context.Context, tx dbx.Tx, jobID string) error
	TellBudget(ctx context.Context, workspaceID string) error
}

// longest is how many code points a text may have that a model works on, and mostPoints how many points it is held against.
const (
	longest    = 200_000
	mostPoints = 100
)

// runs is what one answer costs.
const runs = 1

// checkLength refuses a text that is too long to be worked on at once.
func checkLength(field, s string) error {
	if utf8.RuneCountInString(s) > longest {
		return errs.New(errs.TooLarge, "%s is over %d characters: send it in parts", field, longest)
	}
	return nil
}

// spend does work under one run of the caller's workspace. Work that takes longer than its caller's time fails with model_timeout.
func (s *Service) spend(ctx context.Context, operation string, work func(ctx context.Context) error) error {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return err
	}
	return s.runs.Spend(ctx, p.WorkspaceID, operation, runs, func(ctx context.Context) (func(context.Context, dbx.Tx) error, error) {
		err := work(ctx)
		if errors.Is(err, context.DeadlineExceeded) && !errs.Is(err, errs.ModelTimeout) {
			err = errs.Wrap(err, errs.ModelTimeout, "the text model did not answer in time")
		}
		return func(context.Context, dbx.Tx) error { return nil }, err
	})
}

// estimate tells what an operation would cost.
func (s *Service) estimate(ctx context.Context, runs int) (*model.Estimate, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	return &model.Estimate{Runs: runs}, s.runs.TellBudget(ctx, p.WorkspaceID)
}

// chosen is a brief without a model that cannot be asked.
func (s *Service) chosen(b brief) brief {
	if s.models.Model() == llm.BuiltinModel {
		b.Model = ""
	}
	return b
}

// choose makes a task ask the model that the caller names; the built-in engine has only itself.
func (s *Service) choose(task llm.Task, name *string) llm.Task {
	if name = given(name); name != nil && s.models.Model() != llm.BuiltinModel {
		task.Model = *name
	}
	return task
}
