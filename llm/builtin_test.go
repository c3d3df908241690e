package llm_test

import (
	"context"
	"errors"
	"reflect"
	"testing"

	"rostrum/errs"
	"rostrum/llm"
)

func newBuiltin(said string, err error) llm.Task {
	return llm.Task{Name: "test.ping", Builtin: func(context.Context) (string, error) { return said, err }}
}

// TestBuiltin tests the engine that makes no network calls.
func TestBuiltin(t *testing.T) {
	t.Run("returns_the_tasks_own_answer", func(t *testing.T) {
		answer, err := llm.Builtin{}.Run(t.Context(), newBuiltin("One. Two.", nil))
		if want := (llm.Answer{Text: "One. Two.", Model: "builtin-extractive-1"}); err != nil || answer != want {
			t.Errorf("%+v, %v", answer, err)
		}
	})
	t.Run("streams_sentences", func(t *testing.T) {
		var sent []string
		answer, err := llm.Builtin{}.Stream(t.Context(), newBuiltin("One. Two.\nThree", nil), func(s string) error { sent = append(sent, s); return nil })
		if want := []string{"One. ", "Two.\n", "Three"}; err != nil || answer.Text != "One. Two.\nThree" || !reflect.DeepEqual(sent, want) {
			t.Errorf("%q, %+v, %v", sent, answer, err)
		}
	})
	t.Run("a_task_without_an_answer_fails", func(t *testing.T) {
		_, err := llm.Builtin{}.Run(t.Context(), llm.Task{Name: "test.ping"})
		checkFailure(t, err, errs.ModelFailed, "test.ping needs a text model")
	})
	t.Run("answers_must_match_their_schema", func(t *testing.T) {
		task := newBuiltin(`{"a":1}`, nil)
		task.Schema = pair.Schema
		_, _, err := llm.Ask[pairOf](t.Context(), llm.Builtin{}, task)
		checkFailure(t, err, errs.ModelFailed, "does not have the form")
	})
	t.Run("errors_and_cancellation_are_returned", func(t *testing.T) {
		bad := errors.New("bad")
		if _, err := (llm.Builtin{}).Run(t.Context(), newBuiltin("", bad)); !errors.Is(err, bad) {
			t.Error(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		_, err := llm.Builtin{}.Stream(ctx, newBuiltin("One. Two.", nil), func(string) error { cancel(); return nil })
		if !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
}
