package extract

import (
	"cmp"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

const (
	// maxPageLinks is the maximum number of links of a page that are looked at.
	maxPageLinks = 10_000
	// maxLinkAddress is the maximum length of the address of a link, in bytes.
	maxLinkAddress = 2048
	// maxLinkTitle is the maximum length of the title of a link, in characters, and maxLinkText that of
	// the words that it is made of, in bytes.
	maxLinkTitle, maxLinkText = 300, 10_000
)

// ReadPage returns the links of an HTML page to other pages in their order, the first 10,000, each
// address once and without its fragment. An entry has the heading of its link as title, or else its
// longest words. It reads tags one by one, without building a tree. Its errors are *Failure.
func ReadPage(source Source) (*Listing, error) {
	base, err := url.Parse(source.URL)
	if err != nil || DetectType(source) != "webpage" {
		return nil, unsupportedContent("the address gives no HTML page", err)
	}
	page := &linkReader{base: base, index: map[string]int{addressOf(base, ""): ownAddress}, open: noLink,
		tokens: html.NewTokenizer(strings.NewReader(decodeText(source.Body, source.MediaType, true))),
		listed: Listing{IsPage: true}}
	for len(page.listed.Entries) < maxPageLinks && page.next() {
	}
	page.closeLink()
	return &page.listed, nil
}

// What linkReader.open and linkReader.index have instead of the position of an entry.
const (
	noLink     = -1
	ownAddress = -2
)

// linkReader reads the links of a page.
type linkReader struct {
	tokens  *html.Tokenizer
	base    *url.URL
	isBased bool // the page has said what its addresses are relative to
	listed  Listing
	index   map[string]int // the entries by their addresses; the page's own one is none
	heading []bool         // whether the entry's title is a heading

	open      int // the entry of the link that is being read
	text      strings.Builder
	inHeading bool // a heading is open
	isHeading bool // the text of the open link is that of a heading
	isDone    bool // the heading in the open link has ended
	skipped   atom.Atom
}

// next reads a token. It returns false at the end of the page.
func (r *linkReader) next() bool {
	switch kind := r.tokens.Next(); kind {
	case html.ErrorToken:
		return false
	case html.TextToken:
		r.readText(string(r.tokens.Text()))
	case html.StartTagToken, html.SelfClosingTagToken:
		r.start(r.tokens.Token())
	case html.EndTagToken:
		name, _ := r.tokens.TagName()
		r.end(atom.Lookup(name))
	}
	return true
}

func (r *linkReader) readText(text string) {
	text = text[:min(len(text), maxLinkText)]
	switch {
	case r.skipped == atom.Title:
		r.listed.Title = cmp.Or(r.listed.Title, titleOf(text))
	case r.skipped == 0 && r.open != noLink && !r.isDone && r.text.Len() < maxLinkText:
		r.text.WriteString(text)
	}
}

func (r *linkReader) start(tag html.Token) {
	switch tag.DataAtom {
	case atom.Base:
		if address := addressOf(r.base, attributeOf(tag, "href")); address != "" && !r.isBased {
			r.base, _ = url.Parse(address)
			r.isBased = true
		}
	case atom.A:
		r.closeLink()
		r.openLink(addressOf(r.base, attributeOf(tag, "href")))
	case atom.Title, atom.Script, atom.Style, atom.Noscript, atom.Iframe, atom.Textarea: // what is in them is no markup
		r.skipped = tag.DataAtom
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		r.inHeading = true
		if r.open != noLink && !r.isHeading {
			r.text.Reset()
			r.isHeading = true
		}
	case atom.Img:
		if r.open != noLink && r.text.Len() == 0 {
			r.readText(attributeOf(tag, "alt"))
		}
	default:
		r.separate(tag.DataAtom)
	}
}

// separate keeps the words of different elements apart, except of those that stand within a word.
func (r *linkReader) separate(tag atom.Atom) {
	switch tag {
	case atom.B, atom.Em, atom.I, atom.Mark, atom.Strong, atom.Sub, atom.Sup, atom.U, atom.Wbr:
	default:
		if r.skipped == 0 {
			r.readText(" ")
		}
	}
}

func (r *linkReader) end(tag atom.Atom) {
	switch tag {
	case r.skipped:
		r.skipped = 0
	case atom.A:
		r.closeLink()
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		r.inHeading = false
		r.isDone = r.open != noLink && r.isHeading
	default:
		r.separate(tag)
	}
}

// openLink begins a link, unless its address is none or the page's own one.
func (r *linkReader) openLink(address string) {
	if address == "" {
		return
	}
	at, isKnown := r.index[address]
	if !isKnown {
		at = len(r.listed.Entries)
		r.index[address] = at
		r.listed.Entries = append(r.listed.Entries, FeedEntry{URL: address})
		r.heading = append(r.heading, false)
	}
	if at != ownAddress {
		r.open, r.isHeading = at, r.inHeading
	}
}

// closeLink gives the entry of the open link its title, unless it has a better one.
func (r *linkReader) closeLink() {
	if r.open == noLink {
		return
	}
	entry, title := &r.listed.Entries[r.open], titleOf(r.text.String())
	isBetter := r.isHeading && !r.heading[r.open] ||
		r.isHeading == r.heading[r.open] && len(title) > len(entry.Title)
	if title != "" && isBetter {
		entry.Title, r.heading[r.open] = title, r.isHeading
	}
	r.open, r.isDone = noLink, false
	r.text.Reset()
}

// CleanTitle returns a title in one line, without control characters.
func CleanTitle(text string) string {
	return oneLine(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == utf8.RuneError {
			return ' '
		}
		return r
	}, text))
}

// titleOf returns a title in one line, cut at 300 characters.
func titleOf(text string) string {
	title := []rune(CleanTitle(text))
	return string(title[:min(len(title), maxLinkTitle)])
}

// addressOf returns the address of a page that a link leads to, without its fragment, and "" for
// another one.
func addressOf(base *url.URL, link string) string {
	if link == "" {
		link = base.String()
	}
	address, err := url.Parse(absoluteURL(base, link))
	if err != nil || address.Scheme != "http" && address.Scheme != "https" || address.User != nil {
		return ""
	}
	if text := NormalAddress(address); len(text) <= maxLinkAddress {
		return text
	}
	return ""
}
