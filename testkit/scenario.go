package testkit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/caarlos0/env/v11"
	"github.com/joho/godotenv"
	"golang.org/x/tools/txtar"

	"rostrum/app"
	"rostrum/domain/account"
	"rostrum/llm"
	"rostrum/model"
	"rostrum/testkit/golden"
)

// Scenarios runs every txtar file of the folder on every stack. A file holds the steps of one promise in order:
//
//	NAME.rest  a request: "METHOD /path", headers, an empty line, a body
//	NAME.gql   an operation for POST /graphql; NAME.vars has its variables
//	NAME.poll  "GET /path until FIELD = VALUE": repeats a request until a field of the answer has the JSON value
//	NAME.out   the whole answer of the step before: its status and its body, ids and times replaced by tokens
//	NAME.received  how many posts the receiver must get; the answer is all that it has got. ${receiver} is its address
//	NAME.plan  what the workspace has contracted from here on; free at first
//	NAME.runs  the run limit that the workspace has from here on
//	settings   settings of the app by their names in the environment, one NAME=value a line
//	site/PATH  a file that the local site serves; ${site} is its address
//	model/TASK the text model's answer to the task, as "model/tag.apply"; without such files the built-in engine answers
//	engines    "both": the scenario runs with the model's answers and again without, and the answers are the same; <model> is the model's name
//
// A token such as <doc_1> in an answer can be used in later steps as ${doc_1}; ${other_key} is a key of another workspace.
// A task with several answers has them in files such as model/tag.apply/first; the first that fits a call is given, and a call that none fits
// fails the scenario. Lines with @ before the text say when an answer fits, or make it a failure: see modelAnswers.
//
// An answer is stored when its file is there, so a poll's is compared only where the scenario has one.
func Scenarios(t *testing.T, folder string) {
	files, err := filepath.Glob(filepath.Join(folder, "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no scenarios in %s (%v)", folder, err)
	}
	for _, stack := range Stacks(t) {
		t.Run(stack.Name, func(t *testing.T) {
			for _, file := range files {
				t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
					t.Parallel()
					runScenario(t, stack, file)
				})
			}
		})
	}
}

type scenario struct {
	t      *testing.T
	app    *App
	tokens *tokens
	posts  *Receiver
	files  map[string]string
}

func runScenario(t *testing.T, stack Stack, file string) {
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	s := &scenario{t: t, tokens: newTokens(), files: map[string]string{}}
	for _, f := range archive.Files {
		s.files[f.Name] = string(f.Data)
	}
	config := s.withModel(stack.config(t), archive)
	if strings.TrimSpace(s.files["engines"]) != "both" {
		s.run(config, file, archive)
		return
	}
	t.Run("openai", func(t *testing.T) {
		s := &scenario{t: t, tokens: newTokens(), files: s.files}
		s.tokens.name("model", ScriptedModel)
		s.run(config, file, archive)
	})
	t.Run("builtin", func(t *testing.T) {
		s := &scenario{t: t, tokens: newTokens(), files: s.files}
		s.tokens.name("model", llm.BuiltinModel)
		s.run(stack.config(t), file, archive)
	})
}

