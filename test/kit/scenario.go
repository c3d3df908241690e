package kit

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/caarlos0/env/v11"
	"github.com/joho/godotenv"
	"golang.org/x/tools/txtar"

	"rostrum/app"
	"rostrum/domain/account"
	"rostrum/llm/offline"
	"rostrum/model"
	"rostrum/rest"
	"rostrum/test/kit/golden"
	"rostrum/test/kit/llmtest"
	"rostrum/test/kit/poll"
	"rostrum/test/kit/webhooktest"
)

// Scenarios runs every txtar file of the folder on every stack. The files of an archive are the
// steps of one scenario, in order:
//
//	NAME.rest  a request: "METHOD /path", headers, an empty line, a body
//	NAME.gql   an operation for POST /graphql; NAME.vars has its variables
//	NAME.stream  a number of events and, on the following lines, a subscription, of which as many events are read over SSE; NAME.vars has its variables
//	NAME.screen  the name of a file of e2e/screens, whose operation is run; NAME.vars has its variables
//	NAME.until  "FIELD = VALUE": the operation or screen of this name is repeated until a field of its response has the JSON value
//	NAME.poll  "GET /path until FIELD = VALUE": repeats a request until a field of the response has the JSON value; with != until it has another
//	NAME.out   the expected response of the step of this name: status, headers and body, with tokens for ids and times
//	NAME.asked  words: waits until the text model has been asked with them in the prompt
//	NAME.received  the number of posts to wait for; the response is all posts that the receiver got. ${receiver} is its address
//	NAME.member  the email address of a user who becomes a member of the workspace, and their role; without one an editor
//	NAME.plan  the workspace's plan for the following steps; free at first
//	NAME.runs  the workspace's run limit for the following steps
//	settings   settings of the app by their names in the environment, one NAME=value a line
//	site/PATH  a file that the local site serves; ${site} is its address
//	model/TASK the text model's answer to the task, as "model/tag.apply"; without such files the app uses the built-in engine
//	synonyms   words and the words that they are embedded as, one WORD=WORD a line, for the setting LLM_EMBEDDING_MODEL
//	engines    "both": the scenario runs with the model and with the built-in engine, with equal responses; <model> is the model's name
//
// A token such as <doc_1> in a response can be used in later steps as ${doc_1}; ${other_key} is a
// key of another workspace, ${session} the cookie of the last sign-in, and ${secret_1.app} the code of an authenticator app. A task with several answers has them in files such as
// model/tag.apply/first. The first that matches a call is sent; a call without a match fails the
// scenario. Directives before the text restrict the matches or make the answer a failure: see
// llmtest.ParseScript.
//
// A poll without an expected response is not compared.
func Scenarios(t *testing.T, folder string) {
	files, err := filepath.Glob(filepath.Join(folder, "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no scenarios in %s (%v)", folder, err)
	}
	t.Parallel()
	for _, stack := range Stacks(t) {
		t.Run(stack.Name, func(t *testing.T) {
			t.Parallel()
			shared := sync.OnceValue(func() *App { return stack.Start(t) })
			for _, file := range files {
				t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
					t.Parallel()
					runScenario(t, stack, shared, file)
				})
			}
		})
	}
}

type scenario struct {
	t      *testing.T
	app    *App
	tokens *tokens
	posts  *webhooktest.Receiver
	llm    *llmtest.Server // nil without a text model
	files  map[string]string
}

// runScenario runs the scenario on the shared app in workspaces of its own, or on an app of its own
// if it has settings or a text model.
func runScenario(t *testing.T, stack Stack, shared func() *App, file string) {
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	s := &scenario{t: t, tokens: newTokens(), files: map[string]string{}}
	for _, f := range archive.Files {
		s.files[f.Name] = string(f.Data)
	}
	answers, err := llmtest.ParseScript(archive.Files)
	if err != nil {
		t.Fatal(err)
	}
	if len(answers) == 0 && s.files["settings"] == "" {
		s.runSteps(shared().Tenant(t), file, archive)
		return
	}
	config := s.withModel(stack.config(t), answers)
	if strings.TrimSpace(s.files["engines"]) != "both" {
		s.runSteps(StartWith(t, s.withSettings(config)), file, archive)
		return
	}
	t.Run("openai", func(t *testing.T) {
		s := &scenario{t: t, tokens: newTokens(), files: s.files, llm: s.llm}
		s.tokens.setToken("model", llmtest.ScriptedModel)
		s.runSteps(StartWith(t, s.withSettings(config)), file, archive)
	})
	t.Run("builtin", func(t *testing.T) {
		s := &scenario{t: t, tokens: newTokens(), files: s.files}
		s.tokens.setToken("model", offline.Model)
		s.runSteps(StartWith(t, s.withSettings(stack.config(t))), file, archive)
	})
}

