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
	cookie := g.cookie(session{id, "var_1"}, "lnk_1", "/l/x", true, now)
	value, rest, _ := strings.Cut(strings.TrimPrefix(cookie, Cookie+"="), ";")
	if rest != " Path=/l/x; Max-Age=1800; HttpOnly; SameSite=Lax; Secure" {
		t.Errorf("the cookie is %s", cookie)
	}
	read := func(g *signer, value, linkID string, at time.Time) (session, bool) {
		return g.read(&http.Request{Header: http.Header{"Cookie": {"a=b; " + Cookie + "=" + value}}}, linkID, at)
	}
	if v, ok := read(g, value, "lnk_1", now.Add(sessionTime-2*time.Second)); !ok || v != (session{id, "var_1"}) {
		t.Errorf("read %+v, %t", v, ok)
	}
	for name, ok := range map[string]bool{
		"over":             second(read(g, value, "lnk_1", now.Add(sessionTime))),
		"of another link":  second(read(g, value, "lnk_2", now)),
		"of another key":   second(read(newSigner([]byte("other")), value, "lnk_1", now)),
		"of another side":  second(read(g, strings.Replace(value, "var_1", "var_2", 1), "lnk_1", now)),
		"cut":              second(read(g, value[:len(value)-1], "lnk_1", now)),
		"empty":            second(read(g, "", "lnk_1", now)),
		"id: another link": g.genuine(id, "lnk_2", now),
		"id: too old":      g.genuine(id, "lnk_1", now.Add(confirmTime+time.Second)),
		"id: changed":      g.genuine(strings.Replace(id, id[4:6], "zz", 1), "lnk_1", now),
		"id: short":        g.genuine(id[:10], "lnk_1", now),
	} {
		if ok {
			t.Errorf("a session that is %s is believed", name)
		}
	}
	if !g.genuine(id, "lnk_1", now) {
		t.Error("a genuine id is not believed")
	}
}

func second[A, B any](_ A, b B) B { return b }

func TestDraw(t *testing.T) {
	t.Parallel()
	sides := &target{total: 10, variants: []*side{{id: "a", weight: 7}, {id: "b", weight: 0}, {id: "c", weight: 3}}}
	drawn := map[string]int{}
	for range 10_000 {
		drawn[sides.draw().id]++
	}
	if drawn["b"] != 0 || drawn["a"] < 6_700 || drawn["a"] > 7_300 || drawn["a"]+drawn["c"] != 10_000 {
		t.Errorf("drawn %v", drawn)
	}
	if none := (&target{}).draw(); none != nil {
		t.Errorf("drawn %v of no split test", none)
	}
}
