package transport

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"unicode/utf8"

	"rostrum/errs"
	"rostrum/graph/policy"
	"rostrum/platform/web"
)

// parseQueryString parses the operation of a GET request.
func parseQueryString(raw string) (*policy.Request, error) {
	values, err := url.ParseQuery(raw)
	if err != nil {
		return nil, errs.Wrap(err, errs.BadRequest, "the query string is malformed")
	}
	q := &policy.Request{DocumentID: values.Get("documentId"), ID: policy.LooseID(values.Get("id"))}
	q.Query, q.OperationName = values.Get("query"), values.Get("operationName")
	q.HasEmptyQuery = values.Has("query") && q.Query == ""
	if !utf8.ValidString(q.Query) {
		return nil, errs.New(errs.BadRequest, "query is not valid UTF-8")
	}
	for name, target := range map[string]*map[string]any{"variables": &q.Variables, "extensions": &q.Extensions} {
		if text := values.Get(name); text != "" {
			if err := decodeJSON([]byte(text), target); err != nil {
				return nil, err
			}
		}
	}
	return q, nil
}

// readBody reads the operation of a JSON body of at most limit bytes.
func readBody(w http.ResponseWriter, r *http.Request, limit int64) (*policy.Request, error) {
	raw, err := web.ReadBody(w, r, limit)
	if err != nil {
		return nil, err
	}
	return parseRequest(raw)
}

// parseRequest parses the JSON of one operation; it returns an error for a batch.
func parseRequest(raw []byte) (*policy.Request, error) {
	if bytes.HasPrefix(bytes.TrimLeft(raw, " \t\r\n"), []byte("[")) {
		return nil, errs.New(errs.BadRequest, "batches are not supported: send one operation at a time")
	}
	q := &policy.Request{}
	if err := decodeJSON(raw, q); err != nil {
		return nil, err
	}
	q.HasEmptyQuery = q.Query == "" && q.DocumentID == "" && q.ID == "" && hasQuery(raw)
	return q, nil
}

// hasQuery reports whether the JSON of an operation has a query that is not null.
func hasQuery(raw []byte) bool {
	var members struct{ Query *string }
	return json.Unmarshal(raw, &members) == nil && members.Query != nil
}

// decodeJSON decodes exactly one JSON value and keeps the digits of numbers.
func decodeJSON(raw []byte, target any) error {
	if !utf8.Valid(raw) {
		return errs.New(errs.MalformedJSON, "the text is not valid UTF-8")
	}
	if err := web.CheckJSON(raw); err != nil {
		return err
	}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	err := decoder.Decode(target)
	if mismatch, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return errs.Wrap(err, errs.BadRequest, "%s cannot be a JSON %s",
			strings.TrimPrefix(mismatch.Field, "RawParams."), mismatch.Value)
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
