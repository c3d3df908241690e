package extract

import (
	"strings"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"rostrum/model"
)

// Sizes, in weighted letters, that tell a wall from a page. They were set on pages of all kinds, and are far apart:
// a wall has under 300 letters beside its own words, an article that only mentions one has thousands.
const (
	fewLetters  = 400  // beside a captcha, a consent or a sign-in form: still a wall
	hardLetters = 1500 // beside a script that only challenge pages carry
	teaser      = 2600 // above "subscribe to read on", or declared as not free: still a teaser
	longTeaser  = 4500 // with both signs
	shellText   = 250  // in a page whose root element is empty
)

// page is what walls are told by: the blocks that were chosen as text, all blocks that are shown, and the page's machinery.
type page struct {
	doc    *html.Node
	title  string
	shown  []*block
	chosen []*block
	facts  facts
}

// wall finds the reason why a page is not its text, or gives nil.
func (p *page) wall() *Failure {
	switch {
	case p.isCaptcha():
		return fail(model.ProcessingErrorCodeCaptcha, "the site asks to prove that a human is reading; supply the text to go on")
	case p.isConsentWall():
		return fail(model.ProcessingErrorCodeConsentWall, "the site shows only a consent dialog; supply the text to go on")
	case p.calledLogin() && p.isLoginWall():
		return loginFailure()
	case p.isPaywall():
		return fail(model.ProcessingErrorCodePaywall, "the site shows only a teaser and asks for a subscription; supply the text to go on")
	case p.isLoginWall():
		return loginFailure()
	case p.isEmptyShell():
		return fail(model.ProcessingErrorCodeEmptyAppShell, "the page is an application without text until its scripts have run; supply the text to go on")
	}
	return nil
}

func loginFailure() *Failure {
	return fail(model.ProcessingErrorCodeLoginWall, "the site asks to sign in first; supply the text to go on")
}

// letters weighs a text: a Han, Kana or Hangul sign says as much as two and a half letters of an alphabet.
func letters(text string) int {
	n := 0
	for _, r := range text {
		switch {
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul):
			n += 5
		case unicode.IsLetter(r) || unicode.IsNumber(r):
			n += 2
		}
	}
	return n / 2
}

// prose sums the shown text that is not navigation, not the wall's own words and not inside the element left out.
func (p *page) prose(own func(string) bool, except *html.Node) int {
	sum := 0
	for _, b := range p.shown {
		if b.linkShare() > 0.5 || except != nil && within(b.node, except) || inFurniture(b.node) || own(b.text) {
			continue
		}
		if sum += letters(b.text); sum > hardLetters {
			break // more than any wall has
		}
	}
	return sum
}

// inFurniture is stricter than the vote's: a wall may itself be called a modal, so only a page's frame counts.
func inFurniture(n *html.Node) bool {
	for ; n != nil; n = n.Parent {
		switch n.DataAtom {
		case atom.Nav, atom.Footer, atom.Aside:
			return true
		}
	}
	return false
}

func (p *page) isCaptcha() bool {
	rest := p.prose(captchaWords.MatchString, nil)
	if rest >= hardLetters {
		return false
	}
	said := captchaWords.MatchString(p.title) || p.says(captchaWords.MatchString)
	switch {
	case p.facts.challenge:
		return rest < hardLetters
	case p.facts.captcha:
		return said && rest < fewLetters*2 || rest < fewLetters/4 && !p.facts.password
	}
	return said && rest < fewLetters && !p.looksWritten()
}

// says reports whether a line of the page speaks as a wall does: to the reader, in few words.
func (p *page) says(match func(string) bool) bool {
	for _, b := range p.shown {
		if len(b.key) < 400 && match(b.text) {
			return true
		}
	}
	return false
}

// looksWritten reports whether the page declares an article, or holds a few paragraphs of prose in a row.
func (p *page) looksWritten() bool {
	paragraphs := 0
	for _, b := range p.chosen {
		if b.kind == paragraph && letters(b.text) > 120 && b.linkShare() < 0.3 {
			paragraphs++
		}
	}
	return paragraphs >= 3 || paragraphs >= 1 && p.facts.article
}

