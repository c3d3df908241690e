package agent

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"rostrum/errs"
	"rostrum/rest/stored"
)

// callTool runs a tool as the REST request with the same parameters. The answer's first text has
// REST's bytes.
func (s *Server) callTool(ctx context.Context, call *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	answer := s.run(ctx, s.tools[call.Params.Name].op, call.Params.Arguments)
	result := &mcp.CallToolResult{IsError: answer.failed(), Meta: answer.meta(),
		Content: []mcp.Content{&mcp.TextContent{Text: answer.body.String()}}}
	if warning := answer.header.Get(embargoWarning); warning != "" {
		result.Content = append(result.Content, &mcp.TextContent{Text: embargoWarning + ": " + warning})
	}
	if bytes.HasPrefix(answer.body.Bytes(), []byte("{")) && !result.IsError {
		result.StructuredContent = json.RawMessage(answer.body.Bytes())
	}
	return result, nil
}

// embargoWarning is a header that the person behind the agent has to know.
const embargoWarning = "X-Embargo-Warning"

// shownHeaders lists the headers of REST's answer that are in the meta data of a result.
var shownHeaders = []string{"ETag", "Idempotent-Replayed", "Location", "RateLimit-Limit", "RateLimit-Remaining",
	"RateLimit-Reset", "Retry-After", "X-Run-Budget-Remaining"}

// metaKey names the headers in the meta data.
const metaKey = "rostrum/headers"

// run serves the request of an operation with the arguments. An error of the arguments is an answer
// like an error of the request.
func (s *Server) run(ctx context.Context, op *stored.Operation, arguments json.RawMessage) *answer {
	a := &answer{header: http.Header{}, status: http.StatusOK}
	from := caller(ctx)
	r, err := newRequest(from, op, arguments)
	if err != nil {
		a.status = errs.From(err).Status()
		a.body.Write(s.config.Problem(from, err))
		return a
	}
	s.config.REST.ServeHTTP(a, r)
	return a
}

// sentHeaders lists the headers of the message that its requests have too: who sends it and from
// where. Others, such as an idempotency key, would be meant for something else.
var sentHeaders = []string{"Authorization", "User-Agent", "X-Api-Key", "X-Forwarded-For", "X-Forwarded-Proto",
	"X-Workspace-Id"}

// newRequest returns the request of an operation with the arguments. REST validates them; here it
// is an error if there is no place for one in a request.
func newRequest(from *http.Request, op *stored.Operation, arguments json.RawMessage) (*http.Request, error) {
	in := &argumentReader{}
	if len(arguments) > 0 && json.Unmarshal(arguments, &in.values) != nil {
		return nil, errs.New(errs.MalformedJSON, "the arguments are not a JSON object")
	}
	if in.values == nil {
		in.values = map[string]json.RawMessage{}
	}
	path, query, header := op.Rule.Path, url.Values{}, http.Header{}
	for _, p := range op.Parameters {
		texts := in.take(p.Name, p.At)
		if p.In != stored.InPath {
			query[p.Name] = texts
			continue
		}
		if len(texts) != 1 || texts[0] == "" {
			in.invalid = append(in.invalid, p.At("missing", "is required"))
			continue
		}
		path = strings.Replace(path, "{"+p.Name+"}", url.PathEscape(texts[0]), 1)
	}
	for name, to := range headersOf(op) {
		header[http.CanonicalHeaderKey(to)] = in.take(name, stored.At(stored.InHeader, to))
	}
	body, err := in.takeBody(op, query)
	if err != nil {
		return nil, err
	}
	if op.When != nil {
		query.Set(op.When.Name, "true")
	}
	if len(in.invalid) > 0 {
		return nil, errs.Invalid(in.invalid...)
	}
	return assemble(from, op, path, query, header, body)
}

// assemble returns the request, which ends when the message's request ends.
func assemble(from *http.Request, op *stored.Operation, path string, query url.Values, header http.Header,
	body []byte) (*http.Request, error) {
	r, err := http.NewRequestWithContext(from.Context(), op.Rule.Method, path, bytes.NewReader(body))
	if err != nil {
		return nil, errs.Wrap(err, errs.BadRequest, "the arguments make no address")
	}
	for name, texts := range query {
		if len(texts) == 0 {
			delete(query, name)
		}
	}
	r.URL.RawQuery = query.Encode()
	r.RequestURI, r.Host, r.RemoteAddr, r.TLS = r.URL.RequestURI(), from.Host, from.RemoteAddr, from.TLS
	r.Header = header
	for _, name := range sentHeaders {
		if values := from.Header[name]; len(values) > 0 {
			r.Header[name] = slices.Clone(values)
		}
	}
	r.Header.Set("Accept", stored.MediaJSON)
	r.Header.Set("Prefer", "handling=strict") // a misspelled argument is an error, not ignored
	if len(body) > 0 {
		r.Header.Set("Content-Type", stored.MediaJSON)
	}
	return r, nil
}

// argumentReader takes arguments and collects those that a request has no place for.
type argumentReader struct {
	values  map[string]json.RawMessage
	invalid []errs.Field
}

// takeBody returns the body that the remaining arguments are. If the operation has none, they go
// into the query, of which REST names what it does not know.
func (in *argumentReader) takeBody(op *stored.Operation, query url.Values) ([]byte, error) {
	if op.Body == nil {
		for name := range in.values {
			query[name] = in.take(name, stored.At(stored.InQuery, name))
		}
		return nil, nil
	}
	if len(in.values) == 0 && !op.Body.Required {
		return nil, nil
	}
	body, err := json.Marshal(in.values)
	if err != nil {
		return nil, errs.Wrap(err, errs.MalformedJSON, "the arguments are not JSON")
	}
	return body, nil
}

// take removes an argument and returns its texts: none for null, and one for each element of a list.
func (in *argumentReader) take(name string, at stored.Locator) []string {
	raw, ok := in.values[name]
	delete(in.values, name)
	if !ok {
		return nil
	}
	elements := []json.RawMessage{raw}
	if raw[0] == '[' {
		elements = nil
		_ = json.Unmarshal(raw, &elements) // it was JSON
	}
	var texts []string
	for _, element := range elements {
		var text string
		switch {
		case string(element) == "null":
		case element[0] == '{' || element[0] == '[':
			in.invalid = append(in.invalid, at("value_error", "must be a text, a number, true or false"))
		case json.Unmarshal(element, &text) == nil:
			texts = append(texts, text)
		default:
			texts = append(texts, string(element))
		}
	}
	return texts
}

// answer collects a response.
type answer struct {
	header http.Header
	status int
	body   bytes.Buffer
}

// Header implements http.ResponseWriter.
func (a *answer) Header() http.Header { return a.header }

// WriteHeader implements http.ResponseWriter.
func (a *answer) WriteHeader(status int) { a.status = status }

// Write implements http.ResponseWriter.
func (a *answer) Write(text []byte) (int, error) { return a.body.Write(text) }

func (a *answer) failed() bool { return a.status >= http.StatusBadRequest }

// meta returns the headers that say more than the body.
func (a *answer) meta() mcp.Meta {
	shown := map[string]string{}
	for _, name := range shownHeaders {
		if value := a.header.Get(name); value != "" {
			shown[name] = value
		}
	}
	return mcp.Meta{metaKey: shown}
}