// runSteps runs the steps of the scenario in the app's workspace.
func (s *scenario) runSteps(app *App, file string, archive *txtar.Archive) {
	t := s.t
	site := NewSite(t, s.files)
	s.app = app
	s.tokens.setToken("site", site)
	if strings.Contains(string(txtar.Format(archive)), "${receiver}") {
		s.posts = webhooktest.NewReceiver(t)
		s.tokens.setToken("receiver", s.posts.URL)
	}
	s.tokens.setToken("base", s.app.URL)
	s.tokens.setToken("workspace", s.app.WorkspaceID)
	_, other, err := s.app.Provision(t.Context(), account.NewWorkspace{Name: "Other"})
	if err != nil {
		t.Fatal(err)
	}
	s.tokens.setToken("other_key", other)
	answered := map[string]string{} // step by the name of its expected response
	changed := false
	for _, f := range slices.Clone(archive.Files) {
		answer, ok := s.runStep(f.Name, string(f.Data))
		if !ok {
			continue
		}
		want := strings.TrimSuffix(f.Name, filepath.Ext(f.Name)) + ".out"
		if other, taken := answered[want]; taken {
			t.Fatalf("%s: %s and %s have the same name", file, other, f.Name)
		}
		answered[want] = f.Name
		if strings.TrimSpace(answer) == strings.TrimSpace(s.files[want]) {
			continue
		}
		if _, listed := s.files[want]; !listed && strings.HasSuffix(f.Name, ".poll") {
			continue
		}
		changed = true
		if !golden.Updating() {
			t.Fatalf("%s, step %s\ngot:\n%s\nwant:\n%s", file, f.Name, answer, s.files[want])
		}
		setFile(archive, f.Name, want, answer)
		s.files[want] = answer
	}
	if changed {
		if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
		t.Errorf("%s was rewritten; read the change and run again without -update", file)
	}
}

// setFile replaces the expected response in the archive, or inserts it after its step.
func setFile(archive *txtar.Archive, step, name, data string) {
	named := func(want string) int {
		return slices.IndexFunc(archive.Files, func(f txtar.File) bool { return f.Name == want })
	}
	if i := named(name); i >= 0 {
		archive.Files[i].Data = []byte(data)
		return
	}
	archive.Files = slices.Insert(archive.Files, named(step)+1, txtar.File{Name: name, Data: []byte(data)})
}

// runStep runs a step and returns its response as text; ok is false for files that are not a step
// with a response.
func (s *scenario) runStep(name, text string) (answer string, ok bool) {
	text = s.tokens.expandTokens(text)
	switch filepath.Ext(name) {
	case ".rest":
		return s.formatResponse(s.rest(text)), true
	case ".gql":
		return s.formatResponse(s.runOperation(strings.TrimSuffix(name, ".gql"), text)), true
	case ".stream":
		return s.stream(text, s.tokens.expandTokens(s.files[strings.TrimSuffix(name, ".stream")+".vars"])), true
	case ".screen":
		query, err := os.ReadFile(filepath.Join("..", "e2e", "screens", strings.TrimSpace(text)))
		if err != nil {
			s.t.Fatal(err)
		}
		return s.formatResponse(s.runOperation(strings.TrimSuffix(name, ".screen"), string(query))), true
	case ".poll":
		return s.formatResponse(s.poll(text)), true
	case ".asked":
		s.awaitQuestion(strings.TrimSpace(text))
	case ".received":
		want, err := strconv.Atoi(strings.TrimSpace(text))
		if err != nil {
			s.t.Fatal(err)
		}
		return s.tokens.replaceValues(s.posts.AwaitPosts(s.t, want)), true
	case ".member":
		s.addMember(strings.TrimSpace(text))
	case ".plan":
		s.app.SetWorkspacePlan(s.t, model.Plan(strings.TrimSpace(text)))
	case ".runs":
		s.limitRuns(text)
	}
	return "", false
}

// withSettings applies the scenario's settings to the config.
func (s *scenario) withSettings(config app.Config) app.Config {
	given, err := godotenv.Unmarshal(s.files["settings"])
	if err == nil && len(given) > 0 {
		err = env.ParseWithOptions(&config, env.Options{Environment: given, SetDefaultsForZeroValuesOnly: true})
	}
	if err != nil {
		s.t.Fatal(err)
	}
	return config
}

func (s *scenario) limitRuns(text string) {
	limit, err := strconv.Atoi(strings.TrimSpace(text))
	if err == nil {
		err = s.app.LimitRuns(s.t.Context(), s.app.WorkspaceID, limit)
	}
	if err != nil {
		s.t.Fatal(err)
	}
}

func (s *scenario) rest(text string) *Response {
	head, body, _ := strings.Cut(text, "\n\n")
	lines := strings.Split(strings.TrimSpace(head), "\n")
	method, path, _ := strings.Cut(lines[0], " ")
	header := http.Header{}
	for _, line := range lines[1:] {
		name, value, _ := strings.Cut(line, ":")
		header.Set(strings.TrimSpace(name), strings.TrimSpace(value))
	}
	response := s.app.Do(s.t, method, strings.TrimSpace(path), header, strings.TrimSpace(body))
	for _, cookie := range (&http.Response{Header: response.Header}).Cookies() {
		if cookie.Name == rest.SessionCookie {
			s.tokens.value["session"] = cookie.Name + "=" + cookie.Value
		}
	}
	return response
}

