package testkit

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// ScriptedModel is the model that a ModelServer says it is.
const ScriptedModel = "scripted-1"

// ModelAnswer is how a ModelServer answers the calls that it fits: of its task, with its part in the prompt, until it was used up.
type ModelAnswer struct {
	Task  string // every task when empty
	When  string // a part of the prompt; every prompt when empty
	Times int    // how often it is given; 0 is always
	Text  string

	Truncated  bool     // the answer ends at its longest length
	Declined   bool     // the model declines
	Status     int      // a failure of this status
	RetryAfter string   // the header of that failure
	Cut        bool     // the connection ends in the middle of the text
	Slow       bool     // nothing comes until the caller has gone
	Searched   bool     // only calls that let the model search the web
	Refuses    []string // kinds of response_format that are a 400: "json_schema", "json_object"; "web_search" for a search of the web

	given int
}

// ModelCall is what a ModelServer was asked.
type ModelCall struct {
	Task, System, Prompt, Model, Authorization string
	Format                                     string // the kind of response_format; empty for plain text
	Strict, Stream, WebSearch                  bool
	MaxTokens                                  int
}

// ModelServer speaks OpenAI's chat completions on loopback, whole and streamed, with the answers of a script.
type ModelServer struct {
	URL string // for LLM_BASE_URL
	t   testing.TB

	mu      sync.Mutex
	answers []*ModelAnswer
	calls   []ModelCall
}

// NewModelServer starts a server until the end of the test. The first answer that fits a call is given; a call that none fits fails the test.
func NewModelServer(t testing.TB, answers ...ModelAnswer) *ModelServer {
	t.Helper()
	m := &ModelServer{t: t}
	m.Answer(answers...)
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/chat/completions", m.complete)
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	m.URL = server.URL + "/v1"
	return m
}

// Answer adds answers behind those that are there.
func (m *ModelServer) Answer(answers ...ModelAnswer) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, a := range answers {
		m.answers = append(m.answers, &a)
	}
}

// Calls gives every call until now.
func (m *ModelServer) Calls() []ModelCall {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.calls)
}

// choose notes a call and takes the answer that fits it.
func (m *ModelServer) choose(call ModelCall) (ModelAnswer, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.calls = append(m.calls, call)
	for _, a := range m.answers {
		fits := (a.Task == "" || a.Task == call.Task) && strings.Contains(call.Prompt, a.When) && (!a.Searched || call.WebSearch)
		if fits && (a.Times == 0 || a.given < a.Times) {
			a.given++
			return *a, true
		}
	}
	return ModelAnswer{}, false
}

func (m *ModelServer) complete(w http.ResponseWriter, r *http.Request) {
	call, err := readCall(r)
	if err != nil {
		m.t.Errorf("a model was asked in a way that is not the protocol's: %v", err)
		refuse(w, http.StatusBadRequest, err.Error())
		return
	}
	answer, ok := m.choose(call)
	switch {
	case !ok:
		m.t.Errorf("the script has no answer to %s: %s", call.Task, call.Prompt)
		refuse(w, http.StatusNotFound, "no answer in the script")
	case answer.Slow:
		select {
		case <-r.Context().Done():
		case <-time.After(time.Minute):
		}
	case answer.Status != 0:
		if answer.RetryAfter != "" {
			w.Header().Set("Retry-After", answer.RetryAfter)
		}
		refuse(w, answer.Status, "scripted failure")
	case slices.Contains(answer.Refuses, call.Format), call.WebSearch && slices.Contains(answer.Refuses, "web_search"):
		refuse(w, http.StatusBadRequest, "a parameter is not supported")
	case call.Stream:
		streamAnswer(w, answer)
	default:
		sendAnswer(w, answer)
	}
}

// readCall reads a request as strictly as the servers that follow the protocol do.
func readCall(r *http.Request) (ModelCall, error) {
	var body struct {
		Model     string `json:"model"`
		Stream    bool   `json:"stream"`
		MaxTokens int    `json:"max_tokens"`
		Search    *struct {
			Size string `json:"search_context_size"`
		} `json:"web_search_options"`
		Messages []struct{ Role, Content string }
		Format   struct {
			Type   string `json:"type"`
			Schema struct {
				Name   string          `json:"name"`
				Strict bool            `json:"strict"`
				Schema json.RawMessage `json:"schema"`
			} `json:"json_schema"`
		} `json:"response_format"`
	}
	text, err := io.ReadAll(r.Body)
	if err == nil {
		err = json.Unmarshal(text, &body)
	}
	call := ModelCall{
		Task: r.Header.Get("X-Task"), Model: body.Model, Authorization: r.Header.Get("Authorization"), Format: body.Format.Type,
		Strict: body.Format.Schema.Strict, Stream: body.Stream, MaxTokens: body.MaxTokens, WebSearch: body.Search != nil,
	}
	for _, message := range body.Messages {
		switch message.Role {
		case "system":
			call.System = message.Content
		case "user":
			call.Prompt = message.Content
		default:
			err = cmp.Or(err, fmt.Errorf("a message of role %q", message.Role))
		}
	}
	if call.Format == "json_schema" && (body.Format.Schema.Name == "" || !json.Valid(body.Format.Schema.Schema)) {
		err = cmp.Or(err, fmt.Errorf("a json_schema without a name or a schema: %s", text))
	}
	return call, err
}

func refuse(w http.ResponseWriter, status int, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]any{"error": map[string]any{"message": message, "type": "scripted", "code": nil, "param": nil}})
}

func (a ModelAnswer) reason() string {
	switch {
	case a.Truncated:
		return "length"
	case a.Declined:
		return "content_filter"
	}
	return "stop"
}

func sendAnswer(w http.ResponseWriter, a ModelAnswer) {
	body, _ := json.Marshal(map[string]any{
		"id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": ScriptedModel,
		"choices": []any{map[string]any{
			"index": 0, "finish_reason": a.reason(), "message": map[string]any{"role": "assistant", "content": a.Text},
		}},
		"usage": map[string]int{"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10},
	})
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", fmt.Sprint(len(body)))
	if a.Cut {
		_, _ = w.Write(body[:len(body)/2])
		panic(http.ErrAbortHandler)
	}
	_, _ = w.Write(body)
}

// streamAnswer sends the text word by word.
func streamAnswer(w http.ResponseWriter, a ModelAnswer) {
	w.Header().Set("Content-Type", "text/event-stream")
	out := http.NewResponseController(w)
	chunk := func(delta map[string]any, reason any) {
		body, _ := json.Marshal(map[string]any{
			"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": ScriptedModel,
			"choices": []any{map[string]any{"index": 0, "delta": delta, "finish_reason": reason}},
		})
		fmt.Fprintf(w, "data: %s\n\n", body)
		_ = out.Flush()
	}
	chunk(map[string]any{"role": "assistant", "content": ""}, nil)
	words := strings.SplitAfter(a.Text, " ")
	for i, word := range words {
		if a.Cut && i >= len(words)/2 {
			panic(http.ErrAbortHandler)
		}
		chunk(map[string]any{"content": word}, nil)
	}
	chunk(map[string]any{}, a.reason())
	fmt.Fprint(w, "data: [DONE]\n\n")
}
