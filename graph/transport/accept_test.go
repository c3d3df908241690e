package transport

import (
	"net/http"
	"testing"

	"rostrum/graph/incremental"
)

func TestAccept(t *testing.T) {
	t.Parallel()
	for header, want := range map[string]acceptedFormats{
		"application/json, application/graphql-response+json;q=0.9": {json: typeJSON},
		"application/graphql-response+json, application/json;q=0.9": {json: typeResponse},
		"application/json;q=0.1, application/graphql-response+json": {json: typeResponse},
		"text/event-stream": {stream: true},
		"multipart/mixed;deferSpec=20220824, application/json":  {json: typeJSON, mixed: true},
		"multipart/mixed;incrementalSpec=v0.2,application/json": {json: typeJSON, mixed: true, spec: incremental.SpecV02},
		"text/event-stream;incrementalSpec=v0.2":                {stream: true, spec: incremental.SpecV02},
		"application/json;q=0":                                  {},
		"application/graphql-response+json, application/json, text/event-stream, multipart/mixed": {json: typeResponse,
			stream: true, mixed: true},
	} {
		if got := parseAccept(http.Header{"Accept": {header}}); got != want {
			t.Errorf("%s: %+v, want %+v", header, got, want)
		}
	}
}
