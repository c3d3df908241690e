package llmtest

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

// ScriptedModel is the name of the model in a Server's answers.
const ScriptedModel = "scripted-1"

// The tokens that a Server reports for each answer.
const (
	PromptTokens = 7
	AnswerTokens = 3
)

// Answer is what a Server sends for the calls that it matches: those of its task whose prompt
// contains When, for the first Times of them.
type Answer struct {
	Task  string // "" matches every task
	When  string // a part of the prompt; "" matches every prompt
	Times int    // how often it is sent; 0 is without limit
	Text  string

	Compose func(call Call) string // writes the text; without Text
	// the answer is the whole prompt, as of a model that repeats all that it was given; without Text
	Echoes     bool
	Truncated  bool   // the answer ends at the maximum length
	Declined   bool   // the model declines
	Status     int    // a failure of this status
	RetryAfter string // the header of that failure
	Cut        bool   // the connection ends in the middle of the text
	Slow       bool   // no answer is sent until the client disconnects
	Searched   bool   // matches only calls that let the model search the web
	// the vectors of an embedding are "count", "index", "null", "zero", "dimensions" or "syntax"; see sendVectors
	Malformed string
	// kinds of response_format that are refused with 400: "json_schema", "json_object"; "web_search" for a web search
	Refuses []string

	sent int
}

// Call is a request that a Server received.
type Call struct {
	Task, System, Prompt, Model, Authorization string
	Format                                     string // the kind of response_format; empty for plain text
	Strict, Stream, WebSearch                  bool
	Usage                                      bool // a stream reports its tokens
	MaxTokens                                  int
}

// Server implements OpenAI's chat completions and Anthropic's messages on loopback, whole and
// streamed, with scripted answers, and OpenAI's embeddings.
type Server struct {
	URL string // for LLM_BASE_URL, with either protocol
	t   testing.TB

	mu       sync.Mutex
	answers  []*Answer
	calls    []Call
	answered int
	synonyms map[string]string
}

// NewServer starts a server until the end of the test. It sends the first answer that matches a
// call; a call without a match fails the test.
func NewServer(t testing.TB, answers ...Answer) *Server {
	t.Helper()
	m := &Server{t: t}
	m.Add(answers...)
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/chat/completions", dialect{readCall, sendFailure, sendAnswer, streamAnswer}.serve(m))
	mux.HandleFunc("POST /v1/embeddings", m.serveVectors)
	mux.HandleFunc("POST /v1/messages", dialect{readMessageCall, sendMessageFailure, sendMessage,
		streamMessage}.serve(m))
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	m.URL = server.URL + "/v1"
	return m
}

// Add appends answers to the script.
func (m *Server) Add(answers ...Answer) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, a := range answers {
		m.answers = append(m.answers, &a)
	}
}

// Calls returns every call so far.
func (m *Server) Calls() []Call { return m.CallsAfter(0) }

// CallsAfter returns every call so far except the first ones.
func (m *Server) CallsAfter(first int) []Call {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.calls[first:])
}

// CountCalls returns the number of calls so far.
func (m *Server) CountCalls() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.calls)
}

// Answered returns the number of answers with tokens so far.
func (m *Server) Answered() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.answered
}

func (m *Server) countAnswer(a Answer) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !a.Cut {
		m.answered++
	}
}

// maxEcho is the length of an echo in bytes, so that a conversation of echoes does not double with
// each reply.
const maxEcho = 8000

// matchAnswer records a call and returns the first answer that matches it.
func (m *Server) matchAnswer(call Call) (Answer, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.calls = append(m.calls, call)
	for _, a := range m.answers {
		matches := (a.Task == "" && call.Task != EmbeddingTask || a.Task == call.Task) &&
			strings.Contains(call.Prompt, a.When) && (!a.Searched || call.WebSearch)
		if matches && (a.Times == 0 || a.sent < a.Times) {
			a.sent++
			sent := *a
			if a.Compose != nil {
				sent.Text = a.Compose(call)
			}
			if a.Echoes {
				sent.Text = call.System + "\n" + call.Prompt
				sent.Text = sent.Text[:min(len(sent.Text), maxEcho)]
			}
			return sent, true
		}
	}
	return Answer{}, false
}

// dialect reads and writes the messages of a protocol.
type dialect struct {
	read   func(r *http.Request) (Call, error)
	fail   func(w http.ResponseWriter, status int, message string)
	send   func(w http.ResponseWriter, call Call, answer Answer)
	stream func(w http.ResponseWriter, call Call, answer Answer)
}

