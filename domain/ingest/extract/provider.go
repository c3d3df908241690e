package extract

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/base64"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"rostrum/llm"
	"rostrum/model"
)

//go:embed vision.tmpl
var visionPrompt string

// Provider is an OpenAI-compatible server and a model.
type Provider struct {
	BaseURL string // with the version, such as "https://models.example/v1"
	Key     string
	Model   string

	Price  llm.Price      // of the tokens, for the cost in records
	Record llm.RecordFunc // is called after each request; nil for none
}

// record passes the record of a request to the provider's RecordFunc.
func (p Provider) record(ctx context.Context, task string, start time.Time, prompt, answer int64, err error) {
	if p.Record != nil {
		p.Record(ctx, p.Price.NewRecord(p.BaseURL, task, p.Model,
			llm.Usage{PromptTokens: int(prompt), AnswerTokens: int(answer)}, time.Since(start), err))
	}
}

// providerTime is the timeout of a request to a provider; recordings take minutes.
const providerTime = 5 * time.Minute

// ProviderError is an error of a provider and not of the source.
type ProviderError struct {
	Retryable bool
	Cause     error
}

func (e *ProviderError) Error() string { return "provider: " + e.Cause.Error() }

// Unwrap returns the cause for errors.Is and errors.As.
func (e *ProviderError) Unwrap() error { return e.Cause }

// requestOptions returns all options of a request. The library's default client would also read the
// environment.
func (p Provider) requestOptions() []option.RequestOption {
	return []option.RequestOption{
		option.WithBaseURL(p.BaseURL), option.WithAPIKey(p.Key), option.WithMaxRetries(0),
		option.WithRequestTimeout(providerTime),
	}
}

// Vision recognizes text with a vision model through /chat/completions.
type Vision struct {
	chat     openai.ChatCompletionService
	provider Provider
}

// NewVision returns a recognizer that uses the provider.
func NewVision(p Provider) *Vision {
	return &Vision{openai.NewChatCompletionService(p.requestOptions()...), p}
}

// Recognize implements Recognizer.
func (v *Vision) Recognize(ctx context.Context, picture []byte, mediaType string) (string, error) {
	address := "data:" + mediaType + ";base64," + base64.StdEncoding.EncodeToString(picture)
	start := time.Now()
	answer, err := v.chat.New(ctx, openai.ChatCompletionNewParams{
		Model: v.provider.Model,
		Messages: []openai.ChatCompletionMessageParamUnion{openai.UserMessage(
			[]openai.ChatCompletionContentPartUnionParam{
				openai.TextContentPart(strings.TrimSpace(visionPrompt)),
				openai.ImageContentPart(openai.ChatCompletionContentPartImageImageURLParam{URL: address,
					Detail: "high"}),
			})},
	})
	if err != nil {
		v.provider.record(ctx, "ingest.vision", start, 0, 0, err)
		return "", providerError(err)
	}
	v.provider.record(ctx, "ingest.vision", start, answer.Usage.PromptTokens, answer.Usage.CompletionTokens, nil)
	if len(answer.Choices) == 0 || answer.Choices[0].FinishReason == "" {
		return "", &ProviderError{Retryable: true, Cause: errors.New("the answer has no end")}
	}
	text := strings.TrimSpace(answer.Choices[0].Message.Content)
	if text == "NO_TEXT" {
		return "", nil
	}
	return text, nil
}

// Transcription transcribes recordings through /audio/transcriptions.
type Transcription struct {
	audio    openai.AudioTranscriptionService
	provider Provider
}

// NewTranscription returns a transcriber that uses the provider.
func NewTranscription(p Provider) *Transcription {
	return &Transcription{openai.NewAudioTranscriptionService(p.requestOptions()...), p}
}

// Transcribe implements Transcriber.
func (t *Transcription) Transcribe(ctx context.Context, audio []byte, filename string) (string, error) {
	start := time.Now()
	answer, err := t.audio.New(ctx, openai.AudioTranscriptionNewParams{
		Model: t.provider.Model,
		File:  openai.File(bytes.NewReader(audio), filename, "application/octet-stream"),
	})
	if err != nil {
		t.provider.record(ctx, "ingest.transcription", start, 0, 0, err)
		return "", providerError(err)
	}
	t.provider.record(ctx, "ingest.transcription", start, answer.Usage.InputTokens, answer.Usage.OutputTokens, nil)
	return answer.Text, nil
}

// providerError returns a 400 or 415 as an error of the source, because the provider could not read
// it, and other errors as *ProviderError.
func providerError(err error) error {
	if answer, ok := errors.AsType[*openai.Error](err); ok {
		if answer.StatusCode == http.StatusBadRequest ||
			answer.StatusCode == http.StatusUnsupportedMediaType || answer.StatusCode == http.StatusUnprocessableEntity {
			return err
		}
		return &ProviderError{Retryable: answer.StatusCode >= 500 || answer.StatusCode == http.StatusTooManyRequests ||
			answer.StatusCode == http.StatusRequestTimeout, Cause: err}
	}
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		return err
	}
	return &ProviderError{Retryable: true, Cause: err}
}

func (x *Extractor) extractAudio(ctx context.Context, source Source, extension string) (*Result, error) {
	if x.config.Transcriber == nil {
		return nil, newFailure(model.ProcessingErrorCodeNoTranscriber,
			"this server does not transcribe recordings; supply the text, or configure a transcription model")
	}
	name := source.baseName()
	if !strings.HasSuffix(strings.ToLower(name), extension) {
		name = "recording" + extension
	}
	text, err := x.config.Transcriber.Transcribe(ctx, source.Body, name)
	if err := helperFailure(err, "the recording could not be transcribed"); err != nil {
		return nil, err
	}
	if keyOf(text) == "" {
		return nil, newFailure(model.ProcessingErrorCodeNoText, "nothing is said in the recording")
	}
	return &Result{ContentType: "audio", Title: strings.TrimSuffix(name, extension), Content: text}, nil
}
