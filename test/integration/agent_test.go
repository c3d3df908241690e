package integration

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"rostrum/rest/agent"
	"rostrum/rest/stored"
	"rostrum/test/kit"
	"rostrum/test/kit/golden"
)

// keyedTransport sends requests with a key, as a client's JSON config says.
type keyedTransport struct{ header, value string }

// RoundTrip implements http.RoundTripper.
func (k keyedTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set(k.header, k.value)
	return kit.Transport.RoundTrip(r)
}

// connectAgent connects the SDK's client with a key.
func connectAgent(t *testing.T, app *kit.App, key string) *mcp.ClientSession {
	t.Helper()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: app.URL + agent.Path,
		HTTPClient: &http.Client{Transport: keyedTransport{"Authorization", "Bearer " + key}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { session.Close() })
	return session
}

// callTool calls a tool and returns the result with its first text.
func callTool(t *testing.T, session *mcp.ClientSession, name string, arguments any) (*mcp.CallToolResult, string) {
	t.Helper()
	result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: arguments})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return result, result.Content[0].(*mcp.TextContent).Text
}

// listTools returns the tools that a key may call, by name.
func listTools(t *testing.T, session *mcp.ClientSession) map[string]*mcp.Tool {
	t.Helper()
	tools := map[string]*mcp.Tool{}
	for tool, err := range session.Tools(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		tools[tool.Name] = tool
	}
	return tools
}

// TestAgent_tools/NAME calls an operation as a tool and through REST with the same input, and
// compares the bytes. What changes something is called twice with one idempotency key: the second
// answer is the stored one of the first, which also proves that both had the same input.
func TestAgent_tools(t *testing.T) {
	kit.EachStack(t, func(t *testing.T, app *kit.App) {
		operations, states := app.Operations(), map[*area]*state{}
		sessions, tools := map[*area]*mcp.ClientSession{}, map[string]*mcp.Tool(nil)
		for i := range areas {
			a := &areas[i]
			states[a] = prepareState(t, app.Tenant(t), a)
			sessions[a] = connectAgent(t, app, states[a].app.Key)
		}
		tools = listTools(t, sessions[&areas[0]])
		for _, name := range slices.SortedFunc(maps.Keys(operations), compareOrder) {
			op := app.Stored()[name]
			if agent.LeftOut(op) != "" {
				continue
			}
			t.Run(name, func(t *testing.T) {
				a := areaOf(name)
				s, session := states[a], sessions[a]
				if a.calls[name].alone {
					s = prepareState(t, app.Tenant(t), a)
					session = connectAgent(t, app, s.app.Key)
				}
				compareTool(t, s, session, tools[agent.ToolName(name)], op, a.calls[name])
			})
		}
	})
}

func compareTool(t *testing.T, s *state, session *mcp.ClientSession, tool *mcp.Tool, op *stored.Operation, c call) {
	t.Helper()
	if tool == nil {
		t.Fatal("a key with all scopes does not see the tool")
	}
	arguments, header := s.arguments(t, op, c), http.Header{}
	if _, ok := tool.InputSchema.(map[string]any)["properties"].(map[string]any)["idempotency_key"]; ok {
		arguments["idempotency_key"] = json.RawMessage(`"` + op.Name + `"`)
		header.Set("Idempotency-Key", op.Name)
	}
	result, got := callTool(t, session, tool.Name, arguments)
	want := s.app.Do(t, c.method, "/api/v1"+s.fill(c.path), header, s.fill(c.body))
	if result.IsError != (want.Status >= 400) {
		t.Errorf("isError is %v for %d", result.IsError, want.Status)
	}
	if stable(t, want, got) != stable(t, want, string(want.Body)) {
		t.Errorf("the tool returns\n%s\nREST returns\n%s", got, want.Body)
	}
	if !result.IsError && c.refusal != "" {
		t.Errorf("the tool is not refused with %s", c.refusal)
	}
	if result.IsError || !bytes.HasPrefix(want.Body, []byte("{")) {
		return
	}
	if structured := encoded(t, result.StructuredContent); !bytes.Equal(structured, canonical(t, got)) {
		t.Errorf("the structured content is\n%s\nand the text\n%s", structured, got)
	}
}

