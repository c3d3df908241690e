package extract

import (
	"bytes"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

const (
	// maxFeedLinks is the maximum number of feeds that are listed of a page.
	maxFeedLinks = 10
	// maxHead is how many bytes of a page are searched for its feeds.
	maxHead = 512 << 10
)

// feedTypes are the media types of feeds in the links of a page.
var feedTypes = []string{"application/rss+xml", "application/atom+xml", "application/feed+json"}

// FeedLinks returns the addresses of the feeds that a page names in its head, at most 10, in the
// order of the page. It reads the page's first bytes only, without building a tree.
func FeedLinks(source Source) []string {
	base, err := url.Parse(source.URL)
	if err != nil {
		return nil
	}
	found := []string{}
	page := html.NewTokenizer(bytes.NewReader(source.Body[:min(len(source.Body), maxHead)]))
	for len(found) < maxFeedLinks {
		kind := page.Next()
		if kind == html.ErrorToken {
			return found
		}
		if kind != html.StartTagToken && kind != html.SelfClosingTagToken {
			continue
		}
		switch tag := page.Token(); tag.DataAtom {
		case atom.Base:
			if absolute := absoluteURL(base, attributeOf(tag, "href")); absolute != "" {
				base, _ = url.Parse(absolute)
			}
		case atom.Link, atom.A:
			if address := feedOf(base, tag); address != "" && !slices.Contains(found, address) {
				found = append(found, address)
			}
		}
	}
	return found
}

// feedOf returns the address of the feed that a tag leads to, or "".
func feedOf(base *url.URL, tag html.Token) string {
	relations := strings.Fields(strings.ToLower(attributeOf(tag, "rel")))
	media, _, _ := strings.Cut(strings.ToLower(attributeOf(tag, "type")), ";")
	if !slices.Contains(relations, "alternate") || !slices.Contains(feedTypes, strings.TrimSpace(media)) {
		return ""
	}
	return absoluteURL(base, attributeOf(tag, "href"))
}

func attributeOf(tag html.Token, name string) string {
	for _, attribute := range tag.Attr {
		if attribute.Key == name {
			return attribute.Val
		}
	}
	return ""
}
