package extract

import (
	"cmp"
	"net/url"
	"strings"

	"github.com/markusmobius/go-trafilatura"
	"golang.org/x/net/html"

	"rostrum/model"
)

// extractWebpage extracts the text of an HTML page. It returns a *Failure if a wall replaces the
// text.
func extractWebpage(source Source) (*Result, error) {
	doc, err := html.Parse(strings.NewReader(decodeText(source.Body, source.MediaType, true)))
	if err != nil {
		return nil, unsupportedContent("the page could not be parsed", err)
	}
	simplifyPage(doc)
	openAccordions(doc)
	base, err := url.Parse(source.URL)
	if err != nil || base.Host == "" {
		base = &url.URL{Scheme: "https", Host: "localhost"}
	}
	h := readHead(doc)
	site := h.firstProperty("og:site_name", "application-name")
	title := h.bestTitle(site, base.Hostname())
	shown, nodes := segmentBlocks(doc), newNodeFacts()
	search := &bodySearch{doc: doc, base: base, title: title, objects: h.objects, shown: shown, nodes: nodes}
	search.chosen = search.chooseBlocks()
	p := &wallDetector{doc: doc, title: h.title, shown: shown, chosen: search.chosen,
		facts: collectFacts(doc, h.objects, nodes), nodes: nodes}
	if failure := p.detectWall(); failure != nil {
		return nil, failure
	}
	if len(p.chosen) == 0 {
		p.chosen = shortText(shown)
	}
	if p.withoutConsent(); isLinkList(p.chosen) {
		return nil, newFailure(model.ProcessingErrorCodeNoText,
			"the page only leads to other pages; supply the text to go on")
	}
	if title == "" {
		title = search.metadata().Title
	}
	published := h.findPublished(search)
	r := &Result{ContentType: "webpage", Title: title, Author: h.findAuthor(search), Language: h.lang,
		Published: published,
		Content:   renderBlocks(p.chosen), Meta: h.buildMeta(source.hostName(), site, published)}
	switch {
	case source.isOfMail: // nothing stands around the text of a mail
		r.Content = renderBlocks(shown)
	case source.URL == "":
		r.Restriction = RestrictionOf(title, renderBlocks(shown))
	default:
		r.Restriction = RestrictionOf(title, renderBlocks(blocksAbove(shown, p.chosen)))
	}
	return r, nil
}

const (
	// shortWords is the number of words from which a sentence may be the whole text of a page.
	shortWords = 3
	// shortPage is the largest number of blocks of a page of which a few sentences are the text.
	shortPage = 10
)

// shortText returns the sentences of a page that is too short for the candidates.
func shortText(shown []*textBlock) (sentences []*textBlock) {
	if len(shown) > shortPage {
		return nil
	}
	for _, b := range shown {
		isSentence := endsSentence(b.text) && len(strings.Fields(b.text)) >= shortWords || isLeadDateline(b.text)
		if b.kind == paragraphBlock && b.linked == 0 && isSentence && !outsideArticle(b.node) {
			sentences = append(sentences, b)
		}
	}
	return sentences
}

// blocksAbove returns the last blocks above a page's text that are its head. The menu of a site may
// have the entry "Intern".
func blocksAbove(shown, chosen []*textBlock) (head []*textBlock) {
	for _, b := range shown {
		if len(chosen) > 0 && b == chosen[0] {
			break
		}
		if b.linked == 0 && b.kind != itemBlock && !outsideArticle(b.node) {
			head = append(head, b)
		}
	}
	return head[max(0, len(head)-maxMarkedLines):]
}

func (s Source) hostName() string {
	u, err := url.Parse(s.URL)
	if err != nil {
		return ""
	}
	return strings.ToLower(u.Hostname())
}

// chooseBlocks returns the blocks of the page's text.
func (s *bodySearch) chooseBlocks() []*textBlock {
	if tooLong(s.shown) {
		s.found = &trafilatura.Metadata{}
		return countVotes(s.shown, linkFreeCandidate(s.shown), s.nodes).electBlocks(s.title)
	}
	return countVotes(s.shown, s.collectCandidates(), s.nodes).electBlocks(s.title)
}

