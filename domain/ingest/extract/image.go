package extract

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"time"

	"rostrum/model"
)

func (x *Extractor) extractImage(ctx context.Context, source Source, media string) (*Result, error) {
	if x.recognizer() == nil {
		return nil, newFailure(model.ProcessingErrorCodeNoOcr,
			"this server has no text recognition; supply the text, install tesseract or configure a vision model")
	}
	if _, err := x.runTask(ctx, fileTask{Source: source}); err != nil {
		return nil, err
	}
	text, err := x.recognizeText(ctx, source.Body, media)
	if err != nil {
		return nil, err
	}
	if keyOf(text) == "" {
		return nil, newFailure(model.ProcessingErrorCodeNoText, "no text was found in the image")
	}
	text = cleanText(text)
	return &Result{ContentType: "image", Title: textTitle(text), Content: text}, nil
}

func (x *Extractor) recognizeText(ctx context.Context, body []byte, media string) (string, error) {
	text, err := x.recognizer().Recognize(ctx, body, media)
	return text, helperFailure(err, "the image could not be read")
}

// helperFailure returns the failure for a helper's error: a timeout, an error of its provider, or
// an unreadable source.
func helperFailure(err error, message string) error {
	var provider *ProviderError
	switch {
	case err == nil:
		return nil
	case isLimit(err):
		return err
	case errors.Is(err, context.DeadlineExceeded):
		return &Failure{Code: model.ProcessingErrorCodeTimeout, Message: message + " in time; try again",
			Retryable: true, Cause: err}
	case errors.As(err, &provider):
		return &Failure{Code: model.ProcessingErrorCodeInternal, Message: message + ": the model's provider failed",
			Retryable: provider.Retryable, Cause: err}
	}
	return unsupportedContent(message, err)
}

const (
	tesseractTime   = 60 * time.Second // timeout of a run of tesseract
	tesseractMemory = 1 << 30          // most bytes of data of a run
)

// Tesseract recognizes text with the tesseract program, in at most one process for each processor.
type Tesseract struct {
	path      string
	languages string
	slots     chan struct{}
}

// FindTesseract returns tesseract from PATH with its languages, and nil if it is not installed.
func FindTesseract() Recognizer {
	path, err := exec.LookPath("tesseract")
	if err != nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), tesseractTime)
	defer cancel()
	out, err := runTool(ctx, tesseractMemory, nil, path, "--list-langs")
	if err != nil {
		return nil
	}
	languages := parseLanguages(string(out))
	if len(languages) == 0 {
		return nil
	}
	return newTesseract(path, languages)
}

func newTesseract(path string, languages []string) *Tesseract {
	return &Tesseract{path, strings.Join(languages, "+"), make(chan struct{}, runtime.GOMAXPROCS(0))}
}

// manyLanguages is the maximum number of languages of a run; each makes it slower.
const manyLanguages = 4

// parseLanguages parses tesseract's list of languages, English first, without scripts and the
// orientation model.
func parseLanguages(list string) []string {
	var languages []string
	for line := range strings.Lines(list) {
		name := strings.TrimSpace(line)
		if name != "" && name != "osd" && name != "equ" && !strings.ContainsAny(name, " :/") {
			languages = append(languages, name)
		}
	}
	slices.SortStableFunc(languages, func(a, b string) int { return cmp.Compare(languageRank(a), languageRank(b)) })
	return languages[:min(len(languages), manyLanguages)]
}

func languageRank(language string) int {
	if language == "eng" {
		return 0
	}
	return 1
}

// Recognize implements Recognizer.
func (t *Tesseract) Recognize(ctx context.Context, picture []byte, _ string) (string, error) {
	select {
	case t.slots <- struct{}{}:
		defer func() { <-t.slots }()
	case <-ctx.Done():
		return "", ctx.Err()
	}
	ctx, cancel := context.WithTimeout(ctx, tesseractTime)
	defer cancel()
	text, err := runTool(ctx, childMemory(tesseractMemory), bytes.NewReader(picture), t.path, "stdin", "stdout", "-l",
		t.languages)
	if err != nil && ctx.Err() == nil && !isLimit(err) {
		err = fmt.Errorf("tesseract: %w", err)
	}
	return string(text), err
}
