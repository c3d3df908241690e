package bulk

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"rostrum/api"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/model/optional"
	"rostrum/platform/job"
	"rostrum/platform/principal"
)

// inputVariable is the variable of a bulk mutation.
const inputVariable = "input"

// StartMutation queues the job that runs a mutation for each line of a file. It returns
// errs.ValidationFailed for an invalid mutation or an empty file, errs.TooLarge for one over the
// limits, and errs.InvalidState while another bulk mutation of the workspace runs.
func (s *Service) StartMutation(ctx context.Context, in api.StartBulkMutationInput) (*model.StartedJob, error) {
	if err := s.checkMutation(ctx, in.Mutation); err != nil {
		return nil, fmt.Errorf("start a bulk mutation: %w", err)
	}
	if in.File.Size > MaxInput {
		return nil, errs.New(errs.TooLarge, "the file has more than %d MB", MaxInput>>20)
	}
	if err := countLines(in.File.File); err != nil {
		return nil, fmt.Errorf("start a bulk mutation: %w", err)
	}
	key := newBlobKey(principal.Must(ctx).WorkspaceID)
	if err := s.Files.Put(ctx, key, MediaLines, in.File.File); err != nil {
		return nil, fmt.Errorf("start a bulk mutation: %w", err)
	}
	started, err := s.enqueue(ctx, JobMutation,
		model.BulkMutationParameters{Mutation: in.Mutation, InputByteCount: int(in.File.Size)}, &key)
	if err != nil && !errs.Is(err, errs.Unavailable) { // a commit in doubt keeps its file; sweep deletes it otherwise
		s.deleteBlob(ctx, key)
	}
	return started, err
}

// checkMutation returns an error for a text that cannot run for each line.
func (s *Service) checkMutation(ctx context.Context, text string) error {
	if err := s.executor.CheckText(ctx, text); err != nil {
		return err
	}
	op, err := loadOperation(s.Schema, text, ast.Mutation, "mutation")
	if err != nil {
		return err
	}
	if v := op.VariableDefinitions; len(v) != 1 || v[0].Variable != inputVariable {
		return refuse("mutation", "must have one variable, $input, which is the value of a line")
	}
	var fields []*ast.Field
	for _, selected := range inline(op.SelectionSet, s.Schema.Mutation.Name) {
		f, ok := selected.(*ast.Field)
		if !ok || len(f.Directives) > 0 {
			return refuse("mutation", "must have a root field without a condition")
		}
		fields = append(fields, f)
	}
	if len(fields) != 1 {
		return refuse("mutation", fmt.Sprintf("must have one root field; it has %d", len(fields)))
	}
	return s.checkRoot(fields[0])
}

// checkRoot returns an error for a mutation that must not run by lines: a report is kept as plain
// text, so it must have no new key, and jobs do not start jobs of their kind.
func (s *Service) checkRoot(f *ast.Field) error {
	scope := f.Definition.Directives.ForName("scope")
	if scope != nil && scope.Arguments.ForName("needs").Value.Raw == "ADMIN" {
		return refuse("mutation", f.Name+" needs the scope admin, and does not run by lines")
	}
	if strings.HasPrefix(f.Name, "startBulk") {
		return refuse("mutation", f.Name+" does not run by lines")
	}
	for _, argument := range f.Arguments {
		if s.takesFile(f.Definition.Arguments.ForName(argument.Name).Type.Name()) {
			return refuse("mutation", f.Name+" takes a file, which a line cannot have")
		}
	}
	for _, member := range s.Schema.Types[f.Definition.Type.Name()].Fields {
		if member.Type.Name() == "FileDownload" {
			return refuse("mutation", f.Name+" makes a file, which a report cannot have")
		}
	}
	return nil
}

// takesFile reports whether an input is a file or an object that must have one.
func (s *Service) takesFile(name string) bool {
	if name == "Upload" {
		return true
	}
	for _, member := range s.Schema.Types[name].Fields {
		if member.Type.Name() == "Upload" {
			return true
		}
	}
	return false
}

// countLines returns an error for a file without lines or with too many, and seeks to its start.
func countLines(file io.ReadSeeker) error {
	lines, content, buffer := 0, false, make([]byte, 64<<10)
	for {
		n, err := file.Read(buffer)
		lines += bytes.Count(buffer[:n], []byte{'\n'})
		content = content || len(bytes.TrimSpace(buffer[:n])) > 0
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return errs.Wrap(err, errs.Internal, "the uploaded file could not be read")
		}
	}
	switch {
	case lines > MaxLines:
		return errs.New(errs.TooLarge, "the file has more than %d lines", MaxLines)
	case !content:
		return refuse("file", "has no line")
	}
	_, err := file.Seek(0, io.SeekStart)
	return err
}

// mutationRun runs the lines of a file and writes the report.
type mutationRun struct {
	*partWriter
	text  string
	size  int64 // of the input
	input *bufio.Reader
}

