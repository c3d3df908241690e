package server

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"rostrum/errs"
	"rostrum/llm"
	"rostrum/platform/slot"
)

// Engine is an llm.Engine that asks model servers in order: if one fails, the next one. Private
// addresses are allowed, because the operator configures them.
type Engine struct{ servers []*modelServer }

// New returns the engine of at least one server without calling any.
func New(configs ...Config) *Engine { return newEngine(firstWait, restTime, configs...) }

func newEngine(wait, rest time.Duration, configs ...Config) *Engine {
	e := &Engine{}
	for _, config := range configs {
		e.servers = append(e.servers, newModelServer(config, wait, rest))
	}
	return e
}

// Model returns the model of the first server.
func (e *Engine) Model() string { return e.servers[0].config.Model }

// Run implements llm.Engine.
func (e *Engine) Run(ctx context.Context, task llm.Task) (llm.Answer, error) {
	return e.call(ctx, task, nil)
}

// Stream implements llm.Engine. No request follows one that has sent a part.
func (e *Engine) Stream(ctx context.Context, task llm.Task, send func(delta string) error) (llm.Answer, error) {
	return e.call(ctx, task, send)
}

// call asks the servers that have the task's model until one answers. It returns the last error,
// and errs.ValidationFailed for a model that no server has.
func (e *Engine) call(ctx context.Context, task llm.Task, send func(string) error) (llm.Answer, error) {
	defer slot.Leave(ctx)()
	err := e.CheckModel(task.Model)
	for _, server := range e.servers {
		asked := task
		if asked.Model == "" {
			asked.Model = server.config.Model
		}
		if server.breakers[asked.Model] == nil {
			continue
		}
		var answer llm.Answer
		answer, err = server.call(ctx, asked, send)
		if err == nil {
			return answer, nil
		}
		next := mayAskNext(err)
		if err = server.config.newFailure(asked.Name, err); !next {
			break
		}
	}
	return llm.Answer{}, err
}

// CheckModel returns errs.ValidationFailed for a named model that no server has.
func (e *Engine) CheckModel(name string) error {
	var names []string
	for _, server := range e.servers {
		names = append(append(names, server.config.Model), server.config.Models...)
	}
	if name == "" || slices.Contains(names, name) {
		return nil
	}
	slices.Sort(names)
	return errs.Invalid(errs.BodyField("value_error", "is not one of the models of this server: "+
		strings.Join(slices.Compact(names), ", "), "model"))
}

// mayAskNext reports whether another server may answer after an error: not if the caller has left,
// the model declined, or parts were sent.
func mayAskNext(err error) bool {
	_, callers := errors.AsType[*callerError](err)
	_, late := errors.AsType[*partialStreamError](err)
	return !callers && !late && !errors.Is(err, errDeclined)
}
