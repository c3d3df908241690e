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

// Ask runs a task, checks its answer against the task's schema and decodes it. An answer of another form is asked for once more, with twice
// the room when it was truncated; the second one is errs.ModelFailed.
func Ask[T any](ctx context.Context, engine Engine, task Task) (T, Answer, error) {
	var value T
	schema, err := compile(task)
	if err != nil {
		return value, Answer{}, err
	}
	answer, err := engine.Run(ctx, task)
	if err != nil {
		return value, answer, err
	}
	if value, err = decode[T](schema, answer.Text); err == nil {
		return value, answer, nil
	}
	if answer.Truncated {
		task.MaxTokens *= 2
	}
	if answer, err = engine.Run(ctx, task); err != nil {
		return value, answer, err
	}
	if value, err = decode[T](schema, answer.Text); err != nil {
		return value, answer, malformed(task, answer, err)
	}
	return value, answer, nil
}

func malformed(task Task, answer Answer, cause error) error {
	if answer.Truncated {
		return errs.Wrap(cause, errs.ModelFailed, "the text model's answer to %s was cut off at its longest length", task.Name)
	}
	return errs.Wrap(cause, errs.ModelFailed, "the text model's answer to %s does not have the form that was asked for", task.Name)
}

// compile reads the task's schema; nil when it has none.
func compile(task Task) (*jsonschema.Schema, error) {
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

// mostValues bounds how many places of an answer are tried as the start of its JSON.
const mostValues = 50

// decode finds the first JSON value in a text that the schema accepts: models put words, or a fence of backticks, around what they were asked for.
func decode[T any](schema *jsonschema.Schema, said string) (T, error) {
	var value T
	problem := errors.New("there is no JSON in it")
	rest := said
	for range mostValues {
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
		if problem = check(schema, raw); problem == nil {
			return value, json.Unmarshal(withoutNUL(raw), &value)
		}
		rest = rest[len(raw):]
	}
	return value, problem
}

// escaped finds the escapes of a JSON text, so that what only looks like one behind a backslash is passed over.
var escaped = regexp.MustCompile(`\\(?:u[0-9a-fA-F]{4}|.)`)

// withoutNUL leaves out the escape of the character that storable leaves out.
func withoutNUL(raw json.RawMessage) json.RawMessage {
	return escaped.ReplaceAllFunc(raw, func(escape []byte) []byte {
		if string(escape) == `\u0000` {
			return nil
		}
		return escape
	})
}

func check(schema *jsonschema.Schema, raw json.RawMessage) error {
	if schema == nil {
		return nil
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return err
	}
	return schema.Validate(document)
}