// workMutation runs the remaining lines.
func (s *Service) workMutation(ctx context.Context, run *job.Run) (any, error) {
	in, err := job.Parameters[model.BulkMutationParameters](run.Job)
	if err != nil {
		return nil, err
	}
	w, ctx, err := s.openPart(ctx, run)
	if err != nil || w.file.Finished {
		return nil, err
	}
	input, err := s.Files.Open(ctx, optional.ValueOr(w.file.InputBlob, ""))
	if err != nil {
		return nil, err
	}
	defer input.Close()
	if _, err := input.Seek(w.file.InputOffset, io.SeekStart); err != nil {
		return nil, errs.Wrap(err, errs.Unavailable, "the inputs cannot be read; try again later")
	}
	m := &mutationRun{partWriter: w, text: in.Mutation, size: input.Size(), input: bufio.NewReaderSize(input, MaxInputLine)}
	for !w.file.Finished {
		failed := cmp.Or(m.runLine(ctx), ctx.Err())
		if ctx.Err() == nil && (w.isDue() || w.file.Finished || failed != nil) {
			next, err := w.commit(ctx, m.percent(), m.note())
			if failed = errors.Join(failed, err); err == nil {
				ctx = next
			}
		}
		if failed != nil {
			w.keepLines(ctx)
			return nil, failed
		}
	}
	return nil, nil
}

func (m *mutationRun) percent() int {
	return int(100 * m.file.InputOffset / max(1, m.size))
}

func (m *mutationRun) note() string {
	return fmt.Sprintf("%d lines, %d failed", m.file.RowCount, m.file.FailedCount)
}

// byteOrderMark may begin a file that Windows programs write.
const byteOrderMark = "\ufeff"

// reportLine is a line of the report.
type reportLine struct {
	Line   int             `json:"line"`
	Data   json.RawMessage `json:"data,omitempty"`
	Errors gqlerror.List   `json:"errors,omitempty"`
}

// runLine runs the next line and reports it. An error is one of the job; the line is then not read.
func (m *mutationRun) runLine(ctx context.Context) error {
	line, length, tooLong, err := m.readLine()
	if err != nil {
		return err
	}
	report := reportLine{Line: m.file.InputLine + 1}
	if m.file.InputOffset == 0 {
		line = bytes.TrimPrefix(line, []byte(byteOrderMark))
	}
	switch values, ok := decodeLine(line); {
	case tooLong:
		report.Errors = lineError(errs.TooLarge, fmt.Sprintf("the line has more than %d bytes", MaxInputLine))
	case len(line) == 0:
		report.Line = 0
	case !utf8.Valid(line):
		report.Errors = lineError(errs.MalformedJSON, "the line is not UTF-8")
	case !ok:
		report.Errors = lineError(errs.MalformedJSON, "the line is not a JSON object")
	default:
		report.Data, report.Errors, err = m.runInput(ctx, report.Line, values)
	}
	if err != nil {
		return err
	}
	m.file.InputLine++
	m.file.InputOffset += length
	m.file.Finished = m.file.InputOffset >= m.size
	if report.Line == 0 {
		return nil
	}
	m.file.RowCount++
	if len(report.Errors) > 0 {
		m.file.FailedCount++
	}
	encoder := json.NewEncoder(&m.lines)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(report)
}

// readLine returns the next line without the spaces around it, and its length in the file.
func (m *mutationRun) readLine() (line []byte, length int64, tooLong bool, err error) {
	for {
		part, err := m.input.ReadSlice('\n')
		length += int64(len(part))
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			tooLong = true
		case err == nil || errors.Is(err, io.EOF):
			return bytes.TrimSpace(part), length, tooLong, nil
		default:
			return nil, 0, false, errs.Wrap(err, errs.Unavailable, "the inputs cannot be read; try again later")
		}
	}
}

func decodeLine(line []byte) (map[string]any, bool) {
	decoder := json.NewDecoder(bytes.NewReader(line))
	decoder.UseNumber()
	var values map[string]any
	if err := decoder.Decode(&values); err != nil || values == nil {
		return nil, false
	}
	_, err := decoder.Token()
	return values, errors.Is(err, io.EOF)
}

func lineError(code errs.Code, message string) gqlerror.List {
	return gqlerror.List{{Message: message, Extensions: map[string]any{"code": string(code)}}}
}

// runInput runs a line once. It waits for what passes by itself, such as a limit of requests. A line
// that has begun ends after its job is cancelled too, so that it is in the report.
func (m *mutationRun) runInput(ctx context.Context, line int, values map[string]any) (json.RawMessage, gqlerror.List,
	error) {
	key := fmt.Sprintf("bulk-%s-%d", m.file.JobID, line)
	for tries := 0; ; tries++ {
		data, failed := m.s.executor.RunOperation(context.WithoutCancel(ctx), m.text, map[string]any{inputVariable: values}, key)
		err := errorOf(failed)
		switch {
		case !errs.Is(err, errs.RateLimited) && !errs.Is(err, errs.IdempotencyInFlight) && !errs.Is(err, errs.Unavailable):
			return data, failed, nil
		case tries == slotTries:
			return nil, nil, err
		}
		if err := pause(ctx, slotPause); err != nil {
			return nil, nil, err
		}
	}
}
