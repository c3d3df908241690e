package rest

import (
	"errors"
	"mime"
	"mime/multipart"
	"net/http"

	"github.com/99designs/gqlgen/graphql"

	"rostrum/errs"
)

const (
	mediaForm = "multipart/form-data"
	// envelope is what the other parts of a form may take beside the file.
	envelope = 1 << 20
	// inMemory is how much of a form is held in memory; the rest waits in temporary files.
	inMemory = 4 << 20
)

// fromFile reads the form's file that bears the variable's name.
func (in *input) fromFile(p *parameter, w http.ResponseWriter, r *http.Request) error {
	if media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || media != mediaForm {
		return errs.New(errs.UnsupportedMediaType, "send the file as %s", mediaForm)
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxUpload+envelope)
	if err := r.ParseMultipartForm(inMemory); err != nil {
		if r.MultipartForm != nil {
			_ = r.MultipartForm.RemoveAll()
		}
		return badForm(err)
	}
	form := r.MultipartForm
	in.done = func() { _ = form.RemoveAll() }
	headers := form.File[p.name]
	if len(headers) != 1 {
		in.bad = append(in.bad, place(p.in, p.name)("missing", "exactly one file is required in this part of the form"))
		return nil
	}
	return in.open(p, headers[0])
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
