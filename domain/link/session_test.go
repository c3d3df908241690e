package link

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

func TestSigner(t *testing.T) {
	t.Parallel()
	g, now := newSigner([]byte("secret")), time.Now()
	id := g.newID("lnk_1")
	cookie := g.cookieHeader(viewerSession{id, "var_1"}, "lnk_1", "/l/x", true, now)
	value, rest, _ := strings.Cut(strings.TrimPrefix(cookie, Cookie+"="), ";")
	if rest != " Path=/l/x; Max-Age=1800; HttpOnly; SameSite=Lax; Secure" {
		t.Errorf("the cookie is %s", cookie)
	}
	read := func(g *sessionSigner, value, linkID string, at time.Time) (viewerSession, bool) {
		return g.readCookie(&http.Request{Header: http.Header{"Cookie": {"a=b; " + Cookie + "=" + value}}}, linkID, at)
	}
	if v, ok := read(g, value, "lnk_1", now.Add(sessionLifetime-2*time.Second)); !ok ||
		v != (viewerSession{id, "var_1"}) {
		t.Errorf("read %+v, %t", v, ok)
	}
	for name, ok := range map[string]bool{
		"over":             secondValue(read(g, value, "lnk_1", now.Add(sessionLifetime))),
		"of another link":  secondValue(read(g, value, "lnk_2", now)),
		"of another key":   secondValue(read(newSigner([]byte("other")), value, "lnk_1", now)),
		"of another side":  secondValue(read(g, strings.Replace(value, "var_1", "var_2", 1), "lnk_1", now)),
		"cut":              secondValue(read(g, value[:len(value)-1], "lnk_1", now)),
		"empty":            secondValue(read(g, "", "lnk_1", now)),
		"id: another link": g.isGenuine(id, "lnk_2", now),
		"id: too old":      g.isGenuine(id, "lnk_1", now.Add(confirmWindow+time.Second)),
		"id: changed":      g.isGenuine(strings.Replace(id, id[4:6], "zz", 1), "lnk_1", now),
		"id: short":        g.isGenuine(id[:10], "lnk_1", now),
	} {
		if ok {
			t.Errorf("a session that is %s is accepted", name)
		}
	}
	if !g.isGenuine(id, "lnk_1", now) {
		t.Error("a valid id is not accepted")
	}
}

func secondValue[A, B any](_ A, b B) B { return b }

func TestDraw(t *testing.T) {
	t.Parallel()
	sides := &linkTarget{total: 10, variants: []*splitSide{{id: "a", weight: 7}, {id: "b", weight: 0},
		{id: "c", weight: 3}}}
	drawn := map[string]int{}
	for range 10_000 {
		drawn[sides.drawSide().id]++
	}
	if drawn["b"] != 0 || drawn["a"] < 6_700 || drawn["a"] > 7_300 || drawn["a"]+drawn["c"] != 10_000 {
		t.Errorf("drawn %v", drawn)
	}
	if none := (&linkTarget{}).drawSide(); none != nil {
		t.Errorf("drawn %v of no split test", none)
	}
}

// TestInitialRequest checks which requests can open a link: those of a browser that shows the
// response, from its start.
func TestInitialRequest(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"": true, "Sec-Fetch-Dest: document": true, "Sec-Fetch-Dest: iframe": true, "Sec-Fetch-Dest: video": true,
		"Range: bytes=0-": true, "Range: bytes=100-": false, "Sec-Fetch-Dest: image": false,
		"Sec-Fetch-Dest: empty": false, "Sec-Fetch-Dest: script": false,
	} {
		r := &http.Request{Header: http.Header{}}
		if key, value, ok := strings.Cut(name, ": "); ok {
			r.Header.Set(key, value)
		}
		if got := isInitialRequest(r); got != want {
			t.Errorf("a request with %q can open a link: %t", name, got)
		}
	}
}
