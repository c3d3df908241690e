package extract

import "golang.org/x/net/html"

// largestBox is how much an element may hold, in bytes of its blocks' keys, to be looked through for a request for consent.
const largestBox = 6000

// consentBoxes are the smallest elements that hold a request for consent and a button that grants it, and little else.
func (p *page) consentBoxes() []*html.Node {
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
	for _, button := range p.facts.buttons {
		if !acceptWords.MatchString(button.label) {
			continue
		}
		if box := p.consentBox(button.node, sizes); box != nil {
			p.boxes = append(p.boxes, box)
		}
	}
	return p.boxes
}

func (p *page) consentBox(button *html.Node, sizes map[*html.Node]int) *html.Node {
	for n := button.Parent; n != nil && sizes[n] < largestBox; n = n.Parent {
		asks, other := p.inside(n)
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

// inside weighs what an element says about consent against what else it says.
func (p *page) inside(box *html.Node) (asking, other int) {
	for _, b := range p.shown {
		switch {
		case b.linkShare() > 0.5 || !within(b.node, box):
		case p.has(b, consentWords):
			asking += letters(b.text)
		default:
			other += letters(b.text)
		}
	}
	return asking, other
}

// A page that is more than its consent dialog says something in sentences, or has a frame of links around what it shows.
const (
	fewestSaid  = 80 // letters, in sentences
	fewestLinks = 8
)

// isConsentWall looks for a dialog beside which there is nothing.
func (p *page) isConsentWall() bool {
	called := consentWords.MatchString(p.title)
	for _, box := range p.consentBoxes() {
		alone := called || p.told(box) < fewestSaid && p.linksBeside(box) < fewestLinks
		if alone && p.prose(fewLetters, box, consentWords) < fewLetters {
			return true
		}
	}
	return false
}

// told weighs the sentences outside a dialog, down to short ones: a notice of three lines is a text.
func (p *page) told(box *html.Node) int {
	sum := 0
	for _, b := range p.shown {
		if b.linkShare() > 0.3 || !ends(b.text) || letters(b.text) < fewestSaid/2 || within(b.node, box) || inFurniture(b.node) || p.has(b, consentWords) {
			continue
		}
		if !inNamedFurniture(b.node) {
			sum += letters(b.text)
		}
	}
	return sum
}

func inNamedFurniture(n *html.Node) bool {
	for ; n != nil; n = n.Parent {
		if isFurniture(n) {
			return true
		}
	}
	return false
}

func (p *page) linksBeside(box *html.Node) int {
	count := 0
	for _, link := range p.facts.links {
		if !within(link, box) {
			count++
		}
	}
	return count
}

// withoutConsent drops a banner's lines from the chosen blocks of a page that is more than its banner.
func (p *page) withoutConsent() {
	for _, box := range p.consentBoxes() {
		var kept []*block
		for _, b := range p.chosen {
			if !within(b.node, box) {
				kept = append(kept, b)
			}
		}
		p.chosen = kept
	}
}
