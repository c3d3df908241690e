package extract

import (
	"bytes"
	"encoding/xml"
	"errors"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/mmcdole/gofeed"
	"golang.org/x/net/html/charset"

	"rostrum/model"
)

// Entry is a page that a feed or sitemap names.
type Entry struct {
	URL string
	At  time.Time // when it was published or last changed; zero when that is not said
}

// Feed lists the pages of a feed (RSS, Atom, JSON Feed) or a sitemap, newest first and those without a date last, and the further
// sitemaps of an index of sitemaps. Addresses are made absolute by the source's own; an entry without one is left out. Its errors
// are *Failure.
func Feed(source Source) (entries []Entry, sitemaps []string, err error) {
	base, err := url.Parse(source.URL)
	if err != nil {
		return nil, nil, &Failure{Code: model.ProcessingErrorCodeUnsupportedContent, Message: "the feed's address cannot be read", Cause: err}
	}
	if entries, sitemaps, err = readSitemap(source.Body); err != nil {
		entries, err = readFeed(source.Body)
	}
	if err != nil {
		return nil, nil, &Failure{
			Code: model.ProcessingErrorCodeUnsupportedContent, Message: "the address gives neither an RSS, Atom or JSON feed nor a sitemap", Cause: err,
		}
	}
	for i := range entries {
		entries[i].URL = absolute(base, entries[i].URL)
	}
	for i := range sitemaps {
		sitemaps[i] = absolute(base, sitemaps[i])
	}
	entries = slices.DeleteFunc(entries, func(e Entry) bool { return e.URL == "" })
	NewestFirst(entries)
	return entries, sitemaps, nil
}

// NewestFirst orders entries by their dates, those without one last, and else as they were.
func NewestFirst(entries []Entry) {
	slices.SortStableFunc(entries, func(a, b Entry) int { return b.At.Compare(a.At) })
}

// absolute is an address as a page at base means it; empty when it is none.
func absolute(base *url.URL, address string) string {
	address = strings.TrimSpace(address)
	found, err := base.Parse(address)
	if address == "" || err != nil || found.Host == "" {
		return ""
	}
	return found.String()
}

func readFeed(body []byte) ([]Entry, error) {
	feed, err := gofeed.NewParser().Parse(bytes.NewReader(body))
	if err == nil && feed.FeedType == "json" && feed.FeedVersion == "" {
		err = errNoFeed // any JSON object passes for a feed without items
	}
	if err != nil {
		return nil, err
	}
	var entries []Entry
	for _, item := range feed.Items {
		e := Entry{URL: item.Link}
		if e.URL == "" && strings.Contains(item.GUID, "://") {
			e.URL = item.GUID
		}
		switch {
		case item.PublishedParsed != nil:
			e.At = item.PublishedParsed.UTC()
		case item.UpdatedParsed != nil:
			e.At = item.UpdatedParsed.UTC()
		}
		entries = append(entries, e)
	}
	return entries, nil
}

// sitemap is a file as sitemaps.org describes it: pages, or further such files.
type sitemap struct {
	XMLName xml.Name
	Pages   []place `xml:"url"`
	Files   []place `xml:"sitemap"`
}

type place struct {
	Location string `xml:"loc"`
	Changed  string `xml:"lastmod"`
}

var (
	errNoSitemap = errors.New("the file is no sitemap")
	errNoFeed    = errors.New("the file is no feed")
)

func readSitemap(body []byte) ([]Entry, []string, error) {
	var read sitemap
	decoder := xml.NewDecoder(bytes.NewReader(body))
	decoder.CharsetReader = charset.NewReaderLabel
	if err := decoder.Decode(&read); err != nil {
		return nil, nil, err
	}
	if read.XMLName.Local != "urlset" && read.XMLName.Local != "sitemapindex" {
		return nil, nil, errNoSitemap
	}
	var entries []Entry
	for _, p := range read.Pages {
		entries = append(entries, Entry{URL: p.Location, At: changedAt(p.Changed)})
	}
	var files []string
	for _, f := range read.Files {
		files = append(files, f.Location)
	}
	return entries, files, nil
}

// changedAt reads a time as the W3C's note on dates writes it, which sitemaps follow; zero when it is none.
func changedAt(text string) time.Time {
	text = strings.TrimSpace(text)
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04Z07:00", "2006-01-02T15:04:05", time.DateOnly, "2006-01", "2006"} {
		if at, err := time.Parse(layout, text); err == nil {
			return at.UTC()
		}
	}
	return time.Time{}
}
