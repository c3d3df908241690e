package web_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"rostrum/platform/web"
)

func TestEntityTag(t *testing.T) {
	t.Parallel()
	whole := web.EntityTag([]byte("text of a body"))
	if parts := web.EntityTag([]byte("text "), nil, []byte("of a body")); parts != whole {
		t.Errorf("the tag of the parts is %s, of the whole %s", parts, whole)
	}
	if other := web.EntityTag([]byte("text of a Body")); other == whole {
		t.Errorf("two bodies have the tag %s", other)
	}
}

func TestSendUnchanged(t *testing.T) {
	t.Parallel()
	const tag = `"a-1"`
	for _, test := range []struct {
		known     []string
		unchanged bool
	}{
		{nil, false}, {[]string{tag}, true}, {[]string{"W/" + tag}, true}, {[]string{"*"}, true},
		{[]string{`"b-1", "a-1"`}, true}, {[]string{`"b-1"`, tag}, true},
		{[]string{`"b-1"`}, false}, {[]string{"a-1"}, false}, {[]string{""}, false},
	} {
		w, r := httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", http.NoBody)
		r.Header["If-None-Match"] = test.known
		sent := web.SendUnchanged(w, r, tag, web.Private)
		if sent != test.unchanged || sent != (w.Code == http.StatusNotModified) {
			t.Errorf("If-None-Match %q: %v with status %d", test.known, sent, w.Code)
		}
		if w.Header().Get("ETag") != tag || w.Header().Get("Cache-Control") != "private, no-cache" {
			t.Errorf("If-None-Match %q: %v", test.known, w.Header())
		}
	}
}