// isConsentWall looks for a button that accepts, takes the smallest element that also holds the request, and asks what is left.
func (p *page) isConsentWall() bool {
	for _, button := range p.facts.buttons {
		if !acceptWords.MatchString(button.label) {
			continue
		}
		box := p.consentBox(button.node)
		if box == nil {
			continue
		}
		asking, other := p.inside(box)
		if other < max(fewLetters, asking) && p.prose(consentWords.MatchString, box) < fewLetters {
			return true
		}
	}
	return false
}

// inside weighs what an element says about consent against what else it says.
func (p *page) inside(box *html.Node) (asking, other int) {
	for _, b := range p.shown {
		switch {
		case !within(b.node, box) || b.linkShare() > 0.5:
		case consentWords.MatchString(b.text):
			asking += letters(b.text)
		default:
			other += letters(b.text)
		}
	}
	return asking, other
}

func (p *page) consentBox(button *html.Node) *html.Node {
	for n := button.Parent; n != nil; n = n.Parent {
		for _, b := range p.shown {
			if within(b.node, n) && consentWords.MatchString(b.text) {
				return n
			}
		}
	}
	return nil
}

func (p *page) isLoginWall() bool {
	if !p.facts.password && p.prose(loginWords.MatchString, nil) >= fewLetters {
		return false
	}
	title := p.calledLogin()
	said := p.says(loginWords.MatchString)
	if !p.facts.password && !said && !(title && p.facts.form) {
		return false
	}
	except := p.facts.passwordForm
	rest := p.prose(loginWords.MatchString, except)
	if p.facts.password && (said || title) {
		return rest < fewLetters*2 && !p.looksWritten()
	}
	return rest < fewLetters && !p.looksWritten()
}

func (p *page) calledLogin() bool {
	return loginTitle.MatchString(p.title) || p.headed(loginTitle.MatchString)
}

func (p *page) headed(match func(string) bool) bool {
	for _, b := range p.shown {
		if b.kind == heading && match(b.text) {
			return true
		}
	}
	return false
}

func (p *page) isPaywall() bool {
	text := 0
	for _, b := range p.chosen {
		text += letters(b.text)
	}
	if text > longTeaser {
		return false
	}
	said := p.paywallLine()
	switch {
	case said && p.facts.notFree:
		return text < longTeaser
	case said:
		return text < teaser
	case p.facts.notFree:
		return text < teaser/2
	}
	return false
}

// paywallLine finds a short line that asks for a subscription to read on, behind which the text does not go on.
func (p *page) paywallLine() bool {
	first, last := p.span()
	for i, b := range p.shown {
		if i < first || i > last+nearEnd || letters(b.text) > 260 || inFurniture(b.node) || !paywallWords.MatchString(b.text) && !(p.facts.notFree && subscriberWords.MatchString(b.text)) {
			continue
		}
		if p.proseAfter(i) < fewLetters {
			return true
		}
	}
	return false
}

// nearEnd is how many blocks below a teaser its subscription line may stand.
const nearEnd = 12

// span gives the places of the first and the last chosen block among those shown.
func (p *page) span() (first, last int) {
	chosen := map[*block]bool{}
	for _, b := range p.chosen {
		chosen[b] = true
	}
	first = -1
	for i, b := range p.shown {
		if chosen[b] {
			if first < 0 {
				first = i
			}
			last = i
		}
	}
	return first, last
}

func (p *page) proseAfter(at int) int {
	chosen := map[*block]bool{}
	for _, b := range p.chosen {
		chosen[b] = true
	}
	sum := 0
	for _, b := range p.shown[at+1:] {
		if chosen[b] && b.kind == paragraph && letters(b.text) > 80 && !paywallWords.MatchString(b.text) && !offerWords.MatchString(b.text) {
			sum += letters(b.text)
		}
	}
	return sum
}

func (p *page) isEmptyShell() bool {
	own := func(s string) bool { return loadingWords.MatchString(s) || scriptWords.MatchString(s) }
	rest := p.prose(own, nil)
	if rest >= shellText {
		return false
	}
	asks := scriptWords.MatchString(p.facts.noscript) || p.says(scriptWords.MatchString)
	switch {
	case p.facts.emptyRoot:
		return rest < shellText
	case asks:
		return rest < shellText && !p.looksWritten() && p.facts.scripts > 0
	}
	return p.facts.scripts > 0 && rest == 0 && (p.says(loadingWords.MatchString) || strings.TrimSpace(treeText(p.doc)) == "")
}