// majority is the share of the candidates that makes a block text.
const majority = 0.5

// electBlocks returns the text blocks: the blocks with a majority, without furniture, and the gaps
// between them.
func (b *blockVotes) electBlocks(title string) []*textBlock {
	in := make([]bool, len(b.blocks))
	for i := range b.blocks {
		in[i] = b.score[i]-linkPenalty(b.blocks[i]) >= majority && b.blocks[i].kind != captionBlock
	}
	chosen := chosenLengths(b.blocks, in)
	total := chosen[nil]
	for i, block := range b.blocks {
		in[i] = in[i] && !b.isFrameBlock(block, chosen, total)
	}
	b.fillGaps(in, chosen, total)
	b.addStandfirst(in, title)
	b.trimSurroundings(in, title)
	b.trimHeadings(in)
	var out []*textBlock
	for i, block := range b.blocks {
		if in[i] {
			out = append(out, block)
		}
	}
	return out
}

// linkPenalty raises the required share for a line that is mostly a link.
func linkPenalty(b *textBlock) float64 {
	if b.linkShare() > 0.7 && b.kind != headingBlock {
		return 0.4
	}
	return 0
}

// chosenLengths returns the length of the chosen text below each element, with the sum under nil.
func chosenLengths(blocks []*textBlock, in []bool) map[*html.Node]int {
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

// fillGaps adds blocks between chosen blocks of the same element that most candidates omitted:
// headings, short lines, lists, tables and code. It omits a paragraph that no candidate chose, if
// its element has no chosen block.
func (b *blockVotes) fillGaps(in []bool, chosen map[*html.Node]int, total int) {
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

func (b *blockVotes) fillGap(in []bool, from, to int, chosen map[*html.Node]int, total int) {
	home := commonAncestor(b.blocks[from].node, b.blocks[to].node)
	if home == nil {
		return
	}
	small := chosen[home]*2 < total // the text spans several elements: only headings that a candidate chose
	for i := from + 1; i < to; i++ {
		block := b.blocks[i]
		unasked := b.score[i] == 0 && block.kind == paragraphBlock && chosen[paragraphContainer(block.node)] == 0
		if small && (block.kind != headingBlock || b.score[i] == 0) {
			continue
		}
		if !unasked && block.linkShare() < 0.5 && !b.isFrameBlock(block, chosen, total) && isWithin(block.node, home) {
			in[i] = true
		}
	}
}

// trimHeadings removes headings at the end that have no text after them.
func (b *blockVotes) trimHeadings(in []bool) {
	for i := len(b.blocks) - 1; i >= 0; i-- {
		if in[i] && b.blocks[i].kind != headingBlock {
			return
		}
		in[i] = false
	}
}

func commonAncestor(a, b *html.Node) *html.Node {
	above := map[*html.Node]bool{}
	for ; a != nil; a = a.Parent {
		above[a] = true
	}
	for ; b != nil && !above[b]; b = b.Parent {
	}
	return b
}

func isWithin(n, ancestor *html.Node) bool {
	for ; n != nil; n = n.Parent {
		if n == ancestor {
			return true
		}
	}
	return false
}

// renderBlocks returns blocks as text: an empty line between paragraphs, items and rows on separate
// lines, and the marks of Markdown before headings and items.
func renderBlocks(blocks []*textBlock) string {
	var out strings.Builder
	items := newItemMarks()
	for i, b := range blocks {
		if i > 0 {
			out.WriteString("\n")
			if previous := blocks[i-1].kind; previous != b.kind || b.kind != itemBlock && b.kind != rowBlock {
				out.WriteString("\n")
			}
		}
		switch b.kind {
		case headingBlock:
			out.WriteString(headingMark(b.level) + oneLine(b.text))
		case itemBlock:
			first, further := items.indents(b.node)
			out.WriteString(first + strings.ReplaceAll(b.text, "\n", "\n"+further))
		default:
			out.WriteString(cmp.Or(b.shown, b.text))
		}
	}
	return out.String()
}

// headingMark returns the mark of Markdown for a heading of a level from 1 to 6.
func headingMark(level int) string { return strings.Repeat("#", level) + " " }
