package extract

import (
	"strings"

	"github.com/markusmobius/go-trafilatura"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// author prefers what the page declares over what trafilatura finds, and that over how the text is marked up.
func (h *head) author(doc *html.Node, found trafilatura.Metadata) string {
	for _, name := range []string{h.linkedAuthor(), h.property("author", "citation_author", "article:author", "dc.creator", "dcterms.creator", "parsely-author", "byl")} {
		if name = oneLine(html.UnescapeString(name)); isName(name) {
			return strings.ReplaceAll(name, "; ", ", ")
		}
	}
	if found.Author != "" {
		return strings.ReplaceAll(found.Author, "; ", ", ")
	}
	return markedAuthor(doc)
}

// isName leaves out profile addresses, and strings that are too long or hold what names do not.
func isName(text string) bool {
	return text != "" && len(text) < 200 && !strings.Contains(text, "//") && !strings.ContainsAny(text, "@{}<>")
}

// linkedAuthor joins the names of the authors in the article's JSON-LD.
func (h *head) linkedAuthor() string {
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

// markedAuthor finds the first name that is marked as the author's, or that stands beside the icon of a person.
func markedAuthor(doc *html.Node) string {
	for n := range doc.Descendants() {
		if n.Type != html.ElementNode || besideArticle(n) {
			continue
		}
		name := ""
		switch {
		case attr(n, "rel") == "author", attr(n, "itemprop") == "author":
			name = oneLine(treeText(n))
		case n.DataAtom == atom.I && strings.Contains(attr(n, "class"), "-user") && n.NextSibling != nil && n.NextSibling.Type == html.TextNode:
			name = oneLine(n.NextSibling.Data)
		}
		if isName(name) && len(strings.Fields(name)) < 6 {
			return name
		}
	}
	return ""
}
