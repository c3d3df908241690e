package rest_test

import (
	"net/url"
	"strings"
	"testing"
)

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
