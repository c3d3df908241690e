package extract

import (
	"strings"
	"time"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// timeSearch looks for the <time> element that dates the article.
type timeSearch struct {
	nodes *nodeFacts
	title string
	parts map[*html.Node]bool // blocks of the article
	texts map[*html.Node]bool // its paragraphs
	above map[*html.Node]bool // the elements with such a paragraph
	boxes map[*html.Node]bool // whether a part of the page may date the article
}

// articleTimes returns the time of the page's <time> elements that dates the article, or nil, and
// the days of the others: of comments, teasers, changes, and events that the text tells of.
func (s *bodySearch) articleTimes() (published *time.Time, others map[string]bool) {
	others = map[string]bool{}
	search := &timeSearch{s.nodes, keyOf(s.title), map[*html.Node]bool{}, map[*html.Node]bool{}, map[*html.Node]bool{},
		map[*html.Node]bool{}}
	for _, b := range s.chosen {
		search.parts[b.node] = true
		if b.kind != paragraphBlock || len(b.key) < minParagraphLength {
			continue
		}
		search.texts[b.node] = true
		for n := b.node; n != nil && !search.above[n]; n = n.Parent {
			search.above[n] = true
		}
	}
	for n := range s.doc.Descendants() {
		if n.DataAtom != atom.Time {
			continue
		}
		at := parseDate(attributeValue(n, "datetime"))
		switch {
		case at == nil:
		case published == nil && !isChange(n) && search.datesArticle(n):
			published = at
		default:
			others[at.Format(time.DateOnly)] = true
		}
	}
	if published != nil {
		delete(others, published.Format(time.DateOnly))
	}
	return published, others
}

// isChange reports whether a time is that of the last change.
func isChange(n *html.Node) bool {
	marks := strings.ToLower(attributeValue(n, "itemprop") + " " + attributeValue(n, "class"))
	return (strings.Contains(marks, "modified") || strings.Contains(marks, "updated")) &&
		!strings.Contains(marks, "published")
}

// Parts of the page that date the article without its title are short, and have no headline of
// another text.
const (
	maxDatedBox = 120 // letters
	minHeadline = 25  // letters of a link
)

// datesArticle reports whether a time is outside the text and the page's furniture, in a part of
// the page that has the title or little else.
func (s *timeSearch) datesArticle(n *html.Node) bool {
	if s.nodes.inNamedFurniture(n) {
		return false
	}
	box := n
	for ; n != nil && !s.above[n]; n = n.Parent {
		box = n
	}
	if s.texts[n] {
		return false
	}
	dates, known := s.boxes[box]
	if !known {
		text := treeText(box)
		dates = s.title != "" && strings.Contains(keyOf(text), s.title) ||
			weighLetters(text) <= maxDatedBox && !s.hasHeadline(box)
		s.boxes[box] = dates
	}
	return dates
}

// hasHeadline reports whether a part of a page is or has the teaser of another text.
func (s *timeSearch) hasHeadline(box *html.Node) bool {
	if box.DataAtom == atom.Article {
		return true
	}
	for n := range box.Descendants() {
		switch n.DataAtom {
		case atom.Article:
			return true
		case atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
			if !s.parts[n] {
				return true
			}
		case atom.A:
			if weighLetters(treeText(n)) >= minHeadline {
				return true
			}
		}
	}
	return false
}
