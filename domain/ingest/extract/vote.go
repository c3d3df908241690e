package extract

import (
	"regexp"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// blockVotes holds the share of the candidates that chose each block of a page.
type blockVotes struct {
	blocks []*textBlock
	score  []float64
	nodes  *nodeFacts

	shown, linked map[*html.Node]int // letters below each element, in total and in links; computed on first use
}

// countVotes compares the candidates with each other and returns for each block the weighted share
// of the candidates that contain it. A candidate's weight is its agreement with the others, so a
// wrong candidate is outvoted.
func countVotes(blocks []*textBlock, opinions []*bodyCandidate, nodes *nodeFacts) *blockVotes {
	held := make([][]bool, len(opinions))
	for i, o := range opinions {
		held[i] = o.heldBlocks(blocks)
	}
	for i, o := range opinions {
		sum := 0.0
		for j := range opinions {
			if i != j {
				sum += agreementScore(blocks, held[i], held[j])
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
	return &blockVotes{blocks: blocks, score: score, nodes: nodes}
}

// maxChanceKey is the maximum length of a key that may occur in a text by chance.
const maxChanceKey = 24

// matchBlocks reports which blocks are in a candidate's text. A short block counts only next to a
// matching neighbor.
func matchBlocks(blocks []*textBlock, text string) []bool {
	held := make([]bool, len(blocks))
	search := &keySearch{text: text}
	for i, b := range blocks {
		if len(b.key) > maxChanceKey {
			held[i] = search.contains(b.key)
		}
	}
	search.cursor = 0
	for i, b := range blocks {
		if len(b.key) > maxChanceKey {
			continue
		}
		after := i+1 < len(blocks) && search.contains(b.key+keyStart(blocks[i+1].key))
		held[i] = after || i > 0 && search.contains(keyEnd(blocks[i-1].key)+b.key)
	}
	return held
}

func keyStart(key string) string { return key[:min(len(key), maxChanceKey)] }
func keyEnd(key string) string   { return key[max(0, len(key)-maxChanceKey):] }

// agreementScore returns the F1 score of two candidates, weighted by length.
func agreementScore(blocks []*textBlock, a, b []bool) float64 {
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

// furnitureNames match class, id and role names of page parts outside the text.
var furnitureNames = regexp.MustCompile(`(?i)(^|[-_ ])(share|sharing|sharebar|social|socials|sns|related|recommend(ed|ations?)?|recirc|newsletter|subscribe|subscription|` +
	`signup|sign-up|optin|cookies?|consent|gdpr|onetrust|comments?|commentlist|respond|disqus|promo|promotion|advert|advertisement|ads?|adslot|sponsor(ed)?|` +
	`breadcrumbs?|byline|bio|author-?(box|bio|info|card)|about-?author|navigation|nav|navbar|menu|sidebar|widget|footer|masthead|popup|modal|overlay|toolbar|tags?|` +
	`tag-?list|topics|keywords|pagination|pager|paging|prev-?next|post-?nav|most-?(read|popular|viewed)|trending|popular|outbrain|taboola|read-?(more|next|also)|readmore|` +
	`more-?(stories|articles|news|from)|also-?(read|like)|similar|suggested|suggestions|toc|table-of-contents|copyright|legal|disclaimer|print|rating|ratings|feedback|` +
	`skip-?link|sr-only|visually-hidden|screen-reader(-text)?|cta|call-to-action|donate|app-?(banner|promo)|teaser|teasers|poll|quiz|credits?|caption)([-_ ]|$)`)

// nonTextElements are elements that do not contain the page's text.
var nonTextElements = atomSet(atom.Nav, atom.Aside, atom.Footer, atom.Figcaption, atom.Menu, atom.Search)

// embeddedNames match a quoted post of another site, which is not a share button.
var embeddedNames = regexp.MustCompile(`(?i)embed|tweet|quote`)

// isFurniture reports whether an element's name or attributes mark it as a page part outside the
// text.
func isFurniture(n *html.Node) bool {
	if nonTextElements[n.DataAtom] {
		return true
	}
	switch attributeValue(n, "role") {
	case "navigation", "complementary", "contentinfo", "search", "banner", "dialog", "alertdialog", "menu":
		return true
	}
	if embeddedNames.MatchString(attributeValue(n, "class")) {
		return false
	}
	return furnitureNames.MatchString(attributeValue(n, "class")) || furnitureNames.MatchString(attributeValue(n, "id"))
}
