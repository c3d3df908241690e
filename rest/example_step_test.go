package rest_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/textproto"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"golang.org/x/tools/txtar"

	"rostrum/rest/stored"
)

// step is a request of a scenario that succeeded, with values in the place of tokens.
type step struct {
	name, query, request, status, answer string
	parameters                           map[string]json.RawMessage
}

// readSteps returns the steps of the folder's scenarios by the name of their operation.
func readSteps(t *testing.T, folder string, doc *openapi3.T) map[string][]step {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no scenarios in %s (%v)", folder, err)
	}
	steps := map[string][]step{}
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		answers := map[string]string{}
		for _, f := range archive.Files {
			answers[f.Name] = string(f.Data)
		}
		for _, f := range archive.Files {
			kind := filepath.Ext(f.Name)
			answer, ok := answers[strings.TrimSuffix(f.Name, kind)+".out"]
			if !ok || kind != ".rest" && kind != ".poll" || !strings.HasPrefix(answer, "2") {
				continue
			}
			request, _, _ := strings.Cut(string(f.Data), " until ")
			if operation, s := readStep(doc, request, answer); operation != nil {
				s.name = filepath.Base(file) + " " + f.Name
				steps[operation.OperationID] = append(steps[operation.OperationID], s)
			}
		}
	}
	return steps
}

// readStep returns a step and its operation, which is nil when the step is no example: another
// workspace sends it, or it has what the operation ignores.
func readStep(doc *openapi3.T, request, answer string) (*openapi3.Operation, step) {
	head, body, _ := strings.Cut(request, "\n\n")
	line, headers, _ := strings.Cut(strings.TrimSpace(head), "\n")
	method, address, _ := strings.Cut(line, " ")
	path, query, _ := strings.Cut(strings.TrimSpace(address), "?")
	path, query = selectedPath(doc, method, path, query)
	operation, values := findOperation(doc, method, path)
	if operation == nil || strings.Contains(headers, "${other_key}") {
		return nil, step{}
	}
	s := step{query: query, parameters: map[string]json.RawMessage{}}
	var ok bool
	if s.request, ok = readRequest(operation, headers, fillTokens(path, strings.TrimSpace(body))); !ok {
		return nil, step{}
	}
	for name, value := range values {
		if value, err := url.PathUnescape(fillTokens(path, value)); err == nil {
			s.parameters[name] = quote(value)
		}
	}
	if !s.addQuery(operation, fillTokens(path, query)) {
		return nil, step{}
	}
	s.status, s.answer = splitAnswer(fillTokens(path, answer))
	return operation, s
}

// selectedPath returns the address that an operation selected by a query parameter has of its own.
func selectedPath(doc *openapi3.T, method, path, query string) (own, rest string) {
	name, on := strings.CutSuffix(query, "=true")
	own = stored.SelectedPath(path, name)
	if operation, _ := findOperation(doc, method, own); on && operation != nil && (name == "estimate" || name == "dry_run") {
		return own, ""
	}
	return path, query
}

// readRequest returns a step's body as JSON, also that of a form if the operation takes only forms.
// It is empty for another form; ok is false for other bodies.
func readRequest(operation *openapi3.Operation, headers, body string) (request string, ok bool) {
	header, err := textproto.NewReader(bufio.NewReader(strings.NewReader(headers + "\n\n"))).ReadMIMEHeader()
	if err != nil {
		return "", false
	}
	media, parameters, err := mime.ParseMediaType(header.Get("Content-Type"))
	if err != nil || media == stored.MediaJSON {
		return body, body == "" || json.Valid([]byte(body))
	}
	if operation.RequestBody == nil || media != stored.MediaForm {
		return "", false
	}
	if operation.RequestBody.Value.Content[stored.MediaJSON] != nil {
		return "", true
	}
	parts, err := multipart.NewReader(strings.NewReader(body), parameters["boundary"]).ReadForm(1 << 20)
	if err != nil {
		return "", false
	}
	form := map[string]string{}
	for name, values := range parts.Value {
		form[name] = values[0]
	}
	for name, files := range parts.File {
		file, err := files[0].Open()
		if err != nil {
			return "", false
		}
		text, err := io.ReadAll(file)
		if err != nil {
			return "", false
		}
		form[name] = string(text)
	}
	return string(quote(form)), true
}

// addQuery adds the query's parameters; it returns false if the operation does not know one.
func (s *step) addQuery(operation *openapi3.Operation, query string) bool {
	values, err := url.ParseQuery(query)
	for name := range values {
		parameter := operation.Parameters.GetByInAndName("query", name)
		if parameter == nil {
			return false
		}
		s.parameters[name] = parseParameter(parameter.Schema.Value, values.Get(name))
	}
	return err == nil
}

// parseParameter returns the value of a query parameter as JSON.
func parseParameter(schema *openapi3.Schema, text string) json.RawMessage {
	switch {
	case schema.Type.Includes(openapi3.TypeArray):
		return quote(strings.Split(text, ","))
	case schema.Type.Includes(openapi3.TypeString):
		return quote(text)
	}
	return json.RawMessage(text)
}

func quote(value any) json.RawMessage {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err) // texts only
	}
	return text
}

var headerLine = regexp.MustCompile(`^[A-Z][\w-]*: .*\n?`)

// splitAnswer returns the status and the body of an expected response.
func splitAnswer(answer string) (status, body string) {
	status, body, _ = strings.Cut(answer, "\n")
	for headerLine.MatchString(body) {
		body = headerLine.ReplaceAllString(body, "")
	}
	return strings.TrimSpace(status), strings.TrimSpace(body)
}

var (
	tokenPattern  = regexp.MustCompile(`<(\w+)>|\$\{(\w+)\}`)
	idToken       = regexp.MustCompile(`^([a-z]{3})_(\d+)$`)
	numberPattern = regexp.MustCompile(`"<took>"`)
)

// fixedTokens are the values of tokens without a number.
var fixedTokens = map[string]string{
	"time": "2026-11-30T09:15:00.000000Z", "site": "https://example.com", "receiver": "https://hooks.example.com",
	"base": "http://127.0.0.1:8080", "workspace": newID("wsp", "1"), "model": "built-in",
	"cursor": "eyJhZnRlciI6MX0", "prefix": "rsk_exampl", "request": "example-request",
}

// fillTokens replaces the tokens of a scenario by values of the same form. The path tells what kind
// of secret it is.
func fillTokens(path, text string) string {
	text = numberPattern.ReplaceAllString(text, "120")
	return tokenPattern.ReplaceAllStringFunc(text, func(token string) string {
		name := strings.Trim(token, "<>${}")
		if value, ok := fixedTokens[name]; ok {
			return value
		}
		if id := idToken.FindStringSubmatch(name); id != nil {
			return newID(id[1], id[2])
		}
		if strings.HasPrefix(name, "secret_") {
			return newSecret(path)
		}
		return token
	})
}

// newSecret returns a secret of the kind that a path has.
func newSecret(path string) string {
	for part, start := range map[string]string{"/invite": "rsi_", "password": "rsp_", "/keys": "rsk_"} {
		if strings.Contains(path, part) {
			return start + strings.Repeat("example", 6)[:38]
		}
	}
	return "whsec_" + strings.Repeat("example", 7)[:43] + "="
}

// newID returns an id with a prefix. That of a viewer session ends with a signature.
func newID(prefix, number string) string {
	id := fmt.Sprintf("%s_01kb9x2m4r7t8v5w3y6z1a0%03s", prefix, number)
	if prefix == "vis" {
		return id + "7h3k9m2p5r8t4w6y"
	}
	return id
}
