package extract

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"codeberg.org/readeck/go-readability/v2"
	"github.com/markusmobius/go-trafilatura"
	"golang.org/x/net/html"
)

// bodyCandidate is an extractor's choice of the page's body text.
type bodyCandidate struct {
	key    string // the letters and digits of the chosen text
	weight float64
	held   []bool // whether the text has each block; nil until first use
}

func (c *bodyCandidate) heldBlocks(blocks []*textBlock) []bool {
	if c.held == nil {
		c.held = matchBlocks(blocks, c.key)
	}
	return c.held
}

// bodySearch finds the body text of a page. It runs the extractors in the order of their time, and
// the next one only while the result is in doubt: readability takes a tenth of the time of the
// three runs of trafilatura.
type bodySearch struct {
	doc      *html.Node
	base     *url.URL
	title    string
	objects  []map[string]any // of the page's JSON-LD
	shown    []*textBlock
	chosen   []*textBlock // the text
	nodes    *nodeFacts
	readable *html.Node            // readability's choice; nil if it has none
	found    *trafilatura.Metadata // nil until trafilatura has run
}

// sureAgreement is the agreement of candidates from which further ones hardly change the result:
// those of all labeled pages with more have the same figures of bench/quality with and without the
// other runs.
const sureAgreement = 0.95

// collectCandidates returns the choices of the extractors that have run.
func (s *bodySearch) collectCandidates() []*bodyCandidate {
	var article []*bodyCandidate
	if parsed, err := readability.FromDocument(s.doc, s.base); err == nil && parsed.Node != nil {
		article, s.readable = appendCandidate(article, treeText(parsed.Node)), parsed.Node
	}
	sure := len(article) == 1 && s.coversText(article[0])
	article = appendCandidate(article, articleBody(s.objects))
	if sure && s.agree(article) {
		return article
	}
	balanced := s.runTrafilatura(trafilatura.Balanced)
	if list := slices.Concat(balanced, article); len(list) > 1 && len(balanced) == 1 && s.agree(list) {
		return list
	}
	list := slices.Concat(balanced, s.runTrafilatura(trafilatura.FavorPrecision),
		s.runTrafilatura(trafilatura.FavorRecall), article)
	if s.found == nil {
		s.found = &trafilatura.Metadata{} // no run has found text
	}
	return list
}

// agree reports whether all candidates choose nearly the same blocks.
func (s *bodySearch) agree(list []*bodyCandidate) bool {
	for _, other := range list[1:] {
		if agreementScore(s.shown, list[0].heldBlocks(s.shown), other.heldBlocks(s.shown)) < sureAgreement {
			return false
		}
	}
	return true
}

// The limits within which readability's choice is certain: it has the length of several paragraphs,
// and at most a twentieth of it is in doubt.
const (
	fewestSure = 500 // bytes of keys
	sureShare  = 20
)

// coversText reports whether a candidate has the paragraphs of the page outside its frame and
// nothing of the frame.
func (s *bodySearch) coversText(c *bodyCandidate) bool {
	sure, doubtful, titleKey := 0, 0, keyOf(s.title)
	for i, held := range c.heldBlocks(s.shown) {
		block := s.shown[i]
		framed := block.linkShare() >= 0.5 || s.nodes.inNamedFurniture(block.node)
		switch {
		case held && !framed:
			sure += len(block.key)
		case held || !framed && block.key != titleKey:
			doubtful += len(block.key)
		}
	}
	return sure >= fewestSure && doubtful*sureShare <= sure
}

func appendCandidate(list []*bodyCandidate, text string) []*bodyCandidate {
	if key := keyOf(text); key != "" {
		list = append(list, &bodyCandidate{key: key, weight: 1})
	}
	return list
}

// manyBlocks and muchText limit the pages that the extractors process: their time grows with the
// square of a page's length, and most of a longer page is its text.
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

// runTrafilatura returns the choice of one run, and no candidate if the run finds no text.
func (s *bodySearch) runTrafilatura(focus trafilatura.ExtractionFocus) []*bodyCandidate {
	options := trafilatura.Options{
		OriginalURL: s.base, EnableFallback: focus != trafilatura.FavorRecall, Focus: focus, ExcludeComments: true,
		// never Extensive, whose parser of dates is not part of the program: see the folder dateparser
		HtmlDateMode: trafilatura.Disabled,
	}
	if focus == trafilatura.Balanced { // the others compare their choice with readability's of a part of the page
		options.HtmlDateMode, options.FallbackCandidates = trafilatura.Fast,
			&trafilatura.FallbackCandidates{Readability: s.readable}
	}
	result, err := trafilatura.ExtractDocument(s.doc, options)
	if err != nil || result.ContentNode == nil {
		return nil
	}
	if s.found == nil || s.found.Title == "" {
		s.found = &result.Metadata
	}
	return appendCandidate(nil, treeText(result.ContentNode))
}

// metadata returns the properties of the page that trafilatura finds, without its text if it has
// not run.
func (s *bodySearch) metadata() trafilatura.Metadata {
	if s.found == nil {
		s.found = &trafilatura.Metadata{}
		result, err := trafilatura.ExtractDocument(s.doc, trafilatura.Options{
			OriginalURL: s.base, ExcludeComments: true, HtmlDateMode: trafilatura.Fast, PruneSelector: "body > *",
			Config: &trafilatura.Config{}, // an empty body is no error
		})
		if err == nil {
			s.found = &result.Metadata
		}
	}
	return *s.found
}

// treeText returns the text of all blocks of a tree. Trafilatura keeps text in elements that
// browsers hide, so nothing is omitted.
func treeText(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return b.String()
}

// articleBody returns the article's text in the page's JSON-LD.
func articleBody(objects []map[string]any) string {
	longest := ""
	for _, object := range objects {
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
		if n.Data == "script" && strings.Contains(strings.ToLower(attributeValue(n, "type")), "ld+json") &&
			n.FirstChild != nil {
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
