package extract

import (
	"regexp"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// ballot holds, for each block of a page, the share of the opinions that chose it.
type ballot struct {
	blocks []*block
	score  []float64

	shown, linked map[*html.Node]int // letters below each element, in all and in links; made when first asked for
}

// vote compares the opinions with each other and gives each block the weighted share of those that hold it. An opinion weighs
// as much as it agrees with the others, so one that took the wrong part of the page is outvoted.
func vote(blocks []*block, opinions []*candidate) *ballot {
	held := make([][]bool, len(opinions))
	for i, o := range opinions {
		held[i] = hold(blocks, o.key)
	}
	for i, o := range opinions {
		sum := 0.0
		for j := range opinions {
			if i != j {
				sum += agreement(blocks, held[i], held[j])
			}
		}
		if len(opinions) > 1 {
			o.weight = sum/float64(len(opinions)-1) + 0.05
		}
	}
	total := 0.0
	score := make([]float64, len(blocks))
	for i, o := range opinions {
		total += o.weight
		for j := range blocks {
			if held[i][j] {
				score[j] += o.weight
			}
		}
	}
	for j := range score {
		score[j] /= max(total, 0.001)
	}
	return &ballot{blocks: blocks, score: score}
}

// short is the length of a key up to which it may stand in a text by chance.
const short = 24

// hold finds which blocks an opinion's text has. A short block counts only beside one of its neighbours.
func hold(blocks []*block, text string) []bool {
	held := make([]bool, len(blocks))
	cursor := 0
	for i, b := range blocks {
		key := b.key
		if len(key) <= short {
			continue
		}
		if at := indexFrom(text, key, cursor); at >= 0 {
			held[i] = true
			cursor = at + len(key)
		}
	}
	for i, b := range blocks {
		if len(b.key) > short {
			continue
		}
		after := i+1 < len(blocks) && strings.Contains(text, b.key+front(blocks[i+1].key))
		before := i > 0 && strings.Contains(text, tail(blocks[i-1].key)+b.key)
		held[i] = after || before
	}
	return held
}

// indexFrom looks behind the cursor first, where the next block usually stands.
func indexFrom(text, key string, cursor int) int {
	if at := strings.Index(text[cursor:], key); at >= 0 {
		return cursor + at
	}
	return strings.Index(text, key)
}

func front(key string) string { return key[:min(len(key), short)] }
func tail(key string) string  { return key[max(0, len(key)-short):] }

// agreement is the F1 of two opinions, by length.
func agreement(blocks []*block, a, b []bool) float64 {
	var both, sum float64
	for i, block := range blocks {
		n := float64(len(block.key))
		if a[i] {
			sum += n
		}
		if b[i] {
			sum += n
		}
		if a[i] && b[i] {
			both += 2 * n
		}
	}
	return both / max(sum, 1)
}

// furniture are words in class, id and role that name a part of a page beside its text.
var furniture = regexp.MustCompile(`(?i)(^|[-_ ])(share|sharing|sharebar|social|socials|sns|related|recommend(ed|ations?)?|recirc|newsletter|subscribe|subscription|` +
	`signup|sign-up|optin|cookies?|consent|gdpr|onetrust|comments?|commentlist|respond|disqus|promo|promotion|advert|advertisement|ads?|adslot|sponsor(ed)?|` +
	`breadcrumbs?|byline|bio|author-?(box|bio|info|card)|about-?author|navigation|nav|navbar|menu|sidebar|widget|footer|masthead|popup|modal|overlay|toolbar|tags?|` +
	`tag-?list|topics|keywords|pagination|pager|paging|prev-?next|post-?nav|most-?(read|popular|viewed)|trending|popular|outbrain|taboola|read-?(more|next|also)|readmore|` +
	`more-?(stories|articles|news|from)|also-?(read|like)|similar|suggested|suggestions|toc|table-of-contents|copyright|legal|disclaimer|print|rating|ratings|feedback|` +
	`skip-?link|sr-only|visually-hidden|screen-reader(-text)?|cta|call-to-action|donate|app-?(banner|promo)|teaser|teasers|poll|quiz|credits?|caption)([-_ ]|$)`)

// beside are elements that hold what is not the page's text.
var beside = atomSet(atom.Nav, atom.Aside, atom.Footer, atom.Figcaption, atom.Menu, atom.Search)

// embedded marks a post of another site inside the text, which is quoted and not a button to share.
var embedded = regexp.MustCompile(`(?i)embed|tweet|quote`)

// isFurniture reports whether an element's name or attributes call it a part beside the text.
func isFurniture(n *html.Node) bool {
	if beside[n.DataAtom] {
		return true
	}
	switch attr(n, "role") {
	case "navigation", "complementary", "contentinfo", "search", "banner", "dialog", "alertdialog", "menu":
		return true
	}
	if embedded.MatchString(attr(n, "class")) {
		return false
	}
	return furniture.MatchString(attr(n, "class")) || furniture.MatchString(attr(n, "id"))
}
