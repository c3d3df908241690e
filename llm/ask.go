package llm

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"rostrum/errs"
)

// Ask runs a task, validates its answer against the task's schema and decodes it. It requests an
// invalid answer once more, with twice the token limit if it was truncated. A second invalid answer
// is errs.ModelFailed.
func Ask[T any](ctx context.Context, engine Engine, task Task) (T, Answer, error) {
	var value T
	schema, err := compileSchema(task)
	if err != nil {
		return value, Answer{}, err
	}
	task.check = func(text string) error {
		_, err := decodeAnswer[T](schema, text)
		return err
	}
	answer, err := engine.Run(ctx, task)
	if err != nil {
		return value, answer, err
	}
	if value, err = decodeAnswer[T](schema, answer.Text); err == nil {
		return value, answer, nil
	}
	if answer.Truncated {
		task.MaxTokens *= 2
	}
	if answer, err = engine.Run(ctx, task); err != nil {
		return value, answer, err
	}
	if value, err = decodeAnswer[T](schema, answer.Text); err != nil {
		return value, answer, malformedAnswer(task, answer, err)
	}
	return value, answer, nil
}

func malformedAnswer(task Task, answer Answer, cause error) error {
	if answer.Truncated {
		return errs.Wrap(cause, errs.ModelFailed, "the text model's answer to %s was cut off at its longest length",
			task.Name)
	}
	return errs.Wrap(cause, errs.ModelFailed, "the text model's answer to %s does not have the form that was asked for",
		task.Name)
}

// compileSchema compiles the task's schema; nil without one. It returns an error if it is invalid.
func compileSchema(task Task) (*jsonschema.Schema, error) {
	if task.Schema == nil {
		return nil, nil
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(task.Schema))
	if err != nil {
		return nil, fmt.Errorf("read the schema of %s: %w", task.Name, err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("answer.json", document); err != nil {
		return nil, fmt.Errorf("read the schema of %s: %w", task.Name, err)
	}
	schema, err := compiler.Compile("answer.json")
	if err != nil {
		return nil, fmt.Errorf("read the schema of %s: %w", task.Name, err)
	}
	return schema, nil
}

// maxCandidates limits the positions in an answer that are tried as the start of its JSON.
const maxCandidates = 50

// decodeAnswer decodes the first JSON value in an answer that matches the schema, because models
// add words or a code fence around it. It returns an error if no value matches.
func decodeAnswer[T any](schema *jsonschema.Schema, said string) (T, error) {
	var value T
	problem := errors.New("there is no JSON in it")
	rest := said
	for range maxCandidates {
		start := strings.IndexAny(rest, "{[")
		if start < 0 {
			break
		}
		rest = rest[start:]
		var raw json.RawMessage
		if err := json.NewDecoder(strings.NewReader(rest)).Decode(&raw); err != nil {
			problem, rest = err, rest[1:]
			continue
		}
		if problem = validateJSON(schema, raw); problem == nil {
			return value, json.Unmarshal(removeNUL(raw), &value)
		}
		rest = rest[len(raw):]
	}
	return value, problem
}

// escapeSequence matches the escapes of a JSON text. It matches whole ones, so that an escaped
// backslash is not taken for the start of another.
var escapeSequence = regexp.MustCompile(`\\(?:u[0-9a-fA-F]{4}|.)`)

// removeNUL removes the escape of the NUL character, as removeNULBytes does.
func removeNUL(raw json.RawMessage) json.RawMessage {
	return escapeSequence.ReplaceAllFunc(raw, func(escape []byte) []byte {
		if string(escape) == `\u0000` {
			return nil
		}
		return escape
	})
}

func validateJSON(schema *jsonschema.Schema, raw json.RawMessage) error {
	if schema == nil {
		return nil
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return err
	}
	return schema.Validate(document)
}
