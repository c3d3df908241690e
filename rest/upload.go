package rest

import (
	"errors"
	"fmt"
	"maps"
	"mime"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/getkin/kin-openapi/openapi3"

	"rostrum/errs"
	"rostrum/platform/web"
	"rostrum/rest/stored"
)

const (
	// formOverhead is the maximum size in bytes of the parts of a form other than the file.
	formOverhead = 1 << 20
	// formMemory is the part of a form in bytes that is held in memory; the rest is written to
	// temporary files.
	formMemory = 4 << 20
	// maxFiles is the maximum size in bytes of all files of a form with a list of files, and
	// maxFormFiles their number; the operation may accept fewer.
	maxFiles     = 2 * maxUpload
	maxFormFiles = 200
)

// isForm reports whether the body is a multipart form.
func isForm(r *http.Request) bool {
	media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return err == nil && media == stored.MediaForm
}

// fromFile reads the form's file with the variable's name.
func (in *requestInput) fromFile(p *stored.Parameter, w http.ResponseWriter, r *http.Request) error {
	if !isForm(r) {
		return errs.New(errs.UnsupportedMediaType, "send the file as %s", stored.MediaForm)
	}
	form, err := in.parseForm(w, r)
	if err != nil {
		return err
	}
	headers := form.File[p.Name]
	if len(headers) != 1 {
		in.invalid = append(in.invalid, p.At("missing",
			"exactly one file is required in this part of the form"))
		return nil
	}
	return in.openFile(p, headers[0])
}

// parseForm parses a multipart form; its files exist until the input is released. It returns an
// error with code too_large above the limit.
func (in *requestInput) parseForm(w http.ResponseWriter, r *http.Request) (*multipart.Form, error) {
	return in.parseFormOf(maxUpload, "the file", w, r)
}

// parseFormOf parses a form whose files have at most limit bytes together. subject is what is too
// large above it.
func (in *requestInput) parseFormOf(limit int64, subject string, w http.ResponseWriter,
	r *http.Request) (*multipart.Form, error) {
	if err := web.ReadForm(w, r, limit+formOverhead, formMemory); err != nil {
		if r.MultipartForm != nil {
			_ = r.MultipartForm.RemoveAll()
		}
		return nil, formError(err, fmt.Sprintf("%s is over %s", subject, formatMegabytes(limit)))
	}
	in.cleanup = func() { _ = r.MultipartForm.RemoveAll() }
	return r.MultipartForm, nil
}

// fromForm reads a form instead of a JSON body: its file, if there is one, and the body's fields
// from the other parts. A field that is not a string is sent as JSON.
func (in *requestInput) fromForm(op *stored.Operation, w http.ResponseWriter, r *http.Request) error {
	form, err := in.parseFormFor(op, w, r)
	if err != nil {
		return err
	}
	schema := op.Body.Schema.Value
	body := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(schema.Properties)) {
		texts := form.Value[name]
		if len(texts) == 0 {
			continue
		}
		value, err := formValue(schema.Properties[name].Value, texts[0])
		if err != nil || len(texts) > 1 {
			in.invalid = append(in.invalid, op.Body.At("value_error", "must be given once, as JSON unless it is a string",
				name))
			continue
		}
		body[name] = value
	}
	in.unknown = slices.Concat(unknownMembers(schema, form.Value), op.Body.Unknown(body), unknownFiles(op.File, form))
	decoded, bad := op.Body.Decode(body)
	in.add(op.Body, decoded, bad)
	if op.File.IsList {
		return in.openFiles(op.File, append(form.File[op.File.Name], form.File[partName(op.File)]...))
	}
	switch headers := form.File[op.File.Name]; len(headers) {
	case 0:
		if op.File.Required {
			in.invalid = append(in.invalid, op.File.At("missing", "a file is required in this part of the form"))
		}
		return nil
	case 1:
		return in.openFile(op.File, headers[0])
	}
	in.invalid = append(in.invalid, op.File.At("value_error", "at most one file is accepted"))
	return nil
}

