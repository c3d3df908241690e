package extract

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// findAuthor returns the author that the page declares, then the author that trafilatura finds,
// then the author in the markup.
func (h *pageHead) findAuthor(search *bodySearch) string {
	for _, name := range []string{h.linkedAuthor(),
		h.firstProperty("author", "citation_author", "article:author", "dc.creator", "dcterms.creator",
			"parsely-author", "byl")} {
		if name = oneLine(html.UnescapeString(name)); isName(name) {
			return strings.ReplaceAll(name, "; ", ", ")
		}
	}
	if found := search.metadata().Author; found != "" {
		return strings.ReplaceAll(found, "; ", ", ")
	}
	return markedAuthor(search.doc)
}

// isName reports whether a text can be a name. Profile addresses, long strings and strings with
// unusual characters are not names.
func isName(text string) bool {
	return text != "" && len(text) < 200 && !strings.Contains(text, "//") && !strings.ContainsAny(text, "@{}<>")
}

// linkedAuthor returns the joined names of the authors in the article's JSON-LD.
func (h *pageHead) linkedAuthor() string {
	for _, object := range h.objects {
		if !isArticle(object) {
			continue
		}
		if names := authorNames(object["author"]); len(names) > 0 {
			return strings.Join(names, ", ")
		}
	}
	return ""
}

func authorNames(value any) []string {
	switch v := value.(type) {
	case string:
		return []string{v}
	case map[string]any:
		if name, ok := v["name"].(string); ok && name != "" {
			return []string{name}
		}
	case []any:
		var names []string
		for _, one := range v {
			names = append(names, authorNames(one)...)
		}
		return names
	}
	return nil
}

// markedAuthor returns the first name that is marked as the author's or is next to the icon of a
// person.
func markedAuthor(doc *html.Node) string {
	for n := range doc.Descendants() {
		if n.Type != html.ElementNode || outsideArticle(n) {
			continue
		}
		name := ""
		switch {
		case attributeValue(n, "rel") == "author", attributeValue(n, "itemprop") == "author":
			name = oneLine(treeText(n))
		case n.DataAtom == atom.I && strings.Contains(attributeValue(n, "class"), "-user") && n.NextSibling != nil &&
			n.NextSibling.Type == html.TextNode:
			name = oneLine(n.NextSibling.Data)
		}
		if isName(name) && len(strings.Fields(name)) < 6 {
			return name
		}
	}
	return ""
}
