package extract

import (
	"bytes"
	"net/url"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// TestCollectCandidates_doubt counts the extractors' choices: trafilatura runs only if
// readability's choice leaves text of the page out or has text of its frame.
func TestCollectCandidates_doubt(t *testing.T) {
	t.Parallel()
	paragraph := "<p>The harbour opens a second quay in spring, and the ferry to the islands leaves from there twice a day until the end of October.</p>"
	article := "<article><h1>A second quay</h1>" + strings.Repeat(paragraph, 6) + "</article>"
	hours := "<div><ul>" + strings.Repeat("<li>The office is open from nine to five</li>", 6) + "</ul></div>"
	linked := `<script type="application/ld+json">{"@type":"Article","articleBody":"A wholly different text, which the page does not show."}</script>`
	for name, c := range map[string]struct {
		page    string
		further bool // whether trafilatura runs
	}{
		"an article alone":            {article, false},
		"an article with navigation":  {"<nav><a href=/>Home</a> <a href=/port>Port</a></nav>" + article, false},
		"a short text":                {"<article><h1>A second quay</h1>" + paragraph + "</article>", true},
		"a list outside the article":  {article + hours, true},
		"another text in the JSON-LD": {linked + article, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			doc, err := html.Parse(strings.NewReader("<html lang=en><title>A second quay</title><body>" + c.page))
			if err != nil {
				t.Fatal(err)
			}
			before := renderTree(t, doc)
			s := &bodySearch{
				doc: doc, base: &url.URL{Scheme: "https", Host: "example.com"}, title: "A second quay",
				objects: linkedData(doc),
				shown:   segmentBlocks(doc), nodes: newNodeFacts(),
			}
			list := s.collectCandidates()
			if further := s.found != nil; further != c.further || len(list) == 0 ||
				!strings.Contains(list[0].key, "theharbouropensasecondquay") {
				t.Errorf("trafilatura has run: %t, %d candidates", further, len(list))
			}
			if s.metadata(); renderTree(t, doc) != before {
				t.Error("an extractor has changed the page, which the others read too")
			}
		})
	}
}

func renderTree(t *testing.T, doc *html.Node) string {
	t.Helper()
	var b bytes.Buffer
	if err := html.Render(&b, doc); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
