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
		if len(slug) != slugLength || CheckSlug(slug) != "" || strings.ContainsAny(slug, "01ilo") || seen[slug] {
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
		if CheckSlug(slug) != "" {
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

// TestAsciiURL writes destinations as the header Location has them.
func TestAsciiURL(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"https://www.tübingen-fahrplan.example/straße/über uns?q=käse&x=1+2": "https://www.xn--tbingen-fahrplan-jzb.example/stra%C3%9Fe/%C3%BCber%20uns?q=k%C3%A4se&x=1+2",
		"https://x.example:8080/a%2520b?c=%20#/inbox":                        "https://x.example:8080/a%2520b?c=%20#/inbox",
		"https://x.example/\u202ea\u200b":                                    "https://x.example/%E2%80%AEa%E2%80%8B",
		"https://x.example/?id={session_id}&t=é":                             "https://x.example/?id={session_id}&t=%C3%A9",
		"https://[::1]:8080/ä":                                               "https://[::1]:8080/%C3%A4",
		"https://x.example":                                                  "https://x.example",
	} {
		if got := asciiURL(address); got != want {
			t.Errorf("%s: %s, want %s", address, got, want)
		}
	}
}

// TestFoldSlug drops the punctuation that stands behind an address in a sentence.
func TestFoldSlug(t *testing.T) {
	t.Parallel()
	for _, slug := range []string{"Launch-26", "launch-26.", "launch-26),", "LAUNCH-26?!"} {
		if got := foldSlug(slug); got != "launch-26" {
			t.Errorf("%s: %s", slug, got)
		}
	}
}
