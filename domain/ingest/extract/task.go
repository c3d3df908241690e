package extract

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"

	"rostrum/model"
)

// fileTask is the work on one file: to read its text, to check an image, to draw a page of a PDF,
// or to unpack the files in it.
type fileTask struct {
	Source Source
	Draw   int  // number of the page to draw, from 1; 0 reads the text
	Unpack bool // whether to return the files in it instead of its text
}

// taskOutput is the outcome of a task. It has a failure, a picture, files, or a result, which is nil
// for an image that may be recognized.
type taskOutput struct {
	Result  *Result
	Scanned int    // number of pages of a PDF that has images and no text
	Picture []byte // the drawn page as PNG
	Packed  []PackedFile
	Failure *Failure
	Panic   string // value and stack if a library panicked
}

// taskRunner performs tasks. Its errors are *Failure, or the context's cause.
type taskRunner interface {
	runTask(ctx context.Context, task fileTask) (*taskOutput, error)
}

// localRunner performs tasks in this process, without limits: in programs that do not call
// ServeIfChild.
type localRunner struct{}

func (localRunner) runTask(ctx context.Context, task fileTask) (*taskOutput, error) {
	return performTask(ctx, task), nil
}

// performTask performs a task. A panic of a library is returned as a failure.
func performTask(ctx context.Context, task fileTask) (output *taskOutput) {
	defer func() {
		if caught := recover(); caught != nil {
			failure := unsupportedContent("the source could not be read", fmt.Errorf("panic: %v", caught))
			output = &taskOutput{Failure: failure, Panic: fmt.Sprintf("%v\n%s", caught, debug.Stack())}
		}
	}()
	output, err := readFile(ctx, task)
	if err != nil {
		return &taskOutput{Failure: asFailure(err)}
	}
	return output
}

func readFile(ctx context.Context, task fileTask) (*taskOutput, error) {
	if task.Draw > 0 {
		return drawPage(ctx, task.Source.Body, task.Draw-1)
	}
	if task.Unpack {
		return unpackFile(task.Source)
	}
	switch form := detectFormat(task.Source); form.kind {
	case "webpage":
		return textOutput(extractWebpage(task.Source))
	case "pdf":
		return readPDF(ctx, task.Source.Body)
	case "docx":
		return textOutput(extractDOCX(task.Source.Body))
	case "xlsx", "pptx", "odt", "rtf", "csv", "vtt", "srt", Mail:
		return textOutput(readOther(task.Source, form.kind))
	case Archive:
		if files, err := openOffice(task.Source.Body); err == nil && files.isWord() {
			return textOutput(extractDOCX(task.Source.Body))
		}
		return nil, unsupportedType(task.Source, form)
	case "text", "markdown":
		return textOutput(extractPlain(task.Source, form.kind), nil)
	case "image":
		return &taskOutput{}, checkImage(task.Source.Body, form.media)
	default:
		return nil, errors.New("the file is not of a type that is read")
	}
}

// readOther returns the text of a file of a kind that is read as a whole.
func readOther(source Source, kind string) (*Result, error) {
	switch kind {
	case "xlsx":
		return extractSheet(source.Body, source.baseName())
	case "pptx":
		return extractSlides(source.Body, source.baseName())
	case "odt":
		return extractODT(source.Body, source.baseName())
	case "rtf":
		return extractRTF(source.Body, source.baseName())
	case "csv":
		return extractCSV(source)
	case Mail:
		return extractMail(source.Body)
	}
	return extractSubtitles(source, kind)
}

func textOutput(r *Result, err error) (*taskOutput, error) { return &taskOutput{Result: r}, err }

func asFailure(err error) *Failure {
	if f, ok := errors.AsType[*Failure](err); ok {
		return f
	}
	return unsupportedContent("the source could not be read", err)
}

func retryableFailure(message string, cause error) *Failure {
	return &Failure{Code: model.ProcessingErrorCodeInternal, Message: message, Retryable: true, Cause: cause}
}
