package extract_test

import (
	"slices"
	"strings"
	"testing"

	"rostrum/domain/ingest/extract"
)

func TestFeedLinks(t *testing.T) {
	t.Parallel()
	page := `<!doctype html><html><head><base href="https://example.com/press/">
<link rel="stylesheet" href="style.css"><link rel="alternate" hreflang="de" href="/de/">
<link rel="Alternate" type="application/rss+xml; charset=utf-8" href="feed.xml"/>
<link rel="alternate" type="application/rss+xml" href="feed.xml">
<link rel="alternate" type="application/atom+xml" href="https://other.example/atom">
<link rel="alternate" type="application/feed+json" href="/feed.json">
<link rel="alternate" type="application/rss+xml" href="mailto:x@example.com"></head><body>text</body></html>`
	got := extract.FeedLinks(extract.Source{URL: "https://example.com/", Body: []byte(page)})
	want := []string{"https://example.com/press/feed.xml", "https://other.example/atom", "https://example.com/feed.json"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	many := strings.Repeat(`<link rel="alternate" type="application/rss+xml" href="/a">`, 3)
	for n := range 20 {
		many += `<link rel="alternate" type="application/rss+xml" href="/` + strings.Repeat("x", n+1) + `">`
	}
	if got := extract.FeedLinks(extract.Source{URL: "https://example.com/", Body: []byte(many)}); len(got) != 10 {
		t.Errorf("got %d feeds", len(got))
	}
}
