package extract

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"rostrum/model"
	"rostrum/platform/slot"
)

// Source is the fetched or uploaded content.
type Source struct {
	Body      []byte
	URL       string                  // the address after redirects; empty for an upload
	MediaType string                  // from the server's header
	Declared  model.IngestContentType // from the client; used only where the bytes are ambiguous
	Filename  string
	isOfMail  bool // the HTML of a mail
}

// Result is the text and the metadata of a source. Content is valid UTF-8 with an empty line
// between paragraphs.
type Result struct {
	// webpage, pdf, text, markdown, docx, xlsx, pptx, odt, rtf, csv, vtt, srt, email, image, audio or
	// youtube
	ContentType string
	Title       string
	Author      string
	Language    string // BCP-47; empty if the text is too short
	Published   *time.Time
	Content     string
	Meta        Meta
	// Restriction is what a file says of who may know it outside of Content: in what a page has around its
	// text, or in the margins of a document.
	Restriction Restriction
}

// Failure is the error for a source without usable text.
type Failure struct {
	Code      model.ProcessingErrorCode
	Message   string // a lower-case sentence with an action for the caller
	Retryable bool   // whether the same bytes or the same address may return text later
	Cause     error
}

func (f *Failure) Error() string {
	if f.Cause != nil {
		return fmt.Sprintf("%s: %s: %v", f.Code, f.Message, f.Cause)
	}
	return fmt.Sprintf("%s: %s", f.Code, f.Message)
}

// Unwrap returns the cause for errors.Is and errors.As.
func (f *Failure) Unwrap() error { return f.Cause }

func newFailure(code model.ProcessingErrorCode, message string) *Failure {
	return &Failure{Code: code, Message: message}
}

func unsupportedContent(message string, cause error) *Failure {
	return &Failure{Code: model.ProcessingErrorCodeUnsupportedContent, Message: message, Cause: cause}
}

// unsupportedType names the type of a file as people know it, by its extension, or else by its media
// type.
func unsupportedType(source Source, form sourceFormat) *Failure {
	name := "files of type " + form.media
	if suffix := strings.ToLower(path.Ext(source.baseName())); suffix != "" && len(suffix) <= 10 {
		name = strings.TrimPrefix(suffix, ".") + " files (" + form.media + ")"
	}
	if form.kind == Archive {
		return unsupportedContent("a ZIP is unpacked only if it is uploaded; send the files in it", nil)
	}
	return unsupportedContent(name+" are not read; save it as PDF or DOCX and send that", nil)
}

// Refusal returns why a source of an unsupported type is not read, and nil for other sources.
func Refusal(source Source) *Failure {
	if form := detectFormat(source); form.kind == "" {
		return unsupportedType(source, form)
	}
	return nil
}

// Recognizer returns the text in an image, and "" without error for an image without text.
type Recognizer interface {
	Recognize(ctx context.Context, image []byte, mediaType string) (string, error)
}

// Transcriber returns the spoken text of a recording. The file name's suffix identifies the
// recording's format.
type Transcriber interface {
	Transcribe(ctx context.Context, audio []byte, filename string) (string, error)
}

// Config holds the helpers for some kinds of source. Without a helper, its sources fail with no_ocr
// or no_transcriber.
type Config struct {
	Recognizer  Recognizer
	Transcriber Transcriber
	HTTP        *http.Client // the guarded client of fetch, for YouTube's captions

	// FindRecognizer returns a recognizer that is used instead of the other, or nil. It is called
	// for the first image only, as it may take time.
	FindRecognizer func() Recognizer
}

// Extractor extracts text and is safe for concurrent use.
type Extractor struct {
	config Config
	tasks  taskRunner
	find   sync.Once // calls FindRecognizer
}

// New returns an extractor. It reads files in child processes, which all extractors of the program
// share and which start with the first file, or in this process if the program does not call
// ServeIfChild.
func New(config Config) *Extractor {
	if childPath == "" {
		return &Extractor{config: config, tasks: localRunner{}}
	}
	return &Extractor{config: config, tasks: sharedPool()}
}