func (d dialect) serve(m *Server) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		call, err := d.read(r)
		if err != nil {
			m.t.Errorf("the request does not follow the protocol: %v", err)
			d.fail(w, http.StatusBadRequest, err.Error())
			return
		}
		m.complete(w, r, d, call)
	}
}

// sendScriptedFailure reports whether the answer is a failure or stays out, and sends it.
func (a Answer) sendScriptedFailure(w http.ResponseWriter, r *http.Request,
	fail func(w http.ResponseWriter, status int, message string)) bool {
	switch {
	case a.Slow:
		select {
		case <-r.Context().Done():
		case <-time.After(time.Minute):
		}
	case a.Status != 0:
		if a.RetryAfter != "" {
			w.Header().Set("Retry-After", a.RetryAfter)
		}
		fail(w, a.Status, "scripted failure")
	default:
		return false
	}
	return true
}

func (m *Server) complete(w http.ResponseWriter, r *http.Request, d dialect, call Call) {
	answer, ok := m.matchAnswer(call)
	switch {
	case !ok:
		m.t.Errorf("the script has no answer to %s: %s", call.Task, call.Prompt)
		d.fail(w, http.StatusNotFound, "no answer in the script")
	case answer.sendScriptedFailure(w, r, d.fail):
	case slices.Contains(answer.Refuses, call.Format), call.WebSearch && slices.Contains(answer.Refuses, "web_search"):
		d.fail(w, http.StatusBadRequest, "a parameter is not supported")
	case call.Stream:
		m.countAnswer(answer)
		d.stream(w, call, answer)
	default:
		m.countAnswer(answer)
		d.send(w, call, answer)
	}
}

// readCall parses a request as strictly as a server of the protocol.
func readCall(r *http.Request) (Call, error) {
	var body struct {
		Model     string `json:"model"`
		Stream    bool   `json:"stream"`
		MaxTokens int    `json:"max_tokens"`
		Search    *struct {
			Size string `json:"search_context_size"`
		} `json:"web_search_options"`
		Options struct {
			Usage bool `json:"include_usage"`
		} `json:"stream_options"`
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
	call := Call{
		Task: r.Header.Get("X-Task"), Model: body.Model, Authorization: r.Header.Get("Authorization"),
		Format: body.Format.Type,
		Strict: body.Format.Schema.Strict, Stream: body.Stream, MaxTokens: body.MaxTokens,
		WebSearch: body.Search != nil,
		Usage:     body.Options.Usage,
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

func sendFailure(w http.ResponseWriter, status int, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]any{"error": map[string]any{"message": message, "type": "scripted",
		"code": nil, "param": nil}})
}

func (a Answer) finishReason() string {
	switch {
	case a.Truncated:
		return "length"
	case a.Declined:
		return "content_filter"
	}
	return "stop"
}

func sendAnswer(w http.ResponseWriter, _ Call, a Answer) {
	body, _ := json.Marshal(map[string]any{
		"id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": ScriptedModel,
		"choices": []any{map[string]any{
			"index": 0, "finish_reason": a.finishReason(),
			"message": map[string]any{"role": "assistant", "content": a.Text},
		}},
		"usage": chatUsage,
	})
	sendBody(w, body, a.Cut)
}

var chatUsage = map[string]int{"prompt_tokens": PromptTokens, "completion_tokens": AnswerTokens,
	"total_tokens": PromptTokens + AnswerTokens}

// sendBody sends a body, or closes the connection in the middle of it.
func sendBody(w http.ResponseWriter, body []byte, cut bool) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", fmt.Sprint(len(body)))
	if cut {
		_, _ = w.Write(body[:len(body)/2])
		panic(http.ErrAbortHandler)
	}
	_, _ = w.Write(body)
}

// streamAnswer sends the text one word in each chunk.
func streamAnswer(w http.ResponseWriter, call Call, a Answer) {
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
	chunk(map[string]any{}, a.finishReason())
	if call.Usage {
		body, _ := json.Marshal(map[string]any{"id": "chatcmpl-1", "object": "chat.completion.chunk",
			"choices": []any{}, "usage": chatUsage})
		fmt.Fprintf(w, "data: %s\n\n", body)
	}
	fmt.Fprint(w, "data: [DONE]\n\n")
}
