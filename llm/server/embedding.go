package server

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/sony/gobreaker/v2"

	"rostrum/llm"
	"rostrum/model"
	"rostrum/platform/slot"
)

const (
	embeddingTask = "embedding" // in errors, records and metrics
	embeddedTexts = 128         // maximum number of texts of a request
)

// Embedder is an llm.Embedder that asks one server of OpenAI's protocol. There is no second server,
// because its vectors could not be compared.
type Embedder struct {
	config     Config
	embeddings openai.EmbeddingService
	breaker    *gobreaker.CircuitBreaker[embeddingAnswer]
	wait       time.Duration
	dimensions atomic.Int64 // of the first vector; 0 until there is one
}

// embeddingAnswer is the answer to one request.
type embeddingAnswer struct {
	vectors [][]float32
	usage   llm.Usage
}

// NewEmbedder returns the embedder of a server's default model without calling the server.
func NewEmbedder(config Config) *Embedder { return newEmbedder(firstWait, restTime, config) }

func newEmbedder(wait, rest time.Duration, config Config) *Embedder {
	config.Timeout = cmp.Or(config.Timeout, callTime)
	return &Embedder{
		config: config, embeddings: openai.NewEmbeddingService(openAIOptions(config)...),
		breaker: newBreaker[embeddingAnswer](rest), wait: wait,
	}
}

// EmbeddingModel implements llm.Embedder.
func (e *Embedder) EmbeddingModel() string { return e.config.Model }

// Embed implements llm.Embedder. It sends requests of at most 128 texts in turn. If the caller's
// context ends, it returns that error.
func (e *Embedder) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	defer slot.Leave(ctx)()
	out := make([][]float32, 0, len(texts))
	for batch := range slices.Chunk(texts, embeddedTexts) {
		start := time.Now()
		answer, err := retryCall(ctx, e.config.Timeout, e.wait, e.breaker,
			func(ctx context.Context) (embeddingAnswer, error) {
				return e.requestVectors(ctx, batch)
			})
		if err != nil {
			err = e.config.newFailure(embeddingTask, err)
		}
		llm.ObserveCall(llm.Task{Name: embeddingTask}, start, llm.Answer{Usage: answer.usage}, err)
		if err != nil {
			return nil, err
		}
		out = append(out, answer.vectors...)
	}
	return out, nil
}

// requestVectors sends one request and records it. It returns errNoVectors if a text has no usable
// vector.
func (e *Embedder) requestVectors(ctx context.Context, texts []string) (answer embeddingAnswer, err error) {
	start := time.Now()
	got, err := e.embeddings.New(ctx, openai.EmbeddingNewParams{
		Model: e.config.Model, Input: openai.EmbeddingNewParamsInputUnion{OfArrayOfStrings: texts},
	}, option.WithHeader("X-Task", embeddingTask))
	switch {
	case err != nil:
		err = embeddingError(err)
	case got == nil:
		err = errNoVectors
	default:
		answer.usage.PromptTokens = int(got.Usage.PromptTokens)
		answer.vectors, err = e.readVectors(got.Data, len(texts))
	}
	e.record(ctx, time.Since(start), answer.usage, err)
	return answer, err
}

// record passes the record of a request without its text to the configured function.
func (e *Embedder) record(ctx context.Context, latency time.Duration, usage llm.Usage, err error) {
	if e.config.Record == nil {
		return
	}
	record := e.config.Price.NewRecord(e.config.BaseURL, embeddingTask, e.config.Model, usage, latency, err)
	if errors.Is(err, errNoVectors) {
		record.Outcome = model.ModelCallMalformed
	}
	e.config.Record(ctx, record)
}

// embeddingError returns errNoVectors for a body that is no JSON, because some servers write
// numbers that JSON does not have. Otherwise it returns openAIError's error.
func embeddingError(err error) error {
	if invalid, ok := errors.AsType[*json.SyntaxError](err); ok {
		return fmt.Errorf("%w: %w", errNoVectors, invalid)
	}
	return openAIError(err)
}

// readVectors returns an answer's vectors in the order of the texts, each with the length 1. It
// returns errNoVectors for a wrong number, a missing or repeated index, dimensions other than the
// first vector's, and a vector without a direction.
func (e *Embedder) readVectors(data []openai.Embedding, texts int) ([][]float32, error) {
	if len(data) != texts {
		return nil, fmt.Errorf("%w: their number is not that of the texts", errNoVectors)
	}
	out := make([][]float32, texts)
	for _, entry := range data {
		if entry.Index < 0 || entry.Index >= int64(texts) || out[entry.Index] != nil {
			return nil, fmt.Errorf("%w: the index %d is wrong or repeated", errNoVectors, entry.Index)
		}
		vector, err := unitVector(entry)
		if err != nil {
			return nil, err
		}
		out[entry.Index] = vector
	}
	e.dimensions.CompareAndSwap(0, int64(len(out[0])))
	for _, vector := range out {
		if first := e.dimensions.Load(); int64(len(vector)) != first {
			return nil, fmt.Errorf("%w: %d dimensions instead of %d", errNoVectors, len(vector), first)
		}
	}
	return out, nil
}

// unitVector returns an answer's vector with the length 1. It returns errNoVectors for zeros, and
// for a value that is no number, because the client reads it as 0.
func unitVector(entry openai.Embedding) ([]float32, error) {
	raw, squares := entry.JSON.Embedding.Raw(), 0.0
	for _, value := range entry.Embedding {
		squares += value * value
	}
	length := math.Sqrt(squares)
	if strings.HasPrefix(raw, "[") && strings.Contains(raw, "null") || length == 0 || math.IsNaN(length) ||
		math.IsInf(length, 0) {
		return nil, fmt.Errorf("%w: a value is no number, or all are 0", errNoVectors)
	}
	out := make([]float32, len(entry.Embedding))
	for i, value := range entry.Embedding {
		out[i] = float32(value / length)
	}
	return out, nil
}
