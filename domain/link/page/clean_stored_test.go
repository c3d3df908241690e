package page

import (
	"crypto/sha256"
	"io"
	"strings"
	"testing"
)

// TestRender_cleans_once shows a body twice, and one that would not fit in the cache.
func TestRender_cleans_once(t *testing.T) {
	body := strings.Repeat(`<p onclick="x()">hello <b>there</b></p>`, 100) + "<script>alert(1)</script>"
	show := func(body string) {
		t.Helper()
		if err := Render(io.Discard, Page{Title: "t", Body: body}); err != nil {
			t.Fatal(err)
		}
	}
	show(body)
	kept, ok := cleanBodies.Get(sha256.Sum256([]byte(body)))
	if !ok || kept != Clean(body) {
		t.Errorf("the kept body is %.80q, %t", kept, ok)
	}
	const marked = "the kept body is shown"
	cleanBodies.Add(sha256.Sum256([]byte(body)), marked, len(marked))
	var out strings.Builder
	if err := Render(&out, Page{Title: "t", Body: body}); err != nil || !strings.Contains(out.String(), marked) {
		t.Errorf("the body was cleaned again: %v", err)
	}
	if show(body + " "); strings.Contains(cleanStored(body+" "), marked) {
		t.Error("a changed body shows the kept one")
	}
	show(strings.Repeat("a", keptBodiesSize+1))
	if size := cleanBodies.Bytes(); size > keptBodiesSize {
		t.Errorf("%d bytes are kept", size)
	}
}
