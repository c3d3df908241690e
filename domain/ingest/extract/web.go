package extract

import (
	"net/url"
	"strings"

	"github.com/markusmobius/go-trafilatura"
	"golang.org/x/net/html"

	"rostrum/model"
)

// webpage extracts the text of an HTML page, or the wall that stands in its place.
func webpage(source Source) (*Result, error) {
	doc, err := html.Parse(strings.NewReader(decode(source.Body, source.MediaType, true)))
	if err != nil {
		return nil, unsupported("the page could not be parsed", err)
	}
	openAccordions(doc)
	base, err := url.Parse(source.URL)
	if err != nil || base.Host == "" {
		base = &url.URL{Scheme: "https", Host: "localhost"}
	}
	h := readHead(doc)
	site := h.property("og:site_name", "application-name")
	title := h.bestTitle(site, base.Hostname())
	shown := segment(doc)
	chosen, found := elected(doc, base, shown, title)
	p := &page{doc: doc, title: h.title, shown: shown, chosen: chosen, facts: look(doc)}
	if failure := p.wall(); failure != nil {
		return nil, failure
	}
	if p.withoutConsent(); isLinkList(p.chosen) {
		return nil, fail(model.ProcessingErrorCodeNoText, "the page only leads to other pages; supply the text to go on")
	}
	if title == "" {
		title = found.Title
	}
	published := h.published(doc, found)
	return &Result{ContentType: "webpage", Title: title, Author: h.author(doc, found), Language: h.lang, Published: published,
		Content: render(p.chosen), Meta: h.meta(source.host(), site, published)}, nil
}

func (s Source) host() string {
	u, err := url.Parse(s.URL)
	if err != nil {
		return ""
	}
	return strings.ToLower(u.Hostname())
}

// elected chooses the blocks that are the page's text.
func elected(doc *html.Node, base *url.URL, shown []*block, title string) ([]*block, trafilatura.Metadata) {
	if tooLong(shown) {
		return vote(shown, ownOpinion(shown)).elect(title), trafilatura.Metadata{}
	}
	list, meta := opinions(doc, base)
	return vote(shown, list).elect(title), meta
}

// majority is the share of the opinions that makes a block text.
const majority = 0.5

// elect gives the blocks that are text: those with a majority, without furniture, and what lies between them.
func (b *ballot) elect(title string) []*block {
	in := make([]bool, len(b.blocks))
	for i := range b.blocks {
		in[i] = b.score[i]-linkPenalty(b.blocks[i]) >= majority && b.blocks[i].kind != caption
	}
	chosen := chosenLengths(b.blocks, in)
	total := chosen[nil]
	for i, block := range b.blocks {
		in[i] = in[i] && !b.beside(block, chosen, total)
	}
	b.fill(in, chosen, total)
	b.standfirst(in, title)
	b.trim(in, title)
	b.trimHeadings(in)
	var out []*block
	for i, block := range b.blocks {
		if in[i] {
			out = append(out, block)
		}
	}
	return out
}

// linkPenalty makes a line that is mostly a link need more opinions: most of them lead elsewhere.
func linkPenalty(b *block) float64 {
	if b.linkShare() > 0.7 && b.kind != heading {
		return 0.4
	}
	return 0
}

// chosenLengths counts the chosen text below each element; under nil stands the sum.
func chosenLengths(blocks []*block, in []bool) map[*html.Node]int {
	lengths := map[*html.Node]int{}
	for i, b := range blocks {
		if !in[i] {
			continue
		}
		lengths[nil] += len(b.key)
		for n := b.node; n != nil; n = n.Parent {
			lengths[n] += len(b.key)
		}
	}
	return lengths
}

// fill takes in what most opinions dropped although it stands between chosen blocks of the same element: headings, short
// lines, lists, tables and code. A paragraph that nobody chose, in an element of which nobody chose anything, is left out.
func (b *ballot) fill(in []bool, chosen map[*html.Node]int, total int) {
	last := -1
	for i := range b.blocks {
		if !in[i] {
			continue
		}
		if last >= 0 && i-last > 1 && i-last <= 40 {
			b.fillGap(in, last, i, chosen, total)
		}
		last = i
	}
}

func (b *ballot) fillGap(in []bool, from, to int, chosen map[*html.Node]int, total int) {
	home := common(b.blocks[from].node, b.blocks[to].node)
	if home == nil {
		return
	}
	small := chosen[home]*2 < total // one of several elements that the text is in: only headings that some chose
	for i := from + 1; i < to; i++ {
		block := b.blocks[i]
		unasked := b.score[i] == 0 && block.kind == paragraph && chosen[container(block.node)] == 0
		if small && (block.kind != heading || b.score[i] == 0) {
			continue
		}
		if !unasked && block.linkShare() < 0.5 && !b.beside(block, chosen, total) && within(block.node, home) {
			in[i] = true
		}
	}
}

// trimHeadings drops headings with no text under them at the end.
func (b *ballot) trimHeadings(in []bool) {
	for i := len(b.blocks) - 1; i >= 0; i-- {
		if in[i] && b.blocks[i].kind != heading {
			return
		}
		in[i] = false
	}
}

func common(a, b *html.Node) *html.Node {
	above := map[*html.Node]bool{}
	for ; a != nil; a = a.Parent {
		above[a] = true
	}
	for ; b != nil && !above[b]; b = b.Parent {
	}
	return b
}

func within(n, ancestor *html.Node) bool {
	for ; n != nil; n = n.Parent {
		if n == ancestor {
			return true
		}
	}
	return false
}

// render writes blocks as text: paragraphs apart by an empty line, items and rows on lines of their own.
func render(blocks []*block) string {
	var out strings.Builder
	for i, b := range blocks {
		if i > 0 {
			out.WriteString("\n")
			if previous := blocks[i-1].kind; previous != b.kind || b.kind != item && b.kind != row {
				out.WriteString("\n")
			}
		}
		if b.kind == item {
			out.WriteString("- ")
		}
		out.WriteString(b.text)
	}
	return out.String()
}
