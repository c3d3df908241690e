package rest

import (
	"errors"
	"maps"
	"mime"
	"mime/multipart"
	"net/http"
	"slices"

	"github.com/99designs/gqlgen/graphql"
	"github.com/getkin/kin-openapi/openapi3"

	"rostrum/errs"
)

const (
	mediaForm = "multipart/form-data"
	// envelope is what the other parts of a form may take beside the file.
	envelope = 1 << 20
	// inMemory is how much of a form is held in memory; the rest waits in temporary files.
	inMemory = 4 << 20
)

// isForm reports whether the body is a multipart form.
func isForm(r *http.Request) bool {
	media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return err == nil && media == mediaForm
}

// fromFile reads the form's file that bears the variable's name.
func (in *input) fromFile(p *parameter, w http.ResponseWriter, r *http.Request) error {
	if !isForm(r) {
		return errs.New(errs.UnsupportedMediaType, "send the file as %s", mediaForm)
	}
	form, err := in.form(w, r)
	if err != nil {
		return err
	}
	headers := form.File[p.name]
	if len(headers) != 1 {
		in.bad = append(in.bad, place(p.in, p.name)("missing", "exactly one file is required in this part of the form"))
		return nil
	}
	return in.open(p, headers[0])
}

// form reads a multipart form, whose files are there until the input is freed.
func (in *input) form(w http.ResponseWriter, r *http.Request) (*multipart.Form, error) {
	r.Body = http.MaxBytesReader(w, r.Body, maxUpload+envelope)
	if err := r.ParseMultipartForm(inMemory); err != nil {
		if r.MultipartForm != nil {
			_ = r.MultipartForm.RemoveAll()
		}
		return nil, badForm(err)
	}
	in.done = func() { _ = r.MultipartForm.RemoveAll() }
	return r.MultipartForm, nil
}

// fromForm reads a form in place of a JSON body: its file, if there is one, and the body's fields from the other parts. A field
// that is no text in the body is written as JSON.
func (in *input) fromForm(op *operation, w http.ResponseWriter, r *http.Request) error {
	form, err := in.form(w, r)
	if err != nil {
		return err
	}
	at, schema := place(inBody, ""), op.body.schema.Value
	body := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(schema.Properties)) {
		texts := form.Value[name]
		if len(texts) == 0 {
			continue
		}
		value, err := formValue(schema.Properties[name].Value, texts[0])
		if err != nil || len(texts) > 1 {
			in.bad = append(in.bad, at("value_error", "must be given once, and as JSON where it is no text", name))
			continue
		}
		body[name] = value
	}
	bad := append(check(schema, body, at), nulTexts(body, at, nil)...)
	in.bad = append(in.bad, bad...)
	if len(bad) == 0 {
		in.values[op.body.name] = op.body.coder.decode(body)
	}
	switch headers := form.File[op.file.name]; len(headers) {
	case 0:
		return nil
	case 1:
		return in.open(op.file, headers[0])
	}
	in.bad = append(in.bad, place(inFile, op.file.name)("value_error", "at most one file is taken"))
	return nil
}

// formValue reads a part of a form as the value of a schema.
func formValue(s *openapi3.Schema, text string) (any, error) {
	if s.Type != nil && s.Type.Includes(openapi3.TypeString) {
		return text, nil
	}
	return decodeJSON([]byte(text))
}

func (in *input) open(p *parameter, header *multipart.FileHeader) error {
	if header.Size > maxUpload {
		return errs.New(errs.TooLarge, "the file is over %s", megabytes(maxUpload))
	}
	if msg := badText(header.Filename); msg != "" {
		in.bad = append(in.bad, place(p.in, p.name)("string_type", "its file name "+msg))
		return nil
	}
	file, err := header.Open()
	if err != nil {
		return errs.Wrap(err, errs.Internal, "the file could not be kept")
	}
	free := in.done
	in.done = func() { _ = file.Close(); free() }
	in.values[p.name] = graphql.Upload{
		File: file, Filename: header.Filename, Size: header.Size, ContentType: header.Header.Get("Content-Type"),
	}
	return nil
}

func badForm(err error) error {
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok || errors.Is(err, multipart.ErrMessageTooLarge) {
		return errs.Wrap(err, errs.TooLarge, "the file is over %s", megabytes(maxUpload))
	}
	return errs.Wrap(err, errs.BadRequest, "the form could not be read")
}