// canonical returns JSON with sorted members.
func canonical(t *testing.T, text string) []byte {
	t.Helper()
	var value any
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		t.Fatal(err)
	}
	return encoded(t, value)
}

// momentary matches what differs between two requests: their ids, and the time of an answer.
var momentary = regexp.MustCompile(`"(request_id|cached_at|last_used_at)":("[^"]*"|null)`)

// stable returns a body without what is momentary. Postgres stores answers to repeat with other
// white space.
func stable(t *testing.T, want *kit.Response, body string) string {
	t.Helper()
	if want.Header.Get("Idempotent-Replayed") != "" && body != "" {
		var text bytes.Buffer
		if err := json.Compact(&text, []byte(body)); err != nil {
			t.Fatal(err)
		}
		body = text.String()
	}
	return momentary.ReplaceAllString(body, "*")
}

// arguments returns a call of REST as the arguments of the tool: path, query and body in one object.
func (s *state) arguments(t *testing.T, op *stored.Operation, c call) map[string]json.RawMessage {
	t.Helper()
	arguments := map[string]json.RawMessage{}
	if body := s.fill(c.body); body != "" {
		if err := json.Unmarshal([]byte(body), &arguments); err != nil {
			t.Fatal(err)
		}
	}
	address, err := url.Parse("/api/v1" + s.fill(c.path))
	if err != nil {
		t.Fatal(err)
	}
	steps := strings.Split(address.EscapedPath(), "/")
	for i, step := range strings.Split(op.Rule.Path, "/") {
		if name, ok := strings.CutPrefix(step, "{"); ok {
			text, err := url.PathUnescape(steps[i])
			if err != nil {
				t.Fatal(err)
			}
			arguments[strings.TrimSuffix(name, "}")] = encoded(t, text)
		}
	}
	for name, values := range address.Query() {
		if op.When != nil && name == op.When.Name {
			continue
		}
		arguments[name] = encoded(t, values[0])
		if len(values) > 1 {
			arguments[name] = encoded(t, values)
		}
	}
	return arguments
}

// TestAgent_count: each operation is a tool or is left out for a reason. The golden file shows what
// clients are told of the tools.
func TestAgent_count(t *testing.T) {
	t.Parallel()
	app := kit.Stacks(t)[0].Start(t)
	tools, left, ofUsers := listTools(t, connectAgent(t, app, app.Key)), 0, 0
	for name, op := range app.Stored() {
		reason, tool := agent.LeftOut(op), tools[agent.ToolName(name)]
		if (reason == "") != (tool != nil) {
			t.Errorf("%s: left out because %q, and a tool: %v", name, reason, tool != nil)
		}
		if strings.HasPrefix(reason, "it is for signed-in users") {
			ofUsers++
		} else if reason != "" {
			left++
		}
	}
	if all := len(app.Stored()); len(tools)+left+ofUsers != all || left > 12 || ofUsers > 12 {
		t.Errorf("%d tools, %d left out and %d of users, of %d operations", len(tools), left, ofUsers, all)
	}
	golden.Check(t, "testdata/tools.txt", describeTools(tools))
}

// describeTools returns a line for each tool: its name, hints and title.
func describeTools(tools map[string]*mcp.Tool) []byte {
	var text bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(tools)) {
		hints := tools[name].Annotations
		var words []string
		for word, applies := range map[string]bool{"reads": hints.ReadOnlyHint, "destroys": *hints.DestructiveHint,
			"repeatable": hints.IdempotentHint, "open": *hints.OpenWorldHint} {
			if applies {
				words = append(words, word)
			}
		}
		slices.Sort(words)
		fmt.Fprintf(&text, "%s [%s] %s\n", name, strings.Join(words, " "), tools[name].Title)
	}
	return text.Bytes()
}
