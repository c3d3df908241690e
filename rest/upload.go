package rest

import (
	"errors"
	"maps"
	"mime"
	"mime/multipart"
	"net/http"
	"os"
	"slices"

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
	r.Body = http.MaxBytesReader(w, r.Body, maxUpload+formOverhead)
	if err := r.ParseMultipartForm(formMemory); err != nil {
		if r.MultipartForm != nil {
			_ = r.MultipartForm.RemoveAll()
		}
		return nil, formError(err)
	}
	in.cleanup = func() { _ = r.MultipartForm.RemoveAll() }
	return r.MultipartForm, nil
}

// fromForm reads a form instead of a JSON body: its file, if there is one, and the body's fields
// from the other parts. A field that is not a string is sent as JSON.
func (in *requestInput) fromForm(op *stored.Operation, w http.ResponseWriter, r *http.Request) error {
	form, err := in.parseForm(w, r)
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
	decoded, bad := op.Body.Decode(body)
	in.add(op.Body, decoded, bad)
	switch headers := form.File[op.File.Name]; len(headers) {
	case 0:
		return nil
	case 1:
		return in.openFile(op.File, headers[0])
	}
	in.invalid = append(in.invalid, op.File.At("value_error", "at most one file is accepted"))
	return nil
}

// formValue parses a part of a form as a value of a schema.
func formValue(s *openapi3.Schema, text string) (any, error) {
	if s.Type != nil && s.Type.Includes(openapi3.TypeString) {
		return text, nil
	}
	return decodeJSON([]byte(text))
}

func (in *requestInput) openFile(p *stored.Parameter, header *multipart.FileHeader) error {
	if header.Size > maxUpload {
		return errs.New(errs.TooLarge, "the file is over %s", formatMegabytes(maxUpload))
	}
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

func formError(err error) error {
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok || errors.Is(err, multipart.ErrMessageTooLarge) {
		return errs.Wrap(err, errs.TooLarge, "the file is over %s", formatMegabytes(maxUpload))
	}
	failure := web.BodyError(err)
	if errors.Is(err, os.ErrDeadlineExceeded) || failure.Code != errs.BadRequest {
		return failure
	}
	return errs.Wrap(err, errs.BadRequest, "the form could not be read")
}