// runOperation runs the operation of a step, until the condition of the step holds if it has one.
func (s *scenario) runOperation(step, query string) *Response {
	variables := s.tokens.expandTokens(s.files[step+".vars"])
	condition := strings.TrimSpace(s.tokens.expandTokens(s.files[step+".until"]))
	if condition == "" {
		return s.graph(query, variables)
	}
	return s.repeat(step, condition, func() *Response { return s.graph(query, variables) })
}

func (s *scenario) addMember(text string) {
	email, role, _ := strings.Cut(text, " ")
	user := account.NewUser{Email: email, Password: "a long password", WorkspaceID: s.app.WorkspaceID,
		Role: model.Role(cmp.Or(role, string(model.RoleEditor)))}
	if _, err := s.app.AddUser(s.t.Context(), user); err != nil {
		s.t.Fatal(err)
	}
}

func (s *scenario) graph(query, variables string) *Response {
	request := map[string]any{"query": query}
	if variables != "" {
		request["variables"] = json.RawMessage(variables)
	}
	body, err := json.Marshal(request)
	if err != nil {
		s.t.Fatal(err)
	}
	return s.app.Do(s.t, http.MethodPost, "/graphql", nil, string(body))
}

// stream returns the first events of a subscription.
func (s *scenario) stream(text, variables string) string {
	number, query, _ := strings.Cut(strings.TrimSpace(text), "\n")
	events, err := strconv.Atoi(number)
	if err != nil {
		s.t.Fatalf("a stream begins with the number of its events: %v", err)
	}
	body, err := json.Marshal(map[string]any{"query": query, "variables": json.RawMessage(cmp.Or(variables, "{}"))})
	if err != nil {
		s.t.Fatal(err)
	}
	response := s.app.Read(s.t, events, http.MethodPost, "/graphql", http.Header{"Accept": {"text/event-stream"}},
		string(body))
	var out bytes.Buffer
	for line := range strings.Lines(string(response.Body)) {
		if data, ok := strings.CutPrefix(line, "data: {"); ok {
			if err := json.Indent(&out, []byte("{"+data), "", "  "); err != nil {
				s.t.Fatal(err)
			}
		}
	}
	return s.tokens.replaceValues(out.String())
}

func (s *scenario) poll(text string) *Response {
	request, condition, ok := strings.Cut(strings.TrimSpace(text), " until ")
	if !ok {
		s.t.Fatalf("a poll is GET /path until FIELD = VALUE, not %q", text)
	}
	return s.repeat(request, condition, func() *Response { return s.rest(request) })
}

// repeat sends a request until a field of the response has the value of the condition.
func (s *scenario) repeat(name, condition string, send func() *Response) *Response {
	field, want, ok := strings.Cut(condition, " = ")
	differs := !ok
	if differs {
		field, want, ok = strings.Cut(condition, " != ")
	}
	if !ok {
		s.t.Fatalf("%s: a condition is FIELD = VALUE or FIELD != VALUE, not %q", name, condition)
	}
	var response *Response
	holds := poll.Holds(func() bool {
		response = send()
		return (lookupField(response.Body, field) == want) != differs
	})
	if !holds {
		s.t.Fatalf("%s: %s does not hold after %s\n%s", name, condition, poll.Patience, response.Body)
	}
	return response
}

// lookupField returns the JSON of a dotted field, whose names may be numbers of elements, or ""
// when there is none.
func lookupField(body []byte, field string) string {
	var value any
	if err := json.Unmarshal(body, &value); err != nil {
		return ""
	}
	for _, name := range strings.Split(field, ".") {
		switch parent := value.(type) {
		case map[string]any:
			value = parent[name]
		case []any:
			i, err := strconv.Atoi(name)
			if err != nil || i < 0 || i >= len(parent) {
				return ""
			}
			value = parent[i]
		default:
			return ""
		}
	}
	text, _ := json.Marshal(value)
	return string(text)
}

// formatResponse returns a response as text for comparison: status, significant headers, and the
// body with tokens.
func (s *scenario) formatResponse(a *Response) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d\n", a.Status)
	for _, name := range []string{"Location", "Retry-After", "Allow", "Idempotent-Replayed", "X-Export-Warning",
		"X-Embargo-Warning", "X-Run-Budget-Remaining", "RateLimit-Limit", "RateLimit-Remaining", "Total-Count", "Link"} {
		if value := a.Header.Get(name); value != "" {
			fmt.Fprintf(&b, "%s: %s\n", name, value)
		}
	}
	body := a.Body
	var indented bytes.Buffer
	if json.Indent(&indented, body, "", "  ") == nil {
		body = indented.Bytes()
	}
	b.Write(body)
	if a.Status == http.StatusTooManyRequests {
		return strings.TrimSpace(s.tokens.replaceValues(waitPattern.ReplaceAllString(b.String(), "$1<wait>"))) + "\n"
	}
	return strings.TrimSpace(s.tokens.replaceValues(b.String())) + "\n"
}
