package extract

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"errors"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/mmcdole/gofeed"
	"github.com/mmcdole/gofeed/atom"
	"golang.org/x/net/html/charset"

	"rostrum/model"
	"rostrum/model/optional"
)

// FeedEntry is a page in a feed or sitemap.
type FeedEntry struct {
	URL       string
	At        time.Time  // publication or last change; zero if unknown
	Published *time.Time // nil if the feed has only the last change, or no date
}

// ParseFeed returns the pages of a feed (RSS, Atom, JSON Feed) or a sitemap, newest first and
// undated pages last, and the sitemaps of a sitemap index. Relative addresses are resolved against
// the source's address, and entries without an address are omitted. Its errors are *Failure.
func ParseFeed(source Source) (entries []FeedEntry, sitemaps []string, err error) {
	base, err := url.Parse(source.URL)
	if err != nil {
		return nil, nil, &Failure{Code: model.ProcessingErrorCodeUnsupportedContent,
			Message: "the feed's address cannot be read", Cause: err}
	}
	if entries, sitemaps, err = readSitemap(source.Body); err != nil {
		entries, err = readFeed(source.Body)
	}
	if err != nil {
		return nil, nil, &Failure{
			Code:    model.ProcessingErrorCodeUnsupportedContent,
			Message: "the address gives neither an RSS, Atom or JSON feed nor a sitemap", Cause: err,
		}
	}
	for i := range entries {
		entries[i].URL = absoluteURL(base, entries[i].URL)
	}
	for i := range sitemaps {
		sitemaps[i] = absoluteURL(base, sitemaps[i])
	}
	entries = slices.DeleteFunc(entries, func(e FeedEntry) bool { return e.URL == "" })
	SortNewestFirst(entries)
	return entries, sitemaps, nil
}

// SortNewestFirst sorts entries by date, undated entries last. It keeps the order of equal entries.
func SortNewestFirst(entries []FeedEntry) {
	slices.SortStableFunc(entries, func(a, b FeedEntry) int { return b.At.Compare(a.At) })
}

// absoluteURL returns an address resolved against base, and "" if it is invalid.
func absoluteURL(base *url.URL, address string) string {
	address = strings.TrimSpace(address)
	found, err := base.Parse(address)
	if address == "" || err != nil || found.Host == "" {
		return ""
	}
	return found.String()
}

func readFeed(body []byte) ([]FeedEntry, error) {
	parser := gofeed.NewParser()
	parser.AtomTranslator = atomTranslator{}
	feed, err := parser.Parse(bytes.NewReader(body))
	if err == nil && feed.FeedType == "json" && feed.FeedVersion == "" {
		err = errNoFeed // the parser accepts any JSON object as a feed without items
	}
	if err != nil {
		return nil, err
	}
	var entries []FeedEntry
	for _, item := range feed.Items {
		e := FeedEntry{URL: item.Link}
		if e.URL == "" && strings.Contains(item.GUID, "://") {
			e.URL = item.GUID
		}
		if item.PublishedParsed != nil {
			e.Published = plausibleTime(*item.PublishedParsed)
		}
		if at := cmp.Or(item.PublishedParsed, item.UpdatedParsed); at != nil {
			e.At = optional.ValueOr(plausibleTime(*at), time.Time{})
		}
		entries = append(entries, e)
	}
	return entries, nil
}

// atomTranslator is the parser's translator, except that an entry with only the time of its last
// change has no time of publication.
type atomTranslator struct{ gofeed.DefaultAtomTranslator }

// Translate implements gofeed.Translator.
func (t atomTranslator) Translate(parsed any) (*gofeed.Feed, error) {
	feed, err := t.DefaultAtomTranslator.Translate(parsed)
	from, ok := parsed.(*atom.Feed)
	if err != nil || !ok {
		return feed, err
	}
	for i, entry := range from.Entries {
		if entry.PublishedParsed == nil {
			feed.Items[i].PublishedParsed = nil
		}
	}
	return feed, nil
}

// sitemapFile is a file of sitemaps.org: pages or further sitemaps.
type sitemapFile struct {
	XMLName xml.Name
	Pages   []sitemapEntry `xml:"url"`
	Files   []sitemapEntry `xml:"sitemap"`
}

type sitemapEntry struct {
	Location string `xml:"loc"`
	Changed  string `xml:"lastmod"`
}

var (
	errNoSitemap = errors.New("the file is no sitemap")
	errNoFeed    = errors.New("the file is no feed")
)

func readSitemap(body []byte) ([]FeedEntry, []string, error) {
	var read sitemapFile
	decoder := xml.NewDecoder(bytes.NewReader(body))
	decoder.CharsetReader = charset.NewReaderLabel
	if err := decoder.Decode(&read); err != nil {
		return nil, nil, err
	}
	if read.XMLName.Local != "urlset" && read.XMLName.Local != "sitemapindex" {
		return nil, nil, errNoSitemap
	}
	var entries []FeedEntry
	for _, p := range read.Pages {
		entries = append(entries, FeedEntry{URL: p.Location, At: parseChangeTime(p.Changed)})
	}
	var files []string
	for _, f := range read.Files {
		files = append(files, f.Location)
	}
	return entries, files, nil
}

// parseChangeTime parses a W3C date, the format of sitemaps. It returns zero for other formats and
// for times that are not plausible.
func parseChangeTime(text string) time.Time {
	text = strings.TrimSpace(text)
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04Z07:00", "2006-01-02T15:04:05", time.DateOnly,
		"2006-01", "2006"} {
		if at, err := time.Parse(layout, text); err == nil {
			return optional.ValueOr(plausibleTime(at), time.Time{})
		}
	}
	return time.Time{}
}
