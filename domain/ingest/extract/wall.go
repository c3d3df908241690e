package extract

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"rostrum/llm/text/pattern"
	"rostrum/model"
)

// Thresholds, in weighted letters, between a wall and a page. They were set on pages of all kinds
// and have a wide margin: a wall has less than 300 letters besides its own words, an article about
// walls has thousands.
const (
	fewLetters    = 400  // besides a captcha, a consent form or a sign-in form: still a wall
	hardLetters   = 1500 // besides a script that only challenge pages contain
	maxTeaser     = 2600 // above "subscribe to read on", or declared as not free: still a teaser
	maxLongTeaser = 4500 // with both signs
	shellText     = 250  // in a page whose root element is empty
	maxWallLine   = 1500 // maximum length in bytes of a line of a wall
)

// wallDetector holds the inputs for detecting walls: the chosen blocks, all visible blocks, and the
// page's facts.
type wallDetector struct {
	doc    *html.Node
	title  string
	shown  []*textBlock
	chosen []*textBlock
	facts  pageFacts
	nodes  *nodeFacts
	known  map[wallQuery]bool
	boxes  []*html.Node // consent requests; nil until first use
}

// wallQuery asks whether a block matches a wall's words. Results are cached, because the patterns
// are long and several walls use the same ones.
type wallQuery struct {
	block *textBlock
	words *pattern.Pattern
}

func (p *wallDetector) hasWords(b *textBlock, words *pattern.Pattern) bool {
	if len(b.key) > maxWallLine {
		return false
	}
	q := wallQuery{b, words}
	answer, asked := p.known[q]
	if !asked {
		if p.known == nil {
			p.known = map[wallQuery]bool{}
		}
		answer = words.MatchString(b.text)
		p.known[q] = answer
	}
	return answer
}

// detectWall returns the wall that replaces the page's text, or nil.
func (p *wallDetector) detectWall() *Failure {
	switch {
	case p.isCaptcha():
		return newFailure(model.ProcessingErrorCodeCaptcha,
			"the site asks to prove that a human is reading; supply the text to go on")
	case p.isConsentWall():
		return newFailure(model.ProcessingErrorCodeConsentWall,
			"the site shows only a consent dialog; supply the text to go on")
	case p.isLoginWall() && (p.calledLogin() || !p.mentionsPrices()):
		return loginFailure()
	case p.isPaywall():
		return newFailure(model.ProcessingErrorCodePaywall,
			"the site shows only a teaser and asks for a subscription; supply the text to go on")
	case p.isLoginWall():
		return loginFailure()
	case p.isEmptyShell():
		return newFailure(model.ProcessingErrorCodeEmptyAppShell,
			"the page is an application without text until its scripts have run; supply the text to go on")
	}
	return nil
}

// mentionsPrices reports whether the page mentions subscriptions or prices, which a sign-in wall
// does not.
func (p *wallDetector) mentionsPrices() bool {
	return p.facts.notFree || p.addressesReader(sellingWords) || p.addressesReader(offerWords)
}

func loginFailure() *Failure {
	return newFailure(model.ProcessingErrorCodeLoginWall, "the site asks to sign in first; supply the text to go on")
}

// firstHangul is the first character of the scripts whose characters have more weight.
const firstHangul = '\u1100'

// weighLetters returns the weight of a text: a Han, Kana or Hangul character counts as two and a
// half letters.
func weighLetters(text string) int {
	n := 0
	for _, r := range text {
		switch {
		case r >= firstHangul && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul):
			n += 5
		case unicode.IsLetter(r) || unicode.IsNumber(r):
			n += 2
		}
	}
	return n / 2
}

// weighProse returns the weight of the visible text that is not navigation, not the wall's own
// words and not in the excluded element. It stops at the limit, above which the page is not that
// wall.
func (p *wallDetector) weighProse(limit int, except *html.Node, own ...*pattern.Pattern) int {
	sum := 0
	for _, b := range p.shown {
		if b.linkShare() > 0.5 || except != nil && isWithin(b.node, except) || inFurniture(b.node) {
			continue
		}
		if slices.ContainsFunc(own, func(words *pattern.Pattern) bool { return p.hasWords(b, words) }) {
			continue
		}
		if sum += b.letters(); sum >= limit {
			break
		}
	}
	return sum
}

// inFurniture is stricter than isFurniture: a wall may itself be named a modal, so only a page's
// frame counts.
func inFurniture(n *html.Node) bool {
	for ; n != nil; n = n.Parent {
		switch n.DataAtom {
		case atom.Nav, atom.Footer, atom.Aside:
			return true
		}
	}
	return false
}

