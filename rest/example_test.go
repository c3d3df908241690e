package rest_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"rostrum/errs"
	"rostrum/rest/openapi"
	"rostrum/rest/stored"
)

// firstSteps is the scenario whose bodies explain themselves. Its steps are the best examples.
const firstSteps = "first_steps.txtar "

// withoutExample are the operations without an example of their request or response, and why.
var withoutExample = map[string]string{
	"setUp":          "needs a database without a workspace, and the token of its first start",
	"forgetPassword": "needs a mail server",
	"listEvents":     "its stream has no end, so no step reads it; its pages have an example",
}

// TestExamples checks that examples.json has the best step of each operation, that requests and
// responses fit the operation's schemas, and that only known operations have none.
func TestExamples(t *testing.T) {
	t.Parallel()
	doc, err := openapi3.NewLoader().LoadFromData(newServer(t).document(t))
	if err != nil {
		t.Fatal(err)
	}
	steps := readSteps(t, "../test/integration/testdata", doc)
	examples := map[string]openapi.Example{}
	for _, item := range doc.Paths.Map() {
		for _, operation := range item.Operations() {
			name := operation.OperationID
			example := newExample(t, operation, steps[name])
			if example.Step != "" {
				examples[name] = example
			}
			checkExample(t, operation, example)
		}
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", " ")
	if err := encoder.Encode(examples); err != nil {
		t.Fatal(err)
	}
	checkGolden(t, "openapi/examples.json", bytes.TrimSpace(text.Bytes()))
}

// newExample returns the example of an operation; it is empty without a step.
func newExample(t *testing.T, operation *openapi3.Operation, steps []step) (example openapi.Example) {
	t.Helper()
	slices.SortStableFunc(steps, func(a, b step) int { return a.rank(operation) - b.rank(operation) })
	for i, s := range steps {
		if i == 0 {
			example.Step = s.name
			example.Parameters = s.parameters
			if s.request != "" && operation.RequestBody != nil {
				example.Request = json.RawMessage(s.request)
			}
		}
		media, body := s.response()
		if media == "" || operation.Responses.Value(s.status).Value.Content[media] == nil {
			continue
		}
		if example.Responses == nil {
			example.Responses = map[string]map[string]json.RawMessage{}
		}
		if example.Responses[s.status] == nil {
			example.Responses[s.status] = map[string]json.RawMessage{}
		}
		if example.Responses[s.status][media] == nil {
			example.Responses[s.status][media] = body
		}
	}
	return example
}

// checkExample checks an operation's example against its schemas, and that nothing is missing
// without a reason.
func checkExample(t *testing.T, operation *openapi3.Operation, example openapi.Example) {
	t.Helper()
	name, missing := operation.OperationID, []string{}
	if media := openapi.RequestMedia(operation); media != nil {
		if example.Request == nil {
			missing = append(missing, "request")
		} else {
			checkRequest(t, operation, media.Schema.Value, example)
		}
	}
	for status, response := range operation.Responses.Map() {
		if !strings.HasPrefix(status, "2") {
			continue
		}
		for media, content := range response.Value.Content {
			body := example.Responses[status][media]
			switch {
			case body != nil:
				checkBody(t, name+" "+status, content, body)
			case media == stored.MediaJSON, media == stored.MediaStream:
				missing = append(missing, status+" "+media)
			}
		}
	}
	slices.Sort(missing)
	if got := strings.Join(missing, ", "); (got == "") != (withoutExample[name] == "") {
		t.Errorf("%s: %q has no example in %d responses, the reason is %q", name, got, len(example.Responses),
			withoutExample[name])
	}
}

func checkRequest(t *testing.T, operation *openapi3.Operation, schema *openapi3.Schema, example openapi.Example) {
	t.Helper()
	name := operation.OperationID
	var value any
	if err := json.Unmarshal(example.Request, &value); err != nil {
		t.Errorf("%s: %v", name, err)
	}
	if bad := stored.Validate(schema, value, errs.BodyField); len(bad) > 0 {
		t.Errorf("the request of %s (%s) does not fit: %v", name, example.Step, bad)
	}
	members, _ := value.(map[string]any)
	if operation.Extensions["x-graphql"] == nil { // the members of a link's form are its fields
		return
	}
	for member := range maps.Keys(members) {
		if schema.Properties[member] == nil {
			t.Errorf("the request of %s (%s) has %s, which the operation ignores", name, example.Step, member)
		}
	}
}

func checkBody(t *testing.T, name string, content *openapi3.MediaType, text []byte) {
	t.Helper()
	var body any
	if err := json.Unmarshal(text, &body); err != nil {
		t.Errorf("%s: %v", name, err)
	}
	if err := content.Schema.Value.VisitJSON(body, openapi3.MultiErrors(), openapi3.VisitAsResponse()); err != nil {
		t.Errorf("the response of %s does not fit: %v", name, err)
	}
}

// rank orders the steps of an operation: the lowest is the best example. It is short, but has a
// body and finds something.
func (s step) rank(operation *openapi3.Operation) int {
	rank := len(s.request) + len(s.answer)
	if !strings.HasPrefix(s.name, firstSteps) {
		rank += 500_000
	}
	if s.isTrial() {
		rank += 1_000_000
	}
	if operation.RequestBody != nil && len(s.request) <= len("{}") {
		rank += 200_000
	}
	if strings.Contains(s.request, "_none") {
		rank += 150_000
	}
	if s.findsNothing() || strings.Contains(s.request, "/slow") || failure.MatchString(s.answer) {
		rank += 100_000
	}
	return rank
}

// failure is what a response has whose work failed.
var failure = regexp.MustCompile(`"(error|failure)": ?["{]|"processing_status": "failed"`)

// isTrial reports whether the request only asks what it would do.
func (s step) isTrial() bool {
	return strings.Contains(s.query, "estimate=true") || strings.Contains(s.query, "dry_run=true") ||
		strings.Contains(s.request, `"estimate": true`) || strings.Contains(s.request, `"dry_run": true`) ||
		strings.HasPrefix(s.answer, "{\n  \"estimate\"")
}

// findsNothing reports whether all lists of the response are empty.
func (s step) findsNothing() bool {
	var members map[string]json.RawMessage
	if err := json.Unmarshal([]byte(s.answer), &members); err != nil {
		return strings.TrimSpace(s.answer) == "[]"
	}
	empty, full := 0, 0
	for _, value := range members {
		switch {
		case string(value) == "[]":
			empty++
		case strings.HasPrefix(string(value), "["):
			full++
		}
	}
	return empty > 0 && full == 0
}

// response returns the media type of a step's response and its body as JSON. The media type is
// empty for a file and without a body. A stream is cut after its first events.
func (s step) response() (media string, body json.RawMessage) {
	switch {
	case s.answer == "":
		return "", nil
	case json.Valid([]byte(s.answer)):
		return stored.MediaJSON, json.RawMessage(s.answer)
	case strings.Contains("\n"+s.answer, "\ndata: "):
		events := strings.SplitAfterN(s.answer, "\n\n", 4)
		return stored.MediaStream, quote(strings.Join(events[:min(3, len(events))], ""))
	}
	return "", nil
}

// matchPath returns the values of a path's parameters; ok is false for another path.
func matchPath(template, path string) (values map[string]string, ok bool) {
	names, parts := strings.Split(template, "/"), strings.Split(path, "/")
	if len(names) != len(parts) {
		return nil, false
	}
	values = map[string]string{}
	for i, name := range names {
		inner, isParameter := strings.CutPrefix(name, "{")
		switch {
		case isParameter && parts[i] != "":
			values[strings.TrimSuffix(inner, "}")] = parts[i]
		case name != parts[i]:
			return nil, false
		}
	}
	return values, true
}

// findOperation returns the operation of a request, the one with the fewest parameters in its path.
func findOperation(doc *openapi3.T, method, path string) (found *openapi3.Operation, values map[string]string) {
	for template, item := range doc.Paths.Map() {
		operation := item.GetOperation(method)
		if operation == nil || method == http.MethodHead {
			continue
		}
		if here, ok := matchPath(template, path); ok && (found == nil || len(here) < len(values)) {
			found, values = operation, here
		}
	}
	return found, values
}
