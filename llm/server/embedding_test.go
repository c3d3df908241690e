package server_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"rostrum/errs"
	"rostrum/llm"
	"rostrum/llm/server"
	"rostrum/test/kit/llmtest"
	"rostrum/test/kit/poll"
)

// newFastEmbedder returns an embedder on a scripted server with short pauses and recorded requests.
func newFastEmbedder(m *llmtest.Server, r *recorder, timeout time.Duration) *server.Embedder {
	return server.NewEmbedderWithPauses(time.Millisecond, breakerPause, server.Config{
		BaseURL: m.URL, Key: secretKey, Model: "vectors", Timeout: timeout, Record: r.record,
		Price: llm.Price{Prompt: new(0.02), Answer: new(0.0)},
	})
}

// TestEmbedder/… are the requests for vectors and their failures.
func TestEmbedder(t *testing.T) {
	embedding := func(a llmtest.Answer) []llmtest.Answer {
		a.Task = llmtest.EmbeddingTask
		return []llmtest.Answer{a}
	}
	for name, c := range map[string]struct {
		script   []llmtest.Answer
		code     errs.Code // of the failure, when there is one
		says     string
		outcomes []string
	}{
		"good": {outcomes: []string{"vectors ok"}},
		"500_twice_then_good": {script: embedding(llmtest.Answer{Status: 500, Times: 2}),
			outcomes: []string{"vectors failed", "vectors failed", "vectors ok"}},
		"500s": {script: embedding(llmtest.Answer{Status: 500}), code: errs.ModelFailed,
			says:     "answered embedding with status 500",
			outcomes: []string{"vectors failed", "vectors failed", "vectors failed"}},
		"400": {script: embedding(llmtest.Answer{Status: 400}), code: errs.ModelFailed,
			says: "status 400", outcomes: []string{"vectors failed"}},
		"401": {script: embedding(llmtest.Answer{Status: 401}), code: errs.ModelFailed,
			says: "refused this server's key", outcomes: []string{"vectors failed"}},
		"429_then_good": {script: embedding(llmtest.Answer{Status: 429, RetryAfter: "0", Times: 1}),
			outcomes: []string{"vectors failed", "vectors ok"}},
		"429_with_a_long_wait": {script: embedding(llmtest.Answer{Status: 429, RetryAfter: "3600"}),
			code: errs.ModelFailed, says: "try again later", outcomes: []string{"vectors failed"}},
		"slow": {script: embedding(llmtest.Answer{Slow: true}), code: errs.ModelTimeout,
			says: "did not answer embedding within 300ms", outcomes: []string{"vectors failed"}},
		"cut_then_good": {script: embedding(llmtest.Answer{Cut: true, Times: 1}),
			outcomes: []string{"vectors failed", "vectors ok"}},
		"count_then_good": {script: embedding(llmtest.Answer{Malformed: "count", Times: 1}),
			outcomes: []string{"vectors malformed", "vectors ok"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var r recorder
			timeout := longTimeout
			if name == "slow" {
				timeout = 300 * time.Millisecond
			}
			got, err := newFastEmbedder(llmtest.NewServer(t, c.script...), &r, timeout).
				Embed(t.Context(), []string{"the depot opens", "the harbour closes"})
			checkFailure(t, err, c.code, c.says)
			if c.code == "" && len(got) != 2 || c.code != "" && got != nil {
				t.Errorf("%d vectors", len(got))
			}
			if outcomes := r.outcomes(); !reflect.DeepEqual(outcomes, c.outcomes) {
				t.Errorf("the records are %q, want %q", outcomes, c.outcomes)
			}
		})
	}
}

// TestEmbedder_malformed refuses answers without a usable vector for each text, after three
// requests.
func TestEmbedder_malformed(t *testing.T) {
	for _, kind := range []string{"count", "index", "null", "zero", "dimensions", "syntax"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			var r recorder
			embedder := newFastEmbedder(llmtest.NewServer(t,
				llmtest.Answer{Task: llmtest.EmbeddingTask, Malformed: kind}), &r, longTimeout)
			_, err := embedder.Embed(t.Context(), []string{"the depot opens", "the harbour closes"})
			checkFailure(t, err, errs.ModelFailed, "does not have a usable vector for each text")
			if got, want := r.outcomes(), []string{"vectors malformed", "vectors malformed",
				"vectors malformed"}; !reflect.DeepEqual(got, want) {
				t.Errorf("the records are %q, want %q", got, want)
			}
		})
	}
	t.Run("other_dimensions_than_earlier_vectors", func(t *testing.T) {
		var r recorder
		scripted := llmtest.NewServer(t, llmtest.Answer{Task: llmtest.EmbeddingTask, When: "later",
			Malformed: "dimensions"})
		embedder := newFastEmbedder(scripted, &r, longTimeout)
		if _, err := embedder.Embed(t.Context(), []string{"first"}); err != nil {
			t.Fatal(err)
		}
		_, err := embedder.Embed(t.Context(), []string{"later"})
		checkFailure(t, err, errs.ModelFailed, "does not have a usable vector for each text")
	})
}