// run runs the steps of the scenario on an app with these settings.
func (s *scenario) run(config app.Config, file string, archive *txtar.Archive) {
	t := s.t
	site := NewSite(t, s.files)
	s.app = StartWith(t, s.settings(config))
	s.posts = NewReceiver(t)
	s.tokens.name("site", site)
	s.tokens.name("receiver", s.posts.URL)
	s.tokens.name("base", s.app.URL)
	s.tokens.name("workspace", s.app.WorkspaceID)
	_, other, err := s.app.Provision(t.Context(), account.NewWorkspace{Name: "Other"})
	if err != nil {
		t.Fatal(err)
	}
	s.tokens.name("other_key", other)
	answered := map[string]string{} // the step behind each answer
	changed := false
	for _, f := range slices.Clone(archive.Files) {
		answer, ok := s.step(f.Name, string(f.Data))
		if !ok {
			continue
		}
		want := strings.TrimSuffix(f.Name, filepath.Ext(f.Name)) + ".out"
		if other, taken := answered[want]; taken {
			t.Fatalf("%s: %s and %s have one name for their answers", file, other, f.Name)
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

// setFile puts an answer where the archive has it, or behind its step.
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

// step runs a step and gives its answer; ok is false for files that are no step.
func (s *scenario) step(name, text string) (answer string, ok bool) {
	text = s.tokens.expand(text)
	switch filepath.Ext(name) {
	case ".rest":
		return s.print(s.rest(text)), true
	case ".gql":
		variables := s.tokens.expand(s.files[strings.TrimSuffix(name, ".gql")+".vars"])
		return s.print(s.graph(text, variables)), true
	case ".poll":
		return s.print(s.poll(text)), true
	case ".received":
		want, err := strconv.Atoi(strings.TrimSpace(text))
		if err != nil {
			s.t.Fatal(err)
		}
		return s.tokens.replace(s.posts.await(s.t, want)), true
	case ".plan":
		s.app.Contract(s.t, model.Plan(strings.TrimSpace(text)))
	case ".runs":
		s.limitRuns(text)
	}
	return "", false
}

// withModel makes the app ask a model that answers from the scenario's files, where it has such files.
func (s *scenario) withModel(config app.Config, archive *txtar.Archive) app.Config {
	answers, err := modelAnswers(archive.Files)
	if err != nil {
		s.t.Fatal(err)
	}
	if len(answers) > 0 {
		config.LLMBaseURL, config.LLMModel = NewModelServer(s.t, answers...).URL, ScriptedModel
	}
	return config
}

// settings changes the app's settings to those of the scenario.
func (s *scenario) settings(config app.Config) app.Config {
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

func (s *scenario) rest(text string) *Answer {
	head, body, _ := strings.Cut(text, "\n\n")
	lines := strings.Split(strings.TrimSpace(head), "\n")
	method, path, _ := strings.Cut(lines[0], " ")
	header := http.Header{}
	for _, line := range lines[1:] {
		name, value, _ := strings.Cut(line, ":")
		header.Set(strings.TrimSpace(name), strings.TrimSpace(value))
	}
	return s.app.Do(s.t, method, strings.TrimSpace(path), header, strings.TrimSpace(body))
}

func (s *scenario) graph(query, variables string) *Answer {
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

// pollTime bounds how long a step waits for a field.
const pollTime = 60 * time.Second

func (s *scenario) poll(text string) *Answer {
	request, condition, ok := strings.Cut(strings.TrimSpace(text), " until ")
	field, want, ok2 := strings.Cut(condition, " = ")
	if !ok || !ok2 {
		s.t.Fatalf("a poll reads GET /path until FIELD = VALUE, not %q", text)
	}
	for deadline := time.Now().Add(pollTime); ; time.Sleep(20 * time.Millisecond) {
		answer := s.rest(request)
		if got := lookup(answer.Body, field); got == want {
			return answer
		} else if time.Now().After(deadline) {
			s.t.Fatalf("%s: %s is %s after %s, want %s\n%s", request, field, got, pollTime, want, answer.Body)
		}
	}
}

// lookup gives the JSON of a dotted field.
func lookup(body []byte, field string) string {
	var value any
	if err := json.Unmarshal(body, &value); err != nil {
		return ""
	}
	for _, name := range strings.Split(field, ".") {
		object, ok := value.(map[string]any)
		if !ok {
			return ""
		}
		value = object[name]
	}
	text, _ := json.Marshal(value)
	return string(text)
}

// print writes an answer as scenarios compare it: status, the headers that promise something, the body with tokens.
func (s *scenario) print(a *Answer) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d\n", a.Status)
	for _, name := range []string{"Location", "Retry-After", "Allow", "Idempotent-Replayed", "X-Run-Budget-Remaining", "RateLimit-Limit", "RateLimit-Remaining"} {
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
		return strings.TrimSpace(s.tokens.replace(waitPattern.ReplaceAllString(b.String(), "$1<wait>"))) + "\n"
	}
	return strings.TrimSpace(s.tokens.replace(b.String())) + "\n"
}
