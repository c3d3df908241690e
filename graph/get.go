package graph

import (
	"net/url"
	"unicode/utf8"

	"github.com/99designs/gqlgen/graphql"

	"rostrum/errs"
)

// fromQuery reads an operation out of a query string; of a key in it nothing is read.
func fromQuery(raw string) (*graphql.RawParams, error) {
	values, err := url.ParseQuery(raw)
	if err != nil {
		return nil, errs.Wrap(err, errs.BadRequest, "the query string is malformed")
	}
	params := &graphql.RawParams{Query: values.Get("query"), OperationName: values.Get("operationName")}
	if !utf8.ValidString(params.Query) {
		return nil, errs.New(errs.BadRequest, "query is not valid UTF-8")
	}
	for name, into := range map[string]*map[string]any{"variables": &params.Variables, "extensions": &params.Extensions} {
		if text := values.Get(name); text != "" {
			if err := decode([]byte(text), into); err != nil {
				return nil, err
			}
		}
	}
	return params, nil
}