// TestEmbedder_batches sends at most 128 texts in a request. It returns vectors of length 1 in the
// order of the texts.
func TestEmbedder_batches(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "of the environment")
	t.Setenv("OPENAI_BASE_URL", "http://127.0.0.1:1")
	var r recorder
	scripted := llmtest.NewServer(t)
	embedder := newFastEmbedder(scripted, &r, longTimeout)
	var texts []string
	for i := range 300 {
		texts = append(texts, fmt.Sprintf("depot %d opens twice twice", i))
	}
	vectors, err := embedder.Embed(t.Context(), texts)
	if err != nil || len(vectors) != len(texts) {
		t.Fatalf("%d vectors, %v", len(vectors), err)
	}
	for i, vector := range vectors {
		if length := llm.Similarity(vector, vector); math.Abs(length-1) > 1e-6 {
			t.Fatalf("vector %d has the length %g", i, length)
		}
		words := scripted.WordVector(texts[i])
		expected := make([]float32, len(words))
		for j, word := range words {
			expected[j] = float32(word)
		}
		if found := llm.Similarity(vector, expected); math.Abs(found*found-llm.Similarity(expected, expected)) > 1e-5 {
			t.Fatalf("vector %d is not that of its text: %g", i, found)
		}
	}
	var sizes []int
	for _, call := range scripted.Calls() {
		sizes = append(sizes, strings.Count(call.Prompt, "\n")+1)
		if call.Task != "embedding" || call.Model != "vectors" || call.Authorization != "Bearer "+secretKey {
			t.Errorf("%s of %s with %s", call.Task, call.Model, call.Authorization)
		}
	}
	if want := []int{128, 128, 44}; !reflect.DeepEqual(sizes, want) {
		t.Errorf("the requests have %v texts, want %v", sizes, want)
	}
	for _, call := range r.calls {
		if call.Task != "embedding" || call.PromptTokens != llmtest.PromptTokens || call.AnswerTokens != 0 ||
			*call.Cost() != 1.4e-07 || call.Provider != "127.0.0.1" {
			t.Errorf("the record is %+v with the cost %v", call, *call.Cost())
		}
	}
	if none, err := embedder.Embed(t.Context(), nil); err != nil || len(none) != 0 || len(scripted.Calls()) != 3 ||
		embedder.EmbeddingModel() != "vectors" {
		t.Errorf("no texts: %v, %v after %d requests of %s", none, err, len(scripted.Calls()),
			embedder.EmbeddingModel())
	}
}

// TestEmbedder_synonyms checks that texts without a common word are near each other, if the script
// has their synonyms.
func TestEmbedder_synonyms(t *testing.T) {
	scripted := llmtest.NewServer(t)
	scripted.Synonyms(map[string]string{"garage": "depot", "shuts": "closes"})
	vectors, err := newFastEmbedder(scripted, &recorder{}, longTimeout).
		Embed(t.Context(), []string{"Depot closes", "garage shuts", "harbour opens"})
	if err != nil {
		t.Fatal(err)
	}
	if near, far := llm.Similarity(vectors[0], vectors[1]), llm.Similarity(vectors[0], vectors[2]); near < 0.999 ||
		far > 0.6 {
		t.Errorf("%g and %g", near, far)
	}
}

// TestEmbedder_cancel checks that a canceled call ends its request and returns the context's error.
func TestEmbedder_cancel(t *testing.T) {
	var r recorder
	scripted := llmtest.NewServer(t, llmtest.Answer{Task: llmtest.EmbeddingTask, Slow: true})
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		poll.Holds(func() bool { return len(scripted.Calls()) > 0 })
		cancel()
	}()
	if _, err := newFastEmbedder(scripted, &r, longTimeout).Embed(ctx, []string{"text"}); !errors.Is(err,
		context.Canceled) {
		t.Error(err)
	}
	if got, want := r.outcomes(), []string{"vectors cancelled"}; !reflect.DeepEqual(got, want) {
		t.Errorf("the records are %q, want %q", got, want)
	}
}

// TestEmbedder_breaker checks that a server that keeps failing is left alone for some time, and
// then called again.
func TestEmbedder_breaker(t *testing.T) {
	scripted := llmtest.NewServer(t, llmtest.Answer{Task: llmtest.EmbeddingTask, Status: 503, Times: 5})
	embedder := newFastEmbedder(scripted, &recorder{}, longTimeout)
	var err error
	for range 4 {
		_, err = embedder.Embed(t.Context(), []string{"text"})
	}
	checkFailure(t, err, errs.ModelFailed, "left alone for some seconds")
	if calls := len(scripted.Calls()); calls != 5 {
		t.Errorf("the server was called %d times, want 5: the breaker is open", calls)
	}
	poll.Until(t, func() bool {
		_, err := embedder.Embed(t.Context(), []string{"text"})
		return err == nil
	}, "the breaker stays open")
}
