package extract

import (
	"encoding/json"
	"net/url"
	"strings"

	"codeberg.org/readeck/go-readability/v2"
	"github.com/markusmobius/go-trafilatura"
	"golang.org/x/net/html"
)

// candidate is one opinion on which text of a page is its body.
type candidate struct {
	key    string // the letters and digits of the text it chose
	weight float64
}

// opinions asks the extractors, each on its own copy of the page, and gives the metadata that trafilatura found.
func opinions(doc *html.Node, base *url.URL) ([]*candidate, trafilatura.Metadata) {
	var list []*candidate
	var meta trafilatura.Metadata
	add := func(text string) {
		if key := keyOf(text); len(key) > 0 {
			list = append(list, &candidate{key: key, weight: 1})
		}
	}
	for i, focus := range []trafilatura.ExtractionFocus{trafilatura.Balanced, trafilatura.FavorPrecision, trafilatura.FavorRecall} {
		result := ask(doc, base, focus)
		if result == nil {
			continue
		}
		if i == 0 || meta.Title == "" {
			meta = result.Metadata
		}
		add(treeText(result.ContentNode))
	}
	if article, err := readability.FromDocument(clone(doc), base); err == nil && article.Node != nil {
		add(treeText(article.Node))
	}
	add(articleBody(doc))
	return list, meta
}

// manyBlocks and muchText bound the pages that the extractors are asked about: their time grows with the square of a page's
// length, and a page so long is mostly its text.
const (
	manyBlocks = 3000
	muchText   = 1 << 20
)

func tooLong(shown []*block) bool {
	size := 0
	for _, block := range shown {
		size += len(block.text)
	}
	return len(shown) > manyBlocks || size > muchText
}

// ownOpinion takes the blocks of a very long page that are no links for its text.
func ownOpinion(shown []*block) []*candidate {
	var b strings.Builder
	for _, block := range shown {
		if block.linkShare() < 0.5 {
			b.WriteString(block.text)
		}
	}
	return []*candidate{{key: keyOf(b.String()), weight: 1}}
}

func ask(doc *html.Node, base *url.URL, focus trafilatura.ExtractionFocus) *trafilatura.ExtractResult {
	mode := trafilatura.Disabled
	if focus == trafilatura.Balanced {
		mode = trafilatura.Fast
	}
	result, err := trafilatura.ExtractDocument(clone(doc), trafilatura.Options{
		OriginalURL: base, EnableFallback: focus != trafilatura.FavorRecall, Focus: focus, ExcludeComments: true, HtmlDateMode: mode,
	})
	if err != nil || result.ContentNode == nil {
		return nil
	}
	return result
}

// treeText is the text of a tree's blocks; trafilatura keeps text in elements that browsers would not show, so nothing is left out.
func treeText(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return b.String()
}

func clone(n *html.Node) *html.Node {
	out := &html.Node{Type: n.Type, DataAtom: n.DataAtom, Data: n.Data, Namespace: n.Namespace, Attr: append([]html.Attribute(nil), n.Attr...)}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		out.AppendChild(clone(c))
	}
	return out
}

// articleBody is the text that the page's JSON-LD gives as its article's.
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

// linkedData lists every object of the page's JSON-LD, nested ones included.
func linkedData(doc *html.Node) []map[string]any {
	var list []map[string]any
	for n := range doc.Descendants() {
		if n.Data == "script" && strings.Contains(strings.ToLower(attr(n, "type")), "ld+json") && n.FirstChild != nil {
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

func attr(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}
