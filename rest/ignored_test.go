package rest_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// TestIgnoredMembers checks that a body's members without effect are named, and refused on request.
func TestIgnoredMembers(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	for _, c := range []struct{ method, path, body, names, pointers string }{
		{"PATCH", "/api/v1/documents/doc_1", `{"title":"Tide","word_count":1,"language":"de","bogus":1}`, "bogus, language, word_count",
			"#/bogus #/language #/word_count"},
		{"PATCH", "/api/v1/documents/doc_1", `{"title":"Tide"}`, "", ""},
		{"POST", "/api/v1/content-creation/drafts",
			`{"title":"Tide","pull_through_priorities":[{"text":"b","colour/x":"c"}]}`,
			"pull_through_priorities/0/colour%2Fx", "#/pull_through_priorities/0/colour~1x"},
		{"POST", "/api/v1/documents", `{"title":"Tide","content":"x","` + strings.Repeat("n", 300) + `":1}`,
			strings.Repeat("n", 100), "#/" + strings.Repeat("n", 300)},
	} {
		if names := s.do(t, c.method, c.path, c.body).Header.Get("Ignored-Members"); names != c.names {
			t.Errorf("%s %s %.60s names %q, want %q", c.method, c.path, c.body, names, c.names)
		}
		got := s.do(t, c.method, c.path, c.body, "Prefer: respond-async, Handling=Strict; x=1")
		var problem struct{ Errors []struct{ Pointer string } }
		_ = json.Unmarshal([]byte(got.body), &problem)
		var pointers []string
		for _, e := range problem.Errors {
			pointers = append(pointers, e.Pointer)
		}
		isRefused := got.StatusCode == http.StatusUnprocessableEntity
		if strings.Join(pointers, " ") != c.pointers || isRefused != (c.pointers != "") {
			t.Errorf("strictly, %s %s %.60s is %d and refuses %q", c.method, c.path, c.body, got.StatusCode, pointers)
		}
		if got.Header.Get("Preference-Applied") != "handling=strict" {
			t.Errorf("%s %s does not say that it is strict", c.method, c.path)
		}
	}
	got := s.do(t, "GET", "/api/v1/documents/count?colour=blue", "", "Prefer: handling=strict")
	if got.StatusCode != http.StatusUnprocessableEntity {
		t.Errorf("an unknown parameter is %d strictly", got.StatusCode)
	}
}

func TestIgnoredParameters(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	many := url.Values{}
	for _, letter := range strings.Split("abcdefghijklmnopqrstuvwxyz", "") {
		many.Set("x"+letter, "1")
	}
	for _, c := range []struct{ method, path, want string }{
		{"GET", "/api/v1/documents/count?q=sea&tag=a", ""},
		{"GET", "/api/v1/documents/count", ""},
		{"GET", "/api/v1/documents/count?q=sea&Zone=1&colour=blue&colour=red", "Zone, colour"},
		{"GET", "/api/v1/documents/count?per_page=0", "per_page"},
		{"GET", "/api/v1/documents/count?a%20b%0d%0aX-Evil:%201", "a+b%0D%0AX-Evil%3A+1"},
		{"GET", "/api/v1/documents/count?" + strings.Repeat("n", 300), strings.Repeat("n", 100)},
		{"GET", "/api/v1/documents/count?" + many.Encode(),
			"xa, xb, xc, xd, xe, xf, xg, xh, xi, xj, xk, xl, xm, xn, xo, xp, xq, xr, xs, xt"},
		{"GET", "/api/v1/documents?page=0&colour=blue", "colour"}, // with the error of page
		{"HEAD", "/api/v1/documents/count?colour=blue", "colour"},
		{"DELETE", "/api/v1/documents/doc_1?colour=blue", "colour"},
		{"DELETE", "/api/public/auth/session?colour=blue", "colour"},
	} {
		got := s.do(t, c.method, c.path, "").Header
		if names := got.Get("Ignored-Parameters"); names != c.want || got.Get("X-Evil") != "" {
			t.Errorf("%s %.60s names %q, want %q", c.method, c.path, names, c.want)
		}
	}
}
