package page

import (
	"encoding/xml"
	"fmt"
	"io"
	"strconv"
	"time"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"

	"rostrum/model"
	"rostrum/model/optional"
)

// News is a published text in a newsroom.
type News struct {
	Title, Summary string
	URL            string // the address of its page
	Lang           string // BCP 47 tag; empty is en
	PublishedAt    time.Time
	UpdatedAt      time.Time // not before PublishedAt
}

// Newsroom is a page of the list of published texts.
type Newsroom struct {
	Brand    *model.Brand
	URL      string // the address of the newsroom
	Lang     string // of the words around the list; empty is en
	News     []News // newest first
	Number   int    // of the page, from 1
	HasOlder bool   // there is another page
}

// FeedName is the last part of the address of a newsroom's feed.
const FeedName = "feed.atom"

// newsroomView is the data of the newsroom's template.
type newsroomView struct {
	headView
	Feed, Newer, Older string // addresses; empty for none
	News               []newsView
	Words              newsroomTexts
}

// newsView is a published text as the page shows it.
type newsView struct {
	News
	Lang, Dir, Language, Date, Time string
}

// RenderNewsroom writes a page of a newsroom as HTML. It links to the feed, so that readers of feeds
// find it.
func RenderNewsroom(w io.Writer, n Newsroom) error {
	head, texts := newHead("", n.Lang, n.Brand)
	head.Title = newsroomTitle(n.Brand, texts)
	v := newsroomView{headView: head, Feed: n.URL + "/" + FeedName, Words: texts.Newsroom}
	v.Meta = &Meta{URL: pageURL(n.URL, n.Number), SiteName: optional.ValueOr(n.Brand.Name, "")}
	if n.Number > 1 {
		v.Newer = pageURL(n.URL, n.Number-1)
	}
	if n.HasOlder {
		v.Older = pageURL(n.URL, n.Number+1)
	}
	for _, one := range n.News {
		v.News = append(v.News, newNewsView(one))
	}
	return writeTemplate(w, "newsroom", v)
}

func newsroomTitle(b *model.Brand, texts pageTexts) string {
	return optional.ValueOr(b.Name, "") + " · " + texts.Newsroom.Title
}

func pageURL(address string, number int) string {
	if number == 1 {
		return address
	}
	return address + "?page=" + strconv.Itoa(number)
}

func newNewsView(one News) newsView {
	lang, _ := textsFor(one.Lang)
	at := one.PublishedAt.UTC()
	v := newsView{News: one, Lang: lang, Dir: directionOf(lang), Language: lang, Date: at.Format(time.DateOnly),
		Time: at.Format(time.RFC3339Nano)}
	if v.Dir == "" {
		v.Dir = "ltr" // also within a page from right to left
	}
	if name := display.Self.Name(language.Make(lang)); name != "" {
		v.Language = name
	}
	return v
}

// The elements of an Atom feed (RFC 4287).
type (
	atomFeed struct {
		XMLName xml.Name    `xml:"http://www.w3.org/2005/Atom feed"`
		Lang    string      `xml:"xml:lang,attr"`
		ID      string      `xml:"id"`
		Title   string      `xml:"title"`
		Updated string      `xml:"updated"`
		Author  string      `xml:"author>name"`
		Logo    string      `xml:"logo,omitempty"`
		Links   []atomLink  `xml:"link"`
		Entries []atomEntry `xml:"entry"`
	}
	atomEntry struct {
		Lang      string   `xml:"xml:lang,attr"`
		ID        string   `xml:"id"`
		Title     string   `xml:"title"`
		Published string   `xml:"published"`
		Updated   string   `xml:"updated"`
		Link      atomLink `xml:"link"`
		Summary   string   `xml:"summary,omitempty"`
	}
	atomLink struct {
		Rel  string `xml:"rel,attr"`
		Type string `xml:"type,attr"`
		Href string `xml:"href,attr"`
	}
)

// Feed returns the newsroom as an Atom feed; logo is the address of the logo, or empty. The address of
// a text's page is its id, as it never changes.
func Feed(n Newsroom, logo string) ([]byte, error) {
	lang, texts := textsFor(n.Lang)
	feed := atomFeed{Lang: lang, ID: n.URL, Title: newsroomTitle(n.Brand, texts), Logo: logo,
		Updated: n.LastChange().Format(time.RFC3339Nano), Author: optional.ValueOr(n.Brand.Name, ""),
		Links: []atomLink{{"self", "application/atom+xml", n.URL + "/" + FeedName}, {"alternate", "text/html", n.URL}}}
	for _, one := range n.News {
		lang, _ := textsFor(one.Lang)
		feed.Entries = append(feed.Entries, atomEntry{Lang: lang, ID: one.URL, Title: one.Title,
			Published: one.PublishedAt.UTC().Format(time.RFC3339Nano), Updated: one.UpdatedAt.UTC().Format(time.RFC3339Nano),
			Link: atomLink{"alternate", "text/html", one.URL}, Summary: one.Summary})
	}
	body, err := xml.MarshalIndent(feed, "", " ")
	if err != nil {
		return nil, fmt.Errorf("write the feed: %w", err)
	}
	return append([]byte(xml.Header), append(body, '\n')...), nil
}

// LastChange returns when the brand or one of the texts last changed.
func (n Newsroom) LastChange() time.Time {
	last := n.Brand.UpdatedAt
	for _, one := range n.News {
		if one.UpdatedAt.After(last) {
			last = one.UpdatedAt
		}
	}
	return last.UTC()
}
