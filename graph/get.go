package graph

import (
	"net/url"
	"unicode/utf8"

	"rostrum/errs"
)

// fromQuery reads an operation out of a query string; of a key in it nothing is read.
func fromQuery(raw string) (*request, error) {
	values, err := url.ParseQuery(raw)
	if err != nil {
		return nil, errs.Wrap(err, errs.BadRequest, "the query string is malformed")
	}
	q := &request{DocumentID: values.Get("documentId")}
	q.Query, q.OperationName = values.Get("query"), values.Get("operationName")
	if !utf8.ValidString(q.Query) {
		return nil, errs.New(errs.BadRequest, "query is not valid UTF-8")
	}
	for name, into := range map[string]*map[string]any{"variables": &q.Variables, "extensions": &q.Extensions} {
		if text := values.Get(name); text != "" {
			if err := decode([]byte(text), into); err != nil {
				return nil, err
			}
		}
	}
	return q, nil
}
