package persona

import (
	"context"
	"errors"
	"time"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/llm"
	"rostrum/model"
)

// Finish stores what came of a model's answer, in the transaction that keeps its run.
type Finish = func(ctx context.Context, tx dbx.Tx) error

// The graph's fields that runs are reserved for, and what each costs.
const (
	opInteract = "interact"
	opDraft    = "draftPersona"
	opBuild    = "buildPersona"
	opContent  = "personaGenerateContent"
	opHealth   = "measurePersonaHealth"
	opJob      = "retryJob"

	oneRun = 1
)

// How long a model has for one task: less than a mutation where somebody waits, and more where nobody does.
const (
	callTime   = 25 * time.Second
	streamTime = 2 * time.Minute
	jobTime    = 3 * time.Minute
)

// asker asks a model one task.
type asker func(ctx context.Context, task llm.Task) (llm.Answer, error)

// timed is an engine whose answer must come within a time; it fails with model_timeout after that.
type timed struct {
	llm.Engine
	most time.Duration
}

// Run implements llm.Engine.
func (t timed) Run(ctx context.Context, task llm.Task) (llm.Answer, error) {
	limited, cancel := context.WithTimeout(ctx, t.most)
	defer cancel()
	answer, err := t.Engine.Run(limited, task)
	return answer, t.late(ctx, limited, err)
}

// Stream implements llm.Engine.
func (t timed) Stream(ctx context.Context, task llm.Task, send func(string) error) (llm.Answer, error) {
	limited, cancel := context.WithTimeout(ctx, t.most)
	defer cancel()
	answer, err := t.Engine.Stream(limited, task, send)
	return answer, t.late(ctx, limited, err)
}

// late tells the end of the time from all else that ends a call.
func (t timed) late(ctx, limited context.Context, err error) error {
	if err != nil && ctx.Err() == nil && errors.Is(limited.Err(), context.DeadlineExceeded) {
		return errs.Wrap(err, errs.ModelTimeout, "the text model did not answer within %s; the /async path gives it longer", t.most)
	}
	return err
}

// within is the engine with that time.
func (s *Service) within(most time.Duration) llm.Engine { return timed{s.engine, most} }

// estimate is what each of the room's model-backed fields costs.
func (s *Service) estimate(ctx context.Context, p model.Principal) (*model.Estimate, error) {
	if err := s.accounts.TellBudget(ctx, p.WorkspaceID); err != nil {
		return nil, err
	}
	return &model.Estimate{Runs: oneRun}, nil
}

// askWithin asks for an answer of a schema, its second try included, within a time.
func askWithin[T any](ctx context.Context, engine llm.Engine, most time.Duration, task llm.Task) (T, llm.Answer, error) {
	limited, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	value, answer, err := llm.Ask[T](limited, engine, task)
	return value, answer, timed{engine, most}.late(ctx, limited, err)
}
