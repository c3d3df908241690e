package graph

import (
	"mime/multipart"
	"net/http"
	"strconv"
	"strings"

	"github.com/99designs/gqlgen/graphql"

	"rostrum/errs"
)

const (
	formMemory   = 1 << 20 // bytes of a form that are kept in memory; the rest waits in temporary files
	formEnvelope = 1 << 20 // bytes that a form may have beside its files
)

// fromForm reads a form of the GraphQL multipart request specification: operations, map, and the files that map places into
// the variables.
func (s *Server) fromForm(w http.ResponseWriter, r *http.Request) (q *request, done func(), err error) {
	r.Body = http.MaxBytesReader(w, r.Body, s.limits.Upload+formEnvelope)
	if err := r.ParseMultipartForm(formMemory); err != nil {
		return nil, func() {}, malformedForm(err)
	}
	f := &form{Form: r.MultipartForm, limit: s.limits.Upload}
	q, err = f.request()
	return q, f.close, err
}

func malformedForm(err error) error {
	if failure := errs.From(unread(err)); failure.Code == errs.TooLarge {
		return failure
	}
	return errs.Wrap(err, errs.BadRequest, "the multipart form is malformed")
}

// form is a parsed form and the files of it that are open.
type form struct {
	*multipart.Form
	limit int64 // bytes of one file
	open  []multipart.File
}

func (f *form) close() {
	for _, file := range f.open {
		_ = file.Close()
	}
	_ = f.RemoveAll()
}

func (f *form) request() (*request, error) {
	for _, name := range []string{"operations", "map"} {
		if len(f.Value[name]) != 1 {
			return nil, errs.New(errs.BadRequest, "the form needs one field %s, as the GraphQL multipart request specification says", name)
		}
	}
	q, err := fromJSON([]byte(f.Value["operations"][0]))
	if err != nil {
		return nil, err
	}
	places := map[string][]string{}
	if err := decode([]byte(f.Value["map"][0]), &places); err != nil {
		return nil, err
	}
	for name, paths := range places {
		if err := f.place(&q.RawParams, name, paths); err != nil {
			return nil, err
		}
	}
	return q, nil
}

// place opens the file once for each variable that takes it, so that each reads it from the start.
func (f *form) place(params *graphql.RawParams, name string, paths []string) error {
	if len(f.File[name]) != 1 {
		return errs.New(errs.BadRequest, "map names the file %s, which the form does not have once", name)
	}
	header := f.File[name][0]
	if header.Size > f.limit {
		return errs.New(errs.TooLarge, "the file %s is larger than %d bytes", name, f.limit)
	}
	for _, path := range paths {
		file, err := header.Open()
		if err != nil {
			return errs.Wrap(err, errs.Internal, "the file could not be read again")
		}
		f.open = append(f.open, file)
		upload := graphql.Upload{
			File: file, Filename: header.Filename, Size: header.Size, ContentType: header.Header.Get("Content-Type"),
		}
		if !put(params, path, upload) {
			return errs.New(errs.BadRequest, "map places the file %s at %s, which is not a null in variables", name, path)
		}
	}
	return nil
}

// put sets a null in the variables, found by a path such as variables.files.0, to the upload.
func put(params *graphql.RawParams, path string, upload graphql.Upload) bool {
	steps := strings.Split(path, ".")
	if steps[0] != "variables" || len(steps) < 2 {
		return false
	}
	var at any = params.Variables
	for i, step := range steps[1:] {
		last := i == len(steps)-2
		switch holder := at.(type) {
		case map[string]any:
			value, there := holder[step]
			if last && there && value == nil {
				holder[step] = upload
				return true
			}
			at = value
		case []any:
			n, err := strconv.Atoi(step)
			if err != nil || n < 0 || n >= len(holder) {
				return false
			}
			if last && holder[n] == nil {
				holder[n] = upload
				return true
			}
			at = holder[n]
		default:
			return false
		}
	}
	return false
}
