package llm

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"rostrum/errs"
	"rostrum/llm/text"
)

// Ask runs a task, validates its answer against the task's schema and decodes it. Rows of lists that
// do not match are left out and counted, as long as the list has another row. It requests an
// otherwise invalid answer once more and says what was wrong, with twice the token limit if it was
// truncated. A second invalid answer is errs.ModelFailed.
func Ask[T any](ctx context.Context, engine Engine, task Task) (T, Answer, error) {
	var value T
	schema, err := compileSchema(task)
	if err != nil {
		return value, Answer{}, err
	}
	task.check = func(said string) error {
		_, _, err := decodeAnswer[T](schema, said)
		return err
	}
	answer, err := engine.Run(ctx, task)
	if err != nil {
		return value, answer, err
	}
	if value, answer.Dropped, err = decodeAnswer[T](schema, answer.Text); err == nil {
		return value, answer, nil
	}
	task.Prompt = strings.TrimSpace(task.Prompt + "\n\n" + describeProblem(answer, err))
	if answer.Truncated {
		task.MaxTokens *= 2
	}
	if answer, err = engine.Run(ctx, task); err != nil {
		return value, answer, err
	}
	if value, answer.Dropped, err = decodeAnswer[T](schema, answer.Text); err != nil {
		return value, answer, malformedAnswer(task, answer, err)
	}
	return value, answer, nil
}

// longestProblem is the length of what was wrong in a second prompt, in code points.
const longestProblem = 500

// describeProblem returns the sentences that a second prompt ends with. The problem may have words of
// the first answer and is enclosed.
func describeProblem(answer Answer, problem error) string {
	if answer.Truncated {
		return "Your last answer cannot be used: it was cut off at its longest length. Answer in fewer words."
	}
	return "Your last answer cannot be used. Answer again, in the form that was asked for. What was wrong:\n" +
		encloseText("problem", text.Truncate(problem.Error(), longestProblem))
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
// add words or a code fence around it. It returns the number of rows that were left out, and an
// error if no value matches.
func decodeAnswer[T any](schema *jsonschema.Schema, said string) (value T, dropped int, err error) {
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
		size := len(raw)
		if raw, dropped, problem = dropRows(schema, raw); problem == nil {
			return value, dropped, json.Unmarshal(removeNUL(raw), &value)
		}
		rest = rest[size:]
	}
	return value, 0, problem
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

// dropRows returns a JSON value without the rows of lists that do not match the schema, and their
// number. A list keeps at least one row: one with only bad rows is an error, as is all else that
// does not match.
func dropRows(schema *jsonschema.Schema, raw json.RawMessage) (json.RawMessage, int, error) {
	if schema == nil {
		return raw, 0, nil
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return nil, 0, err
	}
	dropped := 0
	for {
		problem := schema.Validate(document)
		if problem == nil {
			break
		}
		invalid, ok := errors.AsType[*jsonschema.ValidationError](problem)
		if !ok || !dropRow(document, badRow(invalid)) {
			return nil, 0, problem
		}
		dropped++
	}
	if dropped > 0 {
		raw, err = json.Marshal(document)
	}
	return raw, dropped, err
}

// badRow returns the path of the first problem up to the row of the list that has it.
func badRow(invalid *jsonschema.ValidationError) []string {
	for len(invalid.Causes) > 0 {
		invalid = invalid.Causes[0]
	}
	path := invalid.InstanceLocation
	for i := len(path) - 1; i >= 0; i-- {
		if _, err := strconv.Atoi(path[i]); err == nil {
			return path[:i+1]
		}
	}
	return nil
}

// dropRow removes the row at a path from its list, in place. It reports whether the list has another
// row.
func dropRow(document any, path []string) bool {
	if len(path) < 2 {
		return false
	}
	parent, ok := walkTo(document, path[:len(path)-2]).(map[string]any)
	if !ok {
		return false
	}
	name := path[len(path)-2]
	rows, ok := parent[name].([]any)
	at, err := strconv.Atoi(path[len(path)-1])
	if !ok || err != nil || at >= len(rows) || len(rows) < 2 {
		return false
	}
	parent[name] = slices.Delete(rows, at, at+1)
	return true
}

// walkTo returns the value at a path of a JSON document, or nil.
func walkTo(document any, path []string) any {
	for _, name := range path {
		switch node := document.(type) {
		case map[string]any:
			document = node[name]
		case []any:
			at, err := strconv.Atoi(name)
			if err != nil || at >= len(node) {
				return nil
			}
			document = node[at]
		default:
			return nil
		}
	}
	return document
}
