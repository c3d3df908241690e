package link

import (
	"strings"
	"testing"
)

func TestNewSlug(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for range 1000 {
		slug := newSlug()
		if len(slug) != slugLength || checkSlug(slug) != "" || strings.ContainsAny(slug, "01ilo") || seen[slug] {
			t.Fatalf("generated %q", slug)
		}
		seen[slug] = true
	}
}

func FuzzCheckSlug(f *testing.F) {
	for _, slug := range []string{"a", "Launch-26", "-a", "a-", "", "static", "STATIC", "a/b", "a b", "ä", "a%2f",
		strings.Repeat("a", 64), strings.Repeat("a", 65), "a.b", "a\n"} {
		f.Add(slug)
	}
	f.Fuzz(func(t *testing.T, slug string) {
		if checkSlug(slug) != "" {
			return
		}
		if len(slug) < 1 || len(slug) > 64 || strings.ContainsAny(slug, "/?#%.;&=\"'<> \n\r\t\\") ||
			foldSlug(slug) == "static" {
			t.Errorf("%q is accepted as a slug", slug)
		}
		for _, c := range slug {
			if c > 'z' {
				t.Errorf("%q is accepted as a slug", slug)
			}
		}
	})
}
