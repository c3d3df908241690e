package extract

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Meta is a page's metadata, an input of Attribution.
type Meta struct {
	Title     string // only of a text that a client sends
	Author    string
	Host      string
	SiteName  string
	Publisher string // JSON-LD's publisher
	Types     []string
	Section   string
	Published *time.Time
}

// pageHead holds a page's declared properties by lower-case name, its headings and its language.
type pageHead struct {
	properties map[string]string
	title      string
	h1         []string
	lower      []string        // second and third headings
	keys       map[string]bool // of all headings; nil until first use
	lang       string
	objects    []map[string]any
}

func readHead(doc *html.Node) *pageHead {
	h := &pageHead{properties: map[string]string{}, objects: linkedData(doc)}
	for n := range doc.Descendants() {
		switch n.DataAtom {
		case atom.Html:
			h.lang = attributeValue(n, "lang") + strings.TrimPrefix(attributeValue(n, "xml:lang"),
				attributeValue(n, "lang"))
		case atom.Title:
			if h.title == "" && n.Namespace == "" {
				h.title = oneLine(treeText(n))
			}
		case atom.H1:
			h.h1 = append(h.h1, headingText(n))
		case atom.H2, atom.H3:
			h.lower = append(h.lower, headingText(n))
		case atom.Meta:
			name := strings.ToLower(attributeValue(n, "property") + attributeValue(n, "name") +
				attributeValue(n, "itemprop") + attributeValue(n, "http-equiv"))
			if _, known := h.properties[name]; !known && name != "" {
				h.properties[name] = strings.TrimSpace(attributeValue(n, "content"))
			}
		}
	}
	return h
}

func (h *pageHead) firstProperty(names ...string) string {
	for _, name := range names {
		if value := h.properties[name]; value != "" {
			return value
		}
	}
	return ""
}

// linkedText returns a text member of the article in the page's JSON-LD.
func (h *pageHead) linkedText(member string) string {
	for _, object := range h.objects {
		if text, ok := object[member].(string); ok && text != "" && isArticle(object) {
			return text
		}
	}
	return ""
}

func isArticle(object map[string]any) bool {
	for _, kind := range linkedTypes(object) {
		if articleTypes.MatchString(kind) {
			return true
		}
	}
	return false
}

func linkedTypes(object map[string]any) []string {
	switch kind := object["@type"].(type) {
	case string:
		return []string{kind}
	case []any:
		var list []string
		for _, k := range kind {
			if s, ok := k.(string); ok {
				list = append(list, s)
			}
		}
		return list
	}
	return nil
}

var titleSeparator = regexp.MustCompile(`\s+[|\-–—·•»«:/]+\s+|\s*[|»]\s*|[:：]\s+|\s*[｜_]\s*`)

// maxSiteTitle is the maximum length, in bytes, of a title that is searched for the site's name;
// longer ones are not titles.
const maxSiteTitle = 1000

// bestTitle prefers the title for sharing and removes the site's name if a heading or the declared
// name confirms it.
func (h *pageHead) bestTitle(site, host string) string {
	for _, title := range []string{h.firstProperty("og:title"), h.linkedText("headline"),
		h.firstProperty("twitter:title", "dc.title", "citation_title"), h.title} {
		if title = html.UnescapeString(oneLine(title)); len(title) > maxSiteTitle {
			return title
		}
		if title != "" {
			return h.withoutSite(title, site, host)
		}
	}
	if len(h.h1) > 0 {
		return h.h1[0]
	}
	return ""
}

func (h *pageHead) withoutSite(title, site, host string) string {
	spans := titleSeparator.FindAllStringIndex(title, -1)
	if len(spans) == 0 {
		return title
	}
	if part := h.headedPart(title, spans, site); part != "" {
		return part
	}
	first, last := spans[0], spans[len(spans)-1]
	if isSite(title[last[1]:], site, host) {
		return h.withoutSite(strings.TrimSpace(title[:last[0]]), site, host)
	}
	if isSite(title[:first[0]], site, host) {
		return strings.TrimSpace(title[first[1]:])
	}
	return title
}

// headedPart returns the longest part of a title, before or after a separator, that equals a
// heading of the page.
func (h *pageHead) headedPart(title string, spans [][]int, site string) string {
	headings := h.headingKeys()
	best := ""
	for _, span := range spans {
		for _, part := range []string{title[:span[0]], title[span[1]:]} {
			if key := keyOf(part); key != "" && headings[key] && key != keyOf(site) && len(part) > len(best) {
				best = strings.TrimSpace(part)
			}
		}
	}
	return best
}

// headingKeys returns the keys of the page's headings.
func (h *pageHead) headingKeys() map[string]bool {
	if h.keys == nil {
		h.keys = map[string]bool{}
		for _, text := range slices.Concat(h.h1, h.lower) {
			h.keys[keyOf(text)] = true
		}
	}
	return h.keys
}

// headingText returns a heading's text without small print, such as a date.
func headingText(n *html.Node) string {
	var b strings.Builder
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		switch {
		case c.Type == html.TextNode:
			b.WriteString(c.Data)
		case c.DataAtom != atom.Small && c.DataAtom != atom.Time:
			b.WriteString(headingText(c))
		}
	}
	return oneLine(b.String())
}

// isSite reports whether a part of a title is the site's name, as declared or as in the host.
func isSite(part, site, host string) bool {
	key := keyOf(part)
	return key != "" && (key == keyOf(site) || len(key) > 2 && strings.Contains(keyOf(host), key) &&
		len(key)*2 > len(keyOf(domainLabel(host))))
}

func domainLabel(host string) string {
	labels := strings.Split(strings.TrimPrefix(host, "www."), ".")
	if len(labels) > 1 {
		labels = labels[:len(labels)-1]
	}
	return labels[len(labels)-1]
}

// plausibleTime returns the time in UTC, or nil if a text cannot have been published or changed
// then: before 1900, or in more than a year.
func plausibleTime(t time.Time) *time.Time {
	if t = t.UTC(); t.Year() < 1900 || time.Until(t) > 366*24*time.Hour {
		return nil
	}
	return &t
}

// findPublished returns the date that the page declares, or the date that trafilatura finds.
func (h *pageHead) findPublished(search *bodySearch) *time.Time {
	for _, text := range []string{h.linkedText("datePublished"),
		h.firstProperty("article:published_time", "datepublished", "date", "dc.date", "dc.date.issued", "dcterms.date",
			"dcterms.created", "citation_publication_date", "parsely-pub-date", "pubdate", "publishdate",
			"sailthru.date")} {
		if t := parseDate(text); t != nil {
			return t
		}
	}
	published, others := search.articleTimes()
	if published != nil {
		return published
	}
	if found := search.metadata().Date; !found.IsZero() && !others[found.Format(time.DateOnly)] {
		return plausibleTime(found)
	}
	return nil
}

func outsideArticle(n *html.Node) bool {
	for ; n != nil; n = n.Parent {
		if n.DataAtom == atom.Aside || n.DataAtom == atom.Footer || n.DataAtom == atom.Nav {
			return true
		}
	}
	return false
}

func (h *pageHead) buildMeta(host, site string, published *time.Time) Meta {
	m := Meta{Host: host, SiteName: site, Published: published, Section: h.firstProperty("article:section")}
	for _, object := range h.objects {
		m.Types = append(m.Types, linkedTypes(object)...)
		if publisher, ok := object["publisher"].(map[string]any); ok && m.Publisher == "" {
			m.Publisher, _ = publisher["name"].(string)
		}
	}
	return m
}
