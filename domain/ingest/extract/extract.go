// Package extract turns a source's bytes into a document's text, or into the reason why there is none.
package extract

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strings"
	"time"

	"rostrum/model"
)

// Source is what was fetched or uploaded.
type Source struct {
	Body      []byte
	URL       string                  // where it came from, after redirects; empty for an upload
	MediaType string                  // as the server's header gave it
	Declared  model.IngestContentType // as the client gave it; believed only where the bytes leave it open
	Filename  string
}

// Result is the text of a source and what it says about itself. Content is valid UTF-8 with paragraphs apart by an empty line.
type Result struct {
	ContentType string // webpage, pdf, text, markdown, docx, image, audio or youtube
	Title       string
	Author      string
	Language    string // BCP-47; empty when the text is too short to tell
	Published   *time.Time
	Content     string
	Meta        Meta
}

// Failure is the reason why a source has no text that a document could be made of.
type Failure struct {
	Code      model.ProcessingErrorCode
	Message   string // a lower-case sentence that the caller can act on
	Retryable bool   // whether the same bytes, or the same address, may give text later
	Cause     error
}

func (f *Failure) Error() string {
	if f.Cause != nil {
		return fmt.Sprintf("%s: %s: %v", f.Code, f.Message, f.Cause)
	}
	return fmt.Sprintf("%s: %s", f.Code, f.Message)
}

// Unwrap gives the cause to errors.Is and errors.As.
func (f *Failure) Unwrap() error { return f.Cause }

func fail(code model.ProcessingErrorCode, message string) *Failure {
	return &Failure{Code: code, Message: message}
}

func unsupported(message string, cause error) *Failure {
	return &Failure{Code: model.ProcessingErrorCodeUnsupportedContent, Message: message, Cause: cause}
}

// Recognizer reads the text in an image. No text is an empty string, not an error.
type Recognizer interface {
	Recognize(ctx context.Context, image []byte, mediaType string) (string, error)
}

// Transcriber writes down what is said in a recording; the file name's suffix tells the recording's format.
type Transcriber interface {
	Transcribe(ctx context.Context, audio []byte, filename string) (string, error)
}

// Config names the helpers that some kinds of source need; without one, those sources fail with no_ocr or no_transcriber.
type Config struct {
	Recognizer  Recognizer
	Transcriber Transcriber
	HTTP        *http.Client // how YouTube's captions are asked for: the guarded client of fetch
}

// Extractor extracts text and is safe for concurrent use.
type Extractor struct{ config Config }

// New makes an extractor. The PDF engine starts with the first PDF.
func New(config Config) *Extractor { return &Extractor{config} }

// Text gives the text of a source. Its errors are *Failure, or the context's own when the caller gave up. A library that
// panics on the bytes makes them unsupported_content.
func (x *Extractor) Text(ctx context.Context, source Source) (result *Result, err error) {
	defer func() {
		if caught := recover(); caught != nil {
			slog.ErrorContext(ctx, "extraction panicked", "panic", caught, "url", source.URL, "stack", string(debug.Stack()))
			result, err = nil, unsupported("the source could not be read", fmt.Errorf("panic: %v", caught))
		}
	}()
	result, err = x.text(ctx, source)
	if cause := context.Cause(ctx); err != nil && cause != nil {
		return nil, cause
	}
	if err != nil {
		return nil, asFailure(err)
	}
	return x.finish(result)
}

func (x *Extractor) text(ctx context.Context, source Source) (*Result, error) {
	if id, ok := videoID(source.URL); ok {
		return x.youtube(ctx, id)
	}
	if len(source.Body) == 0 {
		return nil, fail(model.ProcessingErrorCodeNoText, "the source is empty")
	}
	switch form := sniff(source); form.kind {
	case "webpage":
		return webpage(source)
	case "pdf":
		return x.pdf(ctx, source.Body)
	case "docx":
		return docx(source.Body)
	case "text", "markdown":
		return plain(source, form.kind), nil
	case "image":
		return x.image(ctx, source.Body, form.media)
	case "audio":
		return x.audio(ctx, source, form.extension)
	default:
		return nil, unsupported("files of type "+form.media+" are not read; send a web page, PDF, DOCX, text, Markdown, image or recording", nil)
	}
}

func asFailure(err error) *Failure {
	if f, ok := errors.AsType[*Failure](err); ok {
		return f
	}
	return unsupported("the source could not be read", err)
}

// finish makes sure that a result has text, valid UTF-8, a language and no NUL, which Postgres does not store.
func (x *Extractor) finish(r *Result) (*Result, error) {
	r.Content = clean(r.Content)
	if keyOf(r.Content) == "" {
		return nil, fail(model.ProcessingErrorCodeNoText, "no text was found in the source; supply the text to go on")
	}
	r.Title = shorten(oneLine(clean(r.Title)), 500)
	r.Author = shorten(oneLine(clean(r.Author)), 300)
	r.Language = language(r.Language, r.Content)
	if r.Published != nil && (r.Published.Year() < 1900 || time.Until(*r.Published) > 366*24*time.Hour) {
		r.Published = nil
	}
	return r, nil
}

func clean(text string) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	text = strings.ReplaceAll(text, "\r\n", "\n")
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' || r == 0x7f || r == '\ufeff' {
			return -1
		}
		return r
	}, text))
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

func shorten(text string, limit int) string {
	if runes := []rune(text); len(runes) > limit {
		return string(runes[:limit])
	}
	return text
}