// isCaptcha allows less text besides the request if the page's scripts give less evidence.
func (p *wallDetector) isCaptcha() bool {
	switch {
	case p.facts.challenge:
		return p.weighProse(hardLetters, nil, captchaWords) < hardLetters
	case p.facts.captcha:
		rest := p.weighProse(fewLetters*2, nil, captchaWords)
		return rest < fewLetters/4 && !p.facts.password || rest < fewLetters*2 && p.asksHuman()
	}
	return !p.looksWritten() && p.weighProse(fewLetters, nil, captchaWords) < fewLetters && p.asksHuman()
}

func (p *wallDetector) asksHuman() bool {
	return captchaWords.MatchString(p.title) || p.addressesReader(captchaWords)
}

// addressesReader reports whether a short line of the page addresses the reader as a wall does.
func (p *wallDetector) addressesReader(words *pattern.Pattern) bool {
	for _, b := range p.shown {
		if len(b.key) < 400 && p.hasWords(b, words) {
			return true
		}
	}
	return false
}

// looksWritten reports whether the page declares an article or has consecutive paragraphs of prose.
func (p *wallDetector) looksWritten() bool {
	paragraphs := 0
	for _, b := range p.chosen {
		if b.kind == paragraphBlock && b.letters() > 120 && b.linkShare() < 0.3 {
			paragraphs++
		}
	}
	return paragraphs >= 3 || paragraphs >= 1 && p.facts.article
}

func (p *wallDetector) isLoginWall() bool {
	if p.looksWritten() || !p.facts.password && p.weighProse(fewLetters, nil, loginWords) >= fewLetters {
		return false
	}
	title := p.calledLogin()
	said := p.addressesReader(loginWords)
	if !p.facts.password && !said && !(title && p.facts.form) {
		return false
	}
	limit := fewLetters
	if p.facts.password && (said || title) {
		limit = fewLetters * 2
	}
	return p.weighProse(limit, p.facts.passwordForm, loginWords) < limit
}

func (p *wallDetector) calledLogin() bool {
	return loginTitle.MatchString(p.title) || p.hasHeading(loginTitle.MatchString)
}

func (p *wallDetector) hasHeading(match func(string) bool) bool {
	for _, b := range p.shown {
		if b.kind == headingBlock && match(b.text) {
			return true
		}
	}
	return false
}

func (p *wallDetector) isPaywall() bool {
	text := 0
	for _, b := range p.chosen {
		text += b.letters()
	}
	if text > maxLongTeaser || text > maxTeaser && !p.facts.notFree {
		return false
	}
	said := p.paywallLine()
	switch {
	case said && p.facts.notFree:
		return text < maxLongTeaser
	case said:
		return text < maxTeaser
	case p.facts.notFree:
		return text < maxTeaser/2
	}
	return false
}

// paywallLine reports whether a short line asks for a subscription and no text follows it.
func (p *wallDetector) paywallLine() bool {
	first, last := p.chosenSpan()
	var rest []int // nil until a line asks
	for i, b := range p.shown {
		if i < first || i > last+nearEnd || b.letters() > 260 || inFurniture(b.node) {
			continue
		}
		if !p.hasWords(b, paywallWords) && !(p.facts.notFree && p.hasWords(b, subscriberWords)) {
			continue
		}
		if rest == nil {
			rest = p.proseAfter()
		}
		if rest[i] < fewLetters {
			return true
		}
	}
	return false
}

// nearEnd is the maximum number of blocks between a teaser and its subscription line.
const nearEnd = 12

// chosenSpan returns the indexes of the first and the last chosen block among the visible blocks.
func (p *wallDetector) chosenSpan() (first, last int) {
	chosen := map[*textBlock]bool{}
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

// proseAfter returns, for each visible block, the weight of the text after it, without offers. It
// stops counting when the sum is too large for a wall.
func (p *wallDetector) proseAfter() []int {
	chosen := map[*textBlock]bool{}
	for _, b := range p.chosen {
		chosen[b] = true
	}
	after := make([]int, len(p.shown))
	sum := 0
	for i := len(p.shown) - 1; i >= 0; i-- {
		b := p.shown[i]
		after[i] = sum
		long := chosen[b] && b.kind == paragraphBlock && b.letters() > 80
		if long && (sum >= fewLetters || b.letters() > fewLetters || !p.hasWords(b, paywallWords) &&
			!p.hasWords(b, offerWords)) {
			sum += b.letters()
		}
	}
	return after
}

func (p *wallDetector) isEmptyShell() bool {
	rest := p.weighProse(shellText, nil, loadingWords, scriptWords)
	if rest >= shellText {
		return false
	}
	asks := scriptWords.MatchString(p.facts.noscript) || p.addressesReader(scriptWords)
	switch {
	case p.facts.emptyRoot:
		return rest < shellText
	case asks:
		return rest < shellText && !p.looksWritten() && p.facts.scripts > 0
	}
	return p.facts.scripts > 0 && rest == 0 && (p.addressesReader(loadingWords) ||
		strings.TrimSpace(treeText(p.doc)) == "")
}
