package extract

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"rostrum/llm/text/script"
)

// simplifyPage removes text that the page strikes out, for example an older price, and replaces
// raised and lowered text and formulas by plain text of the same meaning, so that all extractors
// read the same words.
func simplifyPage(doc *html.Node) {
	var struck, scripts []*html.Node
	for n := range doc.Descendants() {
		switch n.DataAtom {
		case atom.Del, atom.S, atom.Strike:
			struck = append(struck, n)
		case atom.Sup, atom.Sub, atom.Math:
			scripts = append(scripts, n)
		default:
			if strings.Contains(attributeValue(n, "style"), "line-through") {
				struck = append(struck, n)
			}
		}
	}
	for _, n := range struck {
		n.Parent.RemoveChild(n)
	}
	for _, n := range scripts {
		if n.Parent != nil { // not in another one
			replaceScript(n)
		}
	}
}

// replaceScript replaces an element of raised or lowered text, or a formula, by its plain text. A
// fraction of a raised and a lowered number is replaced as a whole.
func replaceScript(n *html.Node) {
	last, next := neighbors(n)
	var text string
	switch slash, lowered := n.NextSibling, fractionEnd(n); {
	case n.DataAtom == atom.Math:
		text = newMathNode(n).line()
	case lowered != nil:
		text = script.Fraction(last, treeText(n), slash.Data, treeText(lowered))
		n.Parent.RemoveChild(slash)
		n.Parent.RemoveChild(lowered)
	case n.DataAtom == atom.Sub:
		text = script.Lowered(last, treeText(n), next)
	case marksNote(n) && !strings.HasPrefix(oneLine(treeText(n)), "["):
		text = script.NoteMark(oneLine(treeText(n)))
	default:
		text = script.Raised(last, treeText(n), next)
	}
	n.Parent.InsertBefore(&html.Node{Type: html.TextNode, Data: text}, n)
	for c := n.FirstChild; c != nil; c = n.FirstChild {
		n.RemoveChild(c) // so that elements within are not replaced too
	}
	n.Parent.RemoveChild(n)
}

// fractionEnd returns the lowered number behind a raised one and a slash, or nil.
func fractionEnd(n *html.Node) *html.Node {
	slash := n.NextSibling
	if n.DataAtom != atom.Sup || slash == nil || slash.Type != html.TextNode || !script.IsFractionSlash(slash.Data) {
		return nil
	}
	lowered := slash.NextSibling
	if lowered == nil || lowered.DataAtom != atom.Sub || !script.IsNumber(treeText(n)) || !script.IsNumber(treeText(lowered)) {
		return nil
	}
	return lowered
}

// marksNote reports whether raised text is a link to a note on the page.
func marksNote(n *html.Node) bool {
	isMark := func(n *html.Node) bool {
		return n.DataAtom == atom.A && strings.HasPrefix(attributeValue(n, "href"), "#")
	}
	for c := range n.Descendants() {
		if isMark(c) {
			return true
		}
	}
	return isMark(n.Parent)
}

// neighbors returns the characters before and behind an element on its line, and 0 for none.
func neighbors(n *html.Node) (last, next rune) {
	before := n
	for before.PrevSibling == nil && before.Parent != nil && !blockElements[before.Parent.DataAtom] {
		before = before.Parent
	}
	before = before.PrevSibling
	for before != nil && before.Type == html.ElementNode && !blockElements[before.DataAtom] {
		before = before.LastChild
	}
	if before != nil && before.Type == html.TextNode && before.Data != "" {
		last, _ = utf8.DecodeLastRuneInString(before.Data)
	}
	if after := n.NextSibling; after != nil && after.Type == html.TextNode && after.Data != "" {
		next, _ = utf8.DecodeRuneInString(after.Data)
	}
	return last, next
}
