package transport

import (
	"errors"
	"mime/multipart"
	"net/http"
	"os"
	"strconv"
	"strings"

	"github.com/99designs/gqlgen/graphql"

	"rostrum/errs"
	"rostrum/graph/policy"
	"rostrum/platform/web"
)

const (
	formMemory   = 1 << 20 // bytes of a form that are kept in memory; the rest goes to temporary files
	formOverhead = 1 << 20 // bytes of a form that are allowed in addition to its files
	// variables of a form that are files: each file is opened, and read to compare the request with others and to execute it
	maxFilePaths = 100
	// formFiles is how many files of the maximum size a form may have; a file counts for each of its variables
	formFiles = 2
)

// readForm reads a form of the GraphQL multipart request specification: the fields operations and
// map, and the files that map assigns to variables.
func (s *Server) readForm(w http.ResponseWriter, r *http.Request, limit int64) (q *policy.Request, done func(),
	err error) {
	if err := web.ReadForm(w, r, limit, formMemory); err != nil {
		return nil, func() {}, formError(err)
	}
	f := &uploadForm{Form: r.MultipartForm, limit: s.limits.Upload}
	q, err = f.parseRequest()
	return q, f.closeFiles, err
}

// formError returns a too_large error for a form over its limit, unavailable on a full disk, else a
// bad_request error.
func formError(err error) error {
	if failure := web.BodyError(err); failure.Code != errs.BadRequest || errors.Is(err, os.ErrDeadlineExceeded) {
		return failure
	}
	return errs.Wrap(err, errs.BadRequest, "the multipart form is malformed")
}

// uploadForm is a parsed form and its open files.
type uploadForm struct {
	*multipart.Form
	limit int64 // bytes of one file
	read  int64 // bytes of all files, each counted for each of its variables
	open  []multipart.File
}

// closeFiles closes the open files and removes the temporary files.
func (f *uploadForm) closeFiles() {
	for _, file := range f.open {
		_ = file.Close()
	}
	_ = f.RemoveAll()
}

func (f *uploadForm) parseRequest() (*policy.Request, error) {
	for _, name := range []string{"operations", "map"} {
		if len(f.Value[name]) != 1 {
			return nil, errs.New(errs.BadRequest, "the form needs exactly one field %s (GraphQL multipart request specification)", name)
		}
	}
	q, err := parseRequest([]byte(f.Value["operations"][0]))
	if err != nil {
		return nil, err
	}
	paths := map[string][]string{}
	if err := decodeJSON([]byte(f.Value["map"][0]), &paths); err != nil {
		return nil, err
	}
	count := 0
	for name, filePaths := range paths {
		if count += len(filePaths); count > maxFilePaths {
			return nil, errs.New(errs.BadRequest, "map assigns files to more than %d variables", maxFilePaths)
		}
		if err := f.assignFile(&q.RawParams, name, filePaths); err != nil {
			return nil, err
		}
	}
	return q, nil
}

// assignFile opens the file once per variable path, so that each resolver reads it from the start.
func (f *uploadForm) assignFile(params *graphql.RawParams, name string, paths []string) error {
	if len(f.File[name]) != 1 {
		return errs.New(errs.BadRequest, "map names the file %s, which the form does not contain exactly once", name)
	}
	header := f.File[name][0]
	for _, path := range paths {
		if header.Size > f.limit && !isListPath(path) {
			return errs.New(errs.TooLarge, "the file %s is larger than %d bytes", name, f.limit)
		}
		if f.read += header.Size; f.read > formFiles*f.limit {
			return errs.New(errs.TooLarge, "the files of all variables are larger than %d bytes together", formFiles*f.limit)
		}
		file, err := header.Open()
		if err != nil {
			return errs.Wrap(err, errs.Internal, "the uploaded file could not be read")
		}
		f.open = append(f.open, file)
		upload := graphql.Upload{
			File: file, Filename: header.Filename, Size: header.Size, ContentType: header.Header.Get("Content-Type"),
		}
		if !setVariable(params, path, upload) {
			return errs.New(errs.BadRequest, "map assigns the file %s to %s, which is not a null in variables", name,
				path)
		}
	}
	return nil
}

// isListPath reports whether a path leads to an element of a list. The operation refuses a file of a
// list that is too large, so that the others are not lost.
func isListPath(path string) bool {
	_, err := strconv.Atoi(path[strings.LastIndexByte(path, '.')+1:])
	return err == nil
}

// setVariable replaces the null at a path by the upload, for example variables.files.0. It reports
// false if there is no null.
func setVariable(params *graphql.RawParams, path string, upload graphql.Upload) bool {
	steps := strings.Split(path, ".")
	if steps[0] != "variables" || len(steps) < 2 {
		return false
	}
	var at any = params.Variables
	for i, step := range steps[1:] {
		last := i == len(steps)-2
		switch holder := at.(type) {
		case map[string]any:
			value, ok := holder[step]
			if last && ok && value == nil {
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