// recognizer returns the recognizer of images, or nil.
func (x *Extractor) recognizer() Recognizer {
	x.find.Do(func() {
		if x.config.FindRecognizer == nil {
			return
		}
		if found := x.config.FindRecognizer(); found != nil {
			x.config.Recognizer = found
		}
	})
	return x.config.Recognizer
}

// Text returns the text of a source. Its errors are *Failure, or the context's cause after
// cancellation. If a library panics, the error is unsupported_content; a file that exceeds a limit
// of its child process returns too_large.
func (x *Extractor) Text(ctx context.Context, source Source) (*Result, error) {
	result, err := x.extractText(ctx, source)
	if cause := context.Cause(ctx); err != nil && cause != nil {
		return nil, cause
	}
	if err != nil {
		return nil, asFailure(err)
	}
	return x.finishResult(result)
}

func (x *Extractor) extractText(ctx context.Context, source Source) (*Result, error) {
	if id, ok := videoID(source.URL); ok {
		return x.extractYouTube(ctx, id)
	}
	if len(source.Body) == 0 {
		return nil, newFailure(model.ProcessingErrorCodeNoText, "the source is empty")
	}
	switch form := detectFormat(source); form.kind {
	case "":
		return nil, unsupportedType(source, form)
	case "image":
		return x.extractImage(ctx, source, form.media)
	case "audio":
		return x.extractAudio(ctx, source, form.extension)
	}
	output, err := x.runTask(ctx, fileTask{Source: source})
	if err == nil && output.Scanned > 0 {
		return x.recognizeScan(ctx, source, output)
	}
	if err != nil {
		return nil, err
	}
	return output.Result, nil
}

// runTask performs a task. It logs the panic of a library.
func (x *Extractor) runTask(ctx context.Context, task fileTask) (*taskOutput, error) {
	enter := slot.Leave(ctx)
	output, err := x.tasks.runTask(ctx, task)
	enter()
	if err != nil {
		return nil, err
	}
	if output.Panic != "" {
		slog.ErrorContext(ctx, "extraction panicked", "panic", output.Panic, "url", task.Source.URL)
	}
	if output.Failure != nil {
		return nil, output.Failure
	}
	return output, nil
}

// datedFiles are the types of files that state when they were made.
var datedFiles = []string{"docx", "pptx", "xlsx", "odt", "rtf", "pdf"}

// finishResult returns an error for a result without text. It ensures valid UTF-8, sets the
// language and removes NUL, which Postgres cannot store.
func (x *Extractor) finishResult(r *Result) (*Result, error) {
	r.Content = cleanText(r.Content)
	if keyOf(r.Content) == "" {
		return nil, newFailure(model.ProcessingErrorCodeNoText,
			"no text was found in the source; supply the text to go on")
	}
	r.Title = truncateText(oneLine(cleanText(r.Title)), 500)
	r.Author = truncateText(oneLine(cleanText(r.Author)), 300)
	r.Language = detectLanguage(r.Language, r.Content)
	if r.Published != nil {
		r.Published = plausibleTime(*r.Published)
	}
	// A file's own date is the day on which it, or its template, was made.
	if slices.Contains(datedFiles, r.ContentType) && openingDate(r.Title, r.Content) != nil {
		r.Published = nil
	}
	return r, nil
}

// cleanText returns valid UTF-8 without control characters. A form feed, as pdftotext writes it
// between pages, and a vertical tab, the line break of slides, end a line. Others are spaces, so
// that the words around them stay apart.
func cleanText(text string) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	text = strings.ReplaceAll(text, "\r\n", "\n")
	previous := ' '
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t' || r >= ' ' && r != 0x7f && r != '\ufeff':
			previous = r
			return r
		case r == '\f' || r == '\v' || r == '\r':
			previous = '\n'
			return '\n'
		case r == 0 || r == '\ufeff' || previous == ' ':
			return -1
		}
		previous = ' '
		return ' '
	}, text))
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

func truncateText(text string, limit int) string {
	count := 0
	for i := range text {
		if count == limit {
			return text[:i]
		}
		count++
	}
	return text
}
