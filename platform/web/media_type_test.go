package web

import (
	"net/http"
	"testing"
)

func TestAccept_Best(t *testing.T) {
	t.Parallel()
	offers := []string{"application/json", "text/event-stream"}
	for accept, want := range map[string]int{
		"":                                0,
		"*/*":                             0,
		"text/event-stream":               1,
		"text/*;q=0.5, application/json":  0,
		"text/event-stream, */*;q=0.1":    1,
		"text/event-stream;q=0, */*":      0,
		"application/json;q=0, text/*":    1,
		"TEXT/Event-Stream;Q=0.3":         1,
		"text/html":                       -1,
		"text/event-stream;q=0":           -1,
		"application/json;q=2":            -1,
		"application/json;q=nan":          -1,
		"*; q=.2, application/json, ;,/,": 0,
	} {
		if got := ParseAccept(http.Header{"Accept": {accept}}).Best(offers...); got != want {
			t.Errorf("%q: offer %d, want %d", accept, got, want)
		}
	}
}

func TestAccept_Names(t *testing.T) {
	t.Parallel()
	accept := ParseAccept(http.Header{"Accept": {"text/event-stream;q=0", "multipart/mixed;deferSpec=20220824, */*"}})
	for media, want := range map[string]bool{"multipart/mixed": true, "text/event-stream": false,
		"application/json": false} {
		if got := accept.Names(media); got != want {
			t.Errorf("%s: %t, want %t", media, got, want)
		}
	}
	if ParseAccept(nil).Names("application/json") {
		t.Error("a request without the header names a type")
	}
}

func TestParseContentType(t *testing.T) {
	t.Parallel()
	for header, want := range map[string]string{
		"Application/JSON; charset=UTF-8": "application/json",
		"application/json; charset=l1":    "",
		"application/json;;":              "",
		"":                                "",
	} {
		if got := ParseContentType(header); got != want {
			t.Errorf("%q: %q, want %q", header, got, want)
		}
	}
}
