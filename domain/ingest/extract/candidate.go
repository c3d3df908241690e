package extract

import (
	"encoding/json"
	"net/url"
	"strings"

	"codeberg.org/readeck/go-readability/v2"
	"github.com/markusmobius/go-trafilatura"
	"golang.org/x/net/html"
)

// bodyCandidate is an extractor's choice of the page's body text.
type bodyCandidate struct {
	key    string // the letters and digits of the chosen text
	weight float64
}

// collectCandidates runs the extractors, each on its own copy of the page, and returns the metadata of trafilatura.
func collectCandidates(doc *html.Node, base *url.URL) ([]*bodyCandidate, trafilatura.Metadata) {
	var list []*bodyCandidate
	var meta trafilatura.Metadata
	add := func(text string) {
		if key := keyOf(text); len(key) > 0 {
			list = append(list, &bodyCandidate{key: key, weight: 1})
		}
	}
	for i, focus := range []trafilatura.ExtractionFocus{trafilatura.Balanced, trafilatura.FavorPrecision, trafilatura.FavorRecall} {
		result := runTrafilatura(doc, base, focus)
		if result == nil {
			continue
		}
		if i == 0 || meta.Title == "" {
			meta = result.Metadata
		}
		add(treeText(result.ContentNode))
	}
	if article, err := readability.FromDocument(cloneTree(doc), base); err == nil && article.Node != nil {
		add(treeText(article.Node))
	}
	add(articleBody(doc))
	return list, meta
}

// manyBlocks and muchText limit the pages that the extractors process: their time grows with the square of a page's length, and most of a
// longer page is its text.
const (
	manyBlocks = 3000
	muchText   = 1 << 20
)

func tooLong(shown []*textBlock) bool {
	size := 0
	for _, block := range shown {
		size += len(block.text)
	}
	return len(shown) > manyBlocks || size > muchText
}

// linkFreeCandidate returns the blocks of a very long page that are not links.
func linkFreeCandidate(shown []*textBlock) []*bodyCandidate {
	var b strings.Builder
	for _, block := range shown {
		if block.linkShare() < 0.5 {
			b.WriteString(block.text)
		}
	}
	return []*bodyCandidate{{key: keyOf(b.String()), weight: 1}}
}

func runTrafilatura(doc *html.Node, base *url.URL, focus trafilatura.ExtractionFocus) *trafilatura.ExtractResult {
	mode := trafilatura.Disabled // never Extensive, whose parser of dates is not part of the program: see the folder dateparser
	if focus == trafilatura.Balanced {
		mode = trafilatura.Fast
	}
	result, err := trafilatura.ExtractDocument(cloneTree(doc), trafilatura.Options{
		OriginalURL: base, EnableFallback: focus != trafilatura.FavorRecall, Focus: focus, ExcludeComments: true, HtmlDateMode: mode,
	})
	if err != nil || result.ContentNode == nil {
		return nil
	}
	return result
}

// treeText returns the text of all blocks of a tree. Trafilatura keeps text in elements that browsers hide, so nothing is omitted.
func treeText(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return b.String()
}

func cloneTree(n *html.Node) *html.Node {
	out := &html.Node{Type: n.Type, DataAtom: n.DataAtom, Data: n.Data, Namespace: n.Namespace, Attr: append([]html.Attribute(nil), n.Attr...)}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		out.AppendChild(cloneTree(c))
	}
	return out
}

// articleBody returns the article's text in the page's JSON-LD.
func articleBody(doc *html.Node) string {
	longest := ""
	for _, object := range linkedData(doc) {
		if body, ok := object["articleBody"].(string); ok && len(body) > len(longest) {
			longest = body
		}
	}
	if strings.Contains(longest, "</") {
		if fragment, err := html.Parse(strings.NewReader(longest)); err == nil {
			return treeText(fragment)
		}
	}
	return longest
}

// linkedData returns every object of the page's JSON-LD, including nested objects.
func linkedData(doc *html.Node) []map[string]any {
	var list []map[string]any
	for n := range doc.Descendants() {
		if n.Data == "script" && strings.Contains(strings.ToLower(attributeValue(n, "type")), "ld+json") && n.FirstChild != nil {
			var value any
			if json.Unmarshal([]byte(strings.TrimSpace(n.FirstChild.Data)), &value) == nil {
				list = appendObjects(list, value, 0)
			}
		}
	}
	return list
}

func appendObjects(list []map[string]any, value any, depth int) []map[string]any {
	if depth > 8 {
		return list
	}
	switch v := value.(type) {
	case map[string]any:
		list = append(list, v)
		for _, member := range v {
			list = appendObjects(list, member, depth+1)
		}
	case []any:
		for _, element := range v {
			list = appendObjects(list, element, depth+1)
		}
	}
	return list
}

func attributeValue(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}
