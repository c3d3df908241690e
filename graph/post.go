package graph

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"unicode/utf8"

	"github.com/99designs/gqlgen/graphql"

	"rostrum/errs"
)

// request is an operation as it was sent: by its text, by the name or hash of a stored one, or by the hash of a text that was sent before.
type request struct {
	graphql.RawParams
	DocumentID string `json:"documentId"`
}

// fromBody reads the JSON body of a POST.
func fromBody(body io.Reader) (*request, error) {
	raw, err := io.ReadAll(body)
	if err != nil {
		return nil, unread(err)
	}
	return fromJSON(raw)
}

func unread(err error) error {
	if limit, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return errs.Wrap(err, errs.TooLarge, "the body is larger than %d bytes", limit.Limit)
	}
	return errs.Wrap(err, errs.BadRequest, "the body could not be read to its end")
}

// fromJSON reads an operation, its name and its variables.
func fromJSON(raw []byte) (*request, error) {
	if bytes.HasPrefix(bytes.TrimLeft(raw, " \t\r\n"), []byte("[")) {
		return nil, errs.New(errs.BadRequest, "batches are not read here: send one operation at a time")
	}
	q := &request{}
	if err := decode(raw, q); err != nil {
		return nil, err
	}
	return q, nil
}

// decode reads exactly one JSON value, numbers as they are written.
func decode(raw []byte, into any) error {
	if !utf8.Valid(raw) {
		return errs.New(errs.MalformedJSON, "the text is not valid UTF-8")
	}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	err := decoder.Decode(into)
	if bad, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return errs.Wrap(err, errs.BadRequest, "%s cannot be a JSON %s", strings.TrimPrefix(bad.Field, "RawParams."), bad.Value)
	}
	if err == nil {
		if _, more := decoder.Token(); !errors.Is(more, io.EOF) {
			err = errors.New("text follows the JSON value")
		}
	}
	if err != nil {
		return errs.Wrap(err, errs.MalformedJSON, "the text is not JSON: %s", err)
	}
	return nil
}
