package extract

import (
	"regexp"
	"slices"
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
	longest     = 1500 // bytes of a line that may be a wall's own
)

// page is what walls are told by: the blocks that were chosen as text, all blocks that are shown, and the page's machinery.
type page struct {
	doc    *html.Node
	title  string
	shown  []*block
	chosen []*block
	facts  facts
	known  map[query]bool
	boxes  []*html.Node // of requests for consent; nil until asked for
}

// query is the question whether a block has a wall's words. The patterns are long and several walls ask the same, so answers are kept.
type query struct {
	block *block
	words *regexp.Regexp
}

func (p *page) has(b *block, words *regexp.Regexp) bool {
	if len(b.key) > longest {
		return false
	}
	q := query{b, words}
	answer, asked := p.known[q]
	if !asked {
		if p.known == nil {
			p.known = map[query]bool{}
		}
		answer = words.MatchString(b.text)
		p.known[q] = answer
	}
	return answer
}

// wall finds the reason why a page is not its text, or gives nil.
func (p *page) wall() *Failure {
	switch {
	case p.isCaptcha():
		return fail(model.ProcessingErrorCodeCaptcha, "the site asks to prove that a human is reading; supply the text to go on")
	case p.isConsentWall():
		return fail(model.ProcessingErrorCodeConsentWall, "the site shows only a consent dialog; supply the text to go on")
	case (p.calledLogin() || !p.sells()) && p.isLoginWall():
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

// sells reports whether the page speaks of subscriptions or prices, which a wall that only wants an account does not.
func (p *page) sells() bool {
	return p.facts.notFree || p.says(sellingWords) || p.says(offerWords)
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
// It stops at the limit, from which the page cannot be that wall.
func (p *page) prose(limit int, except *html.Node, own ...*regexp.Regexp) int {
	sum := 0
	for _, b := range p.shown {
		if b.linkShare() > 0.5 || except != nil && within(b.node, except) || inFurniture(b.node) {
			continue
		}
		if slices.ContainsFunc(own, func(words *regexp.Regexp) bool { return p.has(b, words) }) {
			continue
		}
		if sum += letters(b.text); sum >= limit {
			break
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

// isCaptcha asks for less and less text beside the request, the less the page's machinery says.
func (p *page) isCaptcha() bool {
	switch {
	case p.facts.challenge:
		return p.prose(hardLetters, nil, captchaWords) < hardLetters
	case p.facts.captcha:
		rest := p.prose(fewLetters*2, nil, captchaWords)
		return rest < fewLetters/4 && !p.facts.password || rest < fewLetters*2 && p.asksHuman()
	}
	return !p.looksWritten() && p.prose(fewLetters, nil, captchaWords) < fewLetters && p.asksHuman()
}

func (p *page) asksHuman() bool { return captchaWords.MatchString(p.title) || p.says(captchaWords) }

// says reports whether a line of the page speaks as a wall does: to the reader, in few words.
func (p *page) says(words *regexp.Regexp) bool {
	for _, b := range p.shown {
		if len(b.key) < 400 && p.has(b, words) {
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

func (p *page) isLoginWall() bool {
	if p.looksWritten() || !p.facts.password && p.prose(fewLetters, nil, loginWords) >= fewLetters {
		return false
	}
	title := p.calledLogin()
	said := p.says(loginWords)
	if !p.facts.password && !said && !(title && p.facts.form) {
		return false
	}
	limit := fewLetters
	if p.facts.password && (said || title) {
		limit = fewLetters * 2
	}
	return p.prose(limit, p.facts.passwordForm, loginWords) < limit
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
	if text > longTeaser || text > teaser && !p.facts.notFree {
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
	rest := p.proseAfter()
	for i, b := range p.shown {
		if i < first || i > last+nearEnd || letters(b.text) > 260 || inFurniture(b.node) || rest[i] >= fewLetters {
			continue
		}
		if p.has(b, paywallWords) || p.facts.notFree && p.has(b, subscriberWords) {
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

// proseAfter weighs, for each block shown, how much of the text follows it. What an offer says is not text; it is asked only
// until the sum is too large for a wall.
func (p *page) proseAfter() []int {
	chosen := map[*block]bool{}
	for _, b := range p.chosen {
		chosen[b] = true
	}
	after := make([]int, len(p.shown))
	sum := 0
	for i := len(p.shown) - 1; i >= 0; i-- {
		b := p.shown[i]
		after[i] = sum
		long := chosen[b] && b.kind == paragraph && letters(b.text) > 80
		if long && (sum >= fewLetters || letters(b.text) > fewLetters || !p.has(b, paywallWords) && !p.has(b, offerWords)) {
			sum += letters(b.text)
		}
	}
	return after
}

func (p *page) isEmptyShell() bool {
	rest := p.prose(shellText, nil, loadingWords, scriptWords)
	if rest >= shellText {
		return false
	}
	asks := scriptWords.MatchString(p.facts.noscript) || p.says(scriptWords)
	switch {
	case p.facts.emptyRoot:
		return rest < shellText
	case asks:
		return rest < shellText && !p.looksWritten() && p.facts.scripts > 0
	}
	return p.facts.scripts > 0 && rest == 0 && (p.says(loadingWords) || strings.TrimSpace(treeText(p.doc)) == "")
}
