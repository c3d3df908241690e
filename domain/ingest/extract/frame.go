package extract

import (
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// isFrameBlock reports whether a block belongs to the page's frame: an ancestor with little of the
// chosen text is named as furniture, contains a form or has mostly links.
func (b *blockVotes) isFrameBlock(block *textBlock, chosen map[*html.Node]int, total int) bool {
	for n := block.node; n != nil && n.DataAtom != atom.Body; n = n.Parent {
		if isFrame(n) {
			return true
		}
		if chosen[n]*10 < total*3 && (b.nodes.furniture.get(n) || b.nodes.form.get(n) || b.isLinkList(n)) {
			return true
		}
	}
	return false
}

// holdsForm reports whether an element is or contains a form, such as a newsletter box.
func holdsForm(n *html.Node) bool {
	if n.DataAtom == atom.Form {
		return true
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.DataAtom == atom.Form {
			return true
		}
	}
	return false
}

// isFrame reports whether an element is navigation or the page's footer, which never contain the
// text.
func isFrame(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Nav:
		return true
	case atom.Footer:
		for p := n.Parent; p != nil; p = p.Parent {
			switch p.DataAtom {
			case atom.Article, atom.Blockquote, atom.Section, atom.Main:
				return false
			}
		}
		return true
	}
	return false
}

// isLinkList reports whether most of an element's visible text is links.
func (b *blockVotes) isLinkList(n *html.Node) bool {
	if b.shown == nil {
		b.shown, b.linked = map[*html.Node]int{}, map[*html.Node]int{}
		for _, block := range b.blocks {
			for p := block.node; p != nil; p = p.Parent {
				b.shown[p] += len(block.key)
				b.linked[p] += block.linked
			}
		}
	}
	return b.linked[n]*10 > b.shown[n]*6
}

// addStandfirst adds the sentence between the page's title and its text, which extractors mistake
// for a caption.
func (b *blockVotes) addStandfirst(in []bool, title string) {
	first := b.firstParagraph(in)
	top := b.titleAbove(first, title)
	if top < 0 || first == len(b.blocks) || first-top > nearTitle {
		return
	}
	for i := top + 1; i < first; i++ {
		block := b.blocks[i]
		if block.kind == paragraphBlock && block.letters() >= maxLabelLength/2 && endsSentence(block.text) &&
			block.linkShare() < 0.3 && !b.nodes.inNamedFurniture(block.node) {
			in[i] = true
		}
	}
}

// nearTitle is the maximum number of blocks between a title and its text.
const nearTitle = 8

func (b *blockVotes) titleAbove(first int, title string) int {
	key := keyOf(title)
	for i := min(first, len(b.blocks)) - 1; i >= 0; i-- {
		if block := b.blocks[i]; block.key == key || block.kind == headingBlock && block.level == 1 {
			return i
		}
	}
	return -1
}
