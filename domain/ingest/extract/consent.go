package extract

import (
	"slices"

	"golang.org/x/net/html"
)

// largestBox is the maximum size of an element, in bytes of its blocks' keys, that is searched for
// a consent request.
const largestBox = 6000

// consentBoxes returns the smallest elements with a consent request, a button that grants it, and
// little else.
func (p *wallDetector) consentBoxes() []*html.Node {
	if p.boxes != nil {
		return p.boxes
	}
	sizes := map[*html.Node]int{}
	for _, b := range p.shown {
		for n := b.node; n != nil; n = n.Parent {
			sizes[n] += len(b.key)
		}
	}
	p.boxes = []*html.Node{}
	w := &consentWeights{wallDetector: p, sizes: sizes, known: map[*html.Node][2]int{}}
	for _, button := range p.facts.buttons {
		if len(p.boxes) == maxConsentBoxes {
			break
		}
		if !acceptWords.MatchString(button.label) {
			continue
		}
		if box := w.findBox(button.node); box != nil && !slices.Contains(p.boxes, box) {
			p.boxes = append(p.boxes, box)
		}
	}
	return p.boxes
}

// maxConsentBoxes is the maximum number of consent requests of a page that are checked; pages have
// a few.
const maxConsentBoxes = 50

// consentWeights weighs elements that may be consent requests, each once.
type consentWeights struct {
	*wallDetector
	sizes  map[*html.Node]int          // bytes of the keys below each element
	blocks map[*html.Node][]*textBlock // blocks below the elements that are not too large; nil until first use
	known  map[*html.Node][2]int
}

// findBox returns the smallest element around a button that has a consent request and little else,
// or nil.
func (w *consentWeights) findBox(button *html.Node) *html.Node {
	for n := button.Parent; n != nil && w.sizes[n] < largestBox; n = n.Parent {
		asks, other := w.weighConsent(n)
		if asks == 0 {
			continue
		}
		if other < max(fewLetters, asks) {
			return n
		}
		return nil
	}
	return nil
}

// weighConsent returns the weights of an element's text about consent and of its other text.
func (w *consentWeights) weighConsent(box *html.Node) (asking, other int) {
	if sums, asked := w.known[box]; asked {
		return sums[0], sums[1]
	}
	for _, b := range w.blocksWithin(box) {
		switch {
		case b.linkShare() > 0.5:
		case w.hasWords(b, consentWords):
			asking += b.letters()
		default:
			other += b.letters()
		}
	}
	w.known[box] = [2]int{asking, other}
	return asking, other
}

func (w *consentWeights) blocksWithin(box *html.Node) []*textBlock {
	if w.blocks == nil {
		w.blocks = map[*html.Node][]*textBlock{}
		for _, b := range w.shown {
			for n := b.node; n != nil && w.sizes[n] < largestBox; n = n.Parent {
				w.blocks[n] = append(w.blocks[n], b)
			}
		}
	}
	return w.blocks[box]
}

// A page with content besides its consent dialog has sentences outside the dialog, or many links
// around it.
const (
	fewestSaid  = 80 // letters, in sentences
	fewestLinks = 8
)

// isConsentWall reports whether the page has nothing but a consent dialog.
func (p *wallDetector) isConsentWall() bool {
	called := consentWords.MatchString(p.title)
	for _, box := range p.consentBoxes() {
		alone := called || p.weighOutside(box) < fewestSaid && p.linksOutside(box) < fewestLinks
		if alone && p.weighProse(fewLetters, box, consentWords) < fewLetters {
			return true
		}
	}
	return false
}

// weighOutside returns the weight of the sentences outside a dialog. Short sentences count, because
// a notice of three lines is a text.
func (p *wallDetector) weighOutside(box *html.Node) int {
	sum := 0
	for _, b := range p.shown {
		if b.linkShare() > 0.3 || !endsSentence(b.text) || b.letters() < fewestSaid/2 || isWithin(b.node, box) ||
			inFurniture(b.node) || p.hasWords(b, consentWords) {
			continue
		}
		if !p.nodes.inNamedFurniture(b.node) {
			sum += b.letters()
		}
	}
	return sum
}

func (p *wallDetector) linksOutside(box *html.Node) int {
	count := 0
	for _, link := range p.facts.links {
		if !isWithin(link, box) {
			count++
		}
	}
	return count
}

// withoutConsent removes a consent banner's lines from the chosen blocks.
func (p *wallDetector) withoutConsent() {
	for _, box := range p.consentBoxes() {
		var kept []*textBlock
		for _, b := range p.chosen {
			if !isWithin(b.node, box) {
				kept = append(kept, b)
			}
		}
		p.chosen = kept
	}
}