// partName returns the name that a part with one file has: a file of the list files may be sent as file
// too, as the specification says.
func partName(p *stored.Parameter) string {
	if p.IsList {
		return strings.TrimSuffix(p.Name, "s")
	}
	return p.Name
}

// unknownFiles returns the names of files that the operation does not take.
func unknownFiles(p *stored.Parameter, form *multipart.Form) (paths [][]any) {
	for name := range form.File {
		if name != p.Name && name != partName(p) {
			paths = append(paths, []any{name})
		}
	}
	return paths
}

// formValue parses a part of a form as a value of a schema.
func formValue(s *openapi3.Schema, text string) (any, error) {
	if s.Type != nil && s.Type.Includes(openapi3.TypeString) {
		return text, nil
	}
	return decodeJSON([]byte(text))
}

func (in *requestInput) parseFormFor(op *stored.Operation, w http.ResponseWriter,
	r *http.Request) (*multipart.Form, error) {
	if op.File.IsList {
		return in.parseFormOf(maxFiles, "the form", w, r)
	}
	return in.parseForm(w, r)
}

// openFiles opens the files of a list. The operation refuses those that are too large, so that the
// others are not lost.
func (in *requestInput) openFiles(p *stored.Parameter, headers []*multipart.FileHeader) error {
	if len(headers) == 0 {
		in.invalid = append(in.invalid, p.At("missing", "at least one file is required in this part of the form"))
		return nil
	}
	if len(headers) > maxFormFiles {
		in.invalid = append(in.invalid, p.At("too_long", fmt.Sprintf("must have at most %d files", maxFormFiles)))
		return nil
	}
	list := make([]any, len(headers))
	for i, header := range headers {
		if err := in.openUpload(p, header); err != nil {
			return err
		}
		list[i] = in.values[p.Name]
	}
	in.values[p.Name] = list
	return nil
}

func (in *requestInput) openFile(p *stored.Parameter, header *multipart.FileHeader) error {
	if header.Size > maxUpload {
		return errs.New(errs.TooLarge, "the file is over %s", formatMegabytes(maxUpload))
	}
	return in.openUpload(p, header)
}

func (in *requestInput) openUpload(p *stored.Parameter, header *multipart.FileHeader) error {
	if msg := stored.TextError(header.Filename); msg != "" {
		in.invalid = append(in.invalid, p.At("string_type", "its file name "+msg))
		return nil
	}
	file, err := header.Open()
	if err != nil {
		return errs.Wrap(err, errs.Internal, "the file could not be stored")
	}
	free := in.cleanup
	in.cleanup = func() { _ = file.Close(); free() }
	in.values[p.Name] = graphql.Upload{
		File: file, Filename: header.Filename, Size: header.Size, ContentType: header.Header.Get("Content-Type"),
	}
	return nil
}

// formError returns the error of a form that could not be read; tooLarge is the sentence for one
// over its limit.
func formError(err error, tooLarge string) error {
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok || errors.Is(err, multipart.ErrMessageTooLarge) {
		return errs.Wrap(err, errs.TooLarge, "%s", tooLarge)
	}
	failure := web.BodyError(err)
	if errors.Is(err, os.ErrDeadlineExceeded) || failure.Code != errs.BadRequest {
		return failure
	}
	if broken, ok := errors.AsType[textproto.ProtocolError](err); ok {
		return errs.Wrap(err, errs.BadRequest, "%s of the form has a header that is not valid: a file's name may have no "+
			"control characters", brokenPart(broken))
	}
	return errs.Wrap(err, errs.BadRequest, "the form could not be read")
}

var partHeader = regexp.MustCompile(`\bname=\\"([^"\\]+)`)

// brokenPart names the part of a form with the header that the error quotes.
func brokenPart(err textproto.ProtocolError) string {
	if found := partHeader.FindStringSubmatch(err.Error()); found != nil {
		return "the part " + found[1]
	}
	return "a part"
}
