package extract

import (
	"bytes"
	"testing"

	"golang.org/x/net/html"

	"rostrum/testkit/hostile"
)

// TestText_time_is_linear reads files with many equal parts in two sizes. Pages are read without the extractors of the libraries, as very
// long pages are.
func TestText_time_is_linear(t *testing.T) {
	t.Parallel()
	for _, page := range hostile.Pages {
		t.Run(page.Name, func(t *testing.T) {
			t.Parallel()
			hostile.CheckGrowth(t, 250, func(size int) func() {
				doc, err := html.Parse(bytes.NewReader(page.Make(size)))
				if err != nil {
					t.Fatal(err)
				}
				return func() { readLongPage(doc) }
			})
		})
	}
	for _, file := range hostile.Documents {
		t.Run(file.Name, func(t *testing.T) {
			t.Parallel()
			hostile.CheckGrowth(t, 5000, func(size int) func() {
				body := file.Make(size)
				return func() {
					if _, err := extractDOCX(body); err != nil {
						t.Error(err)
					}
				}
			})
		})
	}
}

func readLongPage(doc *html.Node) {
	openAccordions(doc)
	h := readHead(doc)
	title := h.bestTitle(h.firstProperty("og:site_name"), "example.com")
	shown, nodes := segmentBlocks(doc), newNodeFacts()
	chosen := countVotes(shown, linkFreeCandidate(shown), nodes).electBlocks(title)
	p := &wallDetector{doc: doc, title: h.title, shown: shown, chosen: chosen, facts: collectFacts(doc, nodes), nodes: nodes}
	_ = p.detectWall()
	p.withoutConsent()
	renderBlocks(p.chosen)
}
