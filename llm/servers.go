package llm

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"rostrum/errs"
)

// Servers is an Engine that asks model servers in their order: the next one is asked if a server fails. The operator configures their
// addresses, so private addresses are allowed.
type Servers struct{ list []*server }

// NewServers returns the engine of at least one server without calling any.
func NewServers(configs ...Config) *Servers { return newServers(firstWait, restTime, configs...) }

func newServers(wait, rest time.Duration, configs ...Config) *Servers {
	s := &Servers{}
	for _, config := range configs {
		s.list = append(s.list, newServer(config, wait, rest))
	}
	return s
}

// Model returns the model of the first server.
func (s *Servers) Model() string { return s.list[0].config.Model }

// Run implements Engine.
func (s *Servers) Run(ctx context.Context, task Task) (Answer, error) { return s.call(ctx, task, nil) }

// Stream implements Engine. No request follows one that has sent a part.
func (s *Servers) Stream(ctx context.Context, task Task, send func(delta string) error) (Answer, error) {
	return s.call(ctx, task, send)
}

// call asks the servers that have the task's model until one answers. It returns the error of the last one that was asked, and
// errs.ValidationFailed for a model that no server has.
func (s *Servers) call(ctx context.Context, task Task, send func(string) error) (Answer, error) {
	err := s.checkModel(task.Model)
	for _, server := range s.list {
		asked := task
		if asked.Model == "" {
			asked.Model = server.config.Model
		}
		if server.breakers[asked.Model] == nil {
			continue
		}
		var answer Answer
		answer, err = server.call(ctx, asked, send)
		if err == nil {
			return answer, nil
		}
		next := mayAskNext(err)
		if err = server.newFailure(asked, err); !next {
			break
		}
	}
	return Answer{}, err
}

// checkModel returns errs.ValidationFailed for a named model that no server has.
func (s *Servers) checkModel(name string) error {
	var names []string
	for _, server := range s.list {
		names = append(append(names, server.config.Model), server.config.Models...)
	}
	if name == "" || slices.Contains(names, name) {
		return nil
	}
	slices.Sort(names)
	return errs.Invalid(errs.BodyField("value_error", "is not one of the models of this server: "+strings.Join(slices.Compact(names), ", "), "model"))
}

// mayAskNext reports whether another server may answer after an error: not if the caller has left, the model declined, or parts were sent.
func mayAskNext(err error) bool {
	_, callers := errors.AsType[*callerError](err)
	_, late := errors.AsType[*partialStreamError](err)
	return !callers && !late && !errors.Is(err, errDeclined)
}
