package offline_test

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"testing"

	"rostrum/errs"
	"rostrum/llm"
	"rostrum/llm/offline"
)

// fixedInput has a fixed answer.
type fixedInput struct {
	said string
	err  error
}

func (f fixedInput) Answer(context.Context) (any, []string, error) { return f.said, nil, f.err }

func newTask(said string, err error) llm.Task {
	return llm.Task{Name: "test.ping", Input: fixedInput{said, err}}
}

// TestEngine tests the engine that makes no network calls.
func TestEngine(t *testing.T) {
	t.Run("returns_the_tasks_own_answer", func(t *testing.T) {
		answer, err := offline.Engine{}.Run(t.Context(), newTask("One. Two.", nil))
		if want := (llm.Answer{Text: "One. Two.", Model: "builtin-extractive-3"}); err != nil || answer != want {
			t.Errorf("%+v, %v", answer, err)
		}
	})
	t.Run("streams_sentences", func(t *testing.T) {
		var sent []string
		answer, err := offline.Engine{}.Stream(t.Context(), newTask("One. Two.\nThree", nil),
			func(s string) error { sent = append(sent, s); return nil })
		if want := []string{"One. ", "Two.\n", "Three"}; err != nil || answer.Text != "One. Two.\nThree" ||
			!reflect.DeepEqual(sent, want) {
			t.Errorf("%q, %+v, %v", sent, answer, err)
		}
	})
	t.Run("a_task_without_an_input_needs_a_model", func(t *testing.T) {
		if _, err := (offline.Engine{}).Run(t.Context(), llm.Task{Name: "test.ping"}); !errs.Is(err,
			errs.EngineRequired) {
			t.Error(err)
		}
	})
	t.Run("answers_must_match_their_schema", func(t *testing.T) {
		task := newTask(`{"a":1}`, nil)
		task.Schema = json.RawMessage(`{"type":"object","required":["b"]}`)
		if _, _, err := llm.Ask[map[string]int](t.Context(), offline.Engine{}, task); !errs.Is(err, errs.ModelFailed) {
			t.Error(err)
		}
	})
	t.Run("errors_and_cancellation_are_returned", func(t *testing.T) {
		bad := errors.New("bad")
		if _, err := (offline.Engine{}).Run(t.Context(), newTask("", bad)); !errors.Is(err, bad) {
			t.Error(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		_, err := offline.Engine{}.Stream(ctx, newTask("One. Two.", nil), func(string) error { cancel(); return nil })
		if !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
}
