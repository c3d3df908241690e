package extract

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/mmcdole/gofeed"
	"github.com/mmcdole/gofeed/atom"
	"github.com/mmcdole/gofeed/rss"

	"rostrum/model"
	"rostrum/model/optional"
)

// FeedEntry is a page in a feed or sitemap.
type FeedEntry struct {
	URL       string
	ID        string     // the feed's own identifier of the entry; empty without one
	Title     string     // empty in a sitemap
	At        time.Time  // publication or last change; zero if unknown
	Published *time.Time // nil if the feed has only the last change, or no date
}

// Listing is what a feed, a sitemap or a page lists.
type Listing struct {
	Title     string // of the feed or the page; empty for a sitemap
	IsSitemap bool
	IsPage    bool
	Entries   []FeedEntry // newest first, undated entries last; of a page its links in their order
	Sitemaps  []string    // of an index of sitemaps, in place of entries
}

// ParseFeed returns the pages of a feed (RSS, Atom, JSON Feed) or a sitemap (XML or text), or the
// sitemaps of a sitemap index. The file may be compressed by gzip. Relative addresses are resolved
// against the source's address, and entries without an address are omitted. Its errors are *Failure.
func ParseFeed(source Source) (listed *Listing, err error) {
	base, err := url.Parse(source.URL)
	if err != nil {
		return nil, &Failure{Code: model.ProcessingErrorCodeUnsupportedContent,
			Message: "the feed's address cannot be read", Cause: err}
	}
	if source.Body, err = feedText(source); err == nil {
		listed, err = readListing(source.Body)
	}
	if failure, ok := errors.AsType[*Failure](err); ok {
		return nil, failure
	}
	if err != nil {
		return nil, &Failure{
			Code:    model.ProcessingErrorCodeUnsupportedContent,
			Message: "the address gives neither an RSS, Atom or JSON feed nor a sitemap", Cause: err,
		}
	}
	for i := range listed.Entries {
		listed.Entries[i].URL = absoluteURL(base, listed.Entries[i].URL)
	}
	for i := range listed.Sitemaps {
		listed.Sitemaps[i] = absoluteURL(base, listed.Sitemaps[i])
	}
	listed.Entries = slices.DeleteFunc(listed.Entries, func(e FeedEntry) bool { return e.URL == "" })
	SortNewestFirst(listed.Entries)
	return listed, nil
}

// maxFeed is the maximum size of a feed that a compressed file unpacks to, in bytes. It is that of
// fetched bodies.
const maxFeed = 25_000_000

var xmlEncoding = regexp.MustCompile(`^(\s*<\?xml[^>]{0,100}?encoding\s*=\s*["'])[\w:.-]+`)

// feedText returns a feed in UTF-8, unpacked. An invalid byte becomes U+FFFD, so that one entry does
// not make the others unreadable.
func feedText(source Source) ([]byte, error) {
	body := source.Body
	if bytes.HasPrefix(body, []byte("\x1f\x8b")) {
		packed, err := gzip.NewReader(bytes.NewReader(body))
		if err != nil {
			return nil, err
		}
		if body, err = io.ReadAll(io.LimitReader(packed, maxFeed+1)); err != nil {
			return nil, err
		}
		if len(body) > maxFeed {
			return nil, newFailure(model.ProcessingErrorCodeTooLarge,
				fmt.Sprintf("the feed has more than %d MB when it is unpacked", maxFeed/1_000_000))
		}
	}
	text := strings.TrimPrefix(decodeText(body, source.MediaType, true), "\ufeff")
	return xmlEncoding.ReplaceAll([]byte(text), []byte("${1}utf-8")), nil
}

// readListing reads a sitemap or a feed.
func readListing(body []byte) (*Listing, error) {
	if entries, sitemaps, err := readSitemap(body); err == nil {
		return &Listing{IsSitemap: true, Entries: entries, Sitemaps: sitemaps}, nil
	}
	if entries := readAddresses(body); len(entries) > 0 {
		return &Listing{IsSitemap: true, Entries: entries}, nil
	}
	return readFeed(body)
}

// readAddresses reads a text sitemap of sitemaps.org: one full address on each line, and nothing
// else.
func readAddresses(body []byte) (entries []FeedEntry) {
	for line := range strings.Lines(string(body)) {
		line = strings.TrimSpace(line)
		address, err := url.Parse(line)
		switch {
		case line == "":
		case err != nil || address.Host == "" || address.Scheme != "http" && address.Scheme != "https":
			return nil
		default:
			entries = append(entries, FeedEntry{URL: line})
		}
	}
	return entries
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

func readFeed(body []byte) (*Listing, error) {
	parser := gofeed.NewParser()
	parser.AtomTranslator, parser.RSSTranslator = atomTranslator{}, rssTranslator{}
	feed, err := parser.Parse(bytes.NewReader(body))
	if err == nil && feed.FeedType == "json" && feed.FeedVersion == "" {
		err = errNoFeed // the parser accepts any JSON object as a feed without items
	}
	if err != nil {
		return nil, err
	}
	listed := &Listing{Title: CleanTitle(feed.Title)}
	for _, item := range feed.Items {
		e := FeedEntry{URL: item.Link, ID: item.GUID, Title: CleanTitle(item.Title)}
		if e.URL == "" && strings.Contains(item.GUID, "://") && item.Custom[noPermalink] == "" {
			e.URL = item.GUID
		}
		e.Published = entryTime(item.PublishedParsed, item.Published)
		e.At = optional.ValueOr(cmp.Or(e.Published, entryTime(item.UpdatedParsed, item.Updated)), time.Time{})
		listed.Entries = append(listed.Entries, e)
	}
	return listed, nil
}

// entryTime returns a time of an entry as the parser reads it, or as pages state times.
func entryTime(parsed *time.Time, text string) *time.Time {
	if parsed != nil {
		return plausibleTime(*parsed)
	}
	return parseDate(text)
}

// noPermalink marks an entry whose identifier says that it is no address.
const noPermalink = "rostrum.no_permalink"

// rssTranslator is the parser's translator, except that it marks an identifier that says that it is
// no address.
type rssTranslator struct{ gofeed.DefaultRSSTranslator }

// Translate implements gofeed.Translator.
func (t rssTranslator) Translate(parsed any) (*gofeed.Feed, error) {
	feed, err := t.DefaultRSSTranslator.Translate(parsed)
	from, ok := parsed.(*rss.Feed)
	if err != nil || !ok {
		return feed, err
	}
	for i, item := range from.Items {
		if item.GUID != nil && strings.EqualFold(item.GUID.IsPermalink, "false") {
			feed.Items[i].Custom = map[string]string{noPermalink: "true"}
		}
	}
	return feed, nil
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
			feed.Items[i].Published, feed.Items[i].PublishedParsed = entry.Published, nil
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
	if err := newXMLDecoder(body).Decode(&read); err != nil {
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

// parseChangeTime parses a W3C date, the format of sitemaps, which may be only a month or a year. It
// returns zero for other forms and for times that are not plausible.
func parseChangeTime(text string) time.Time {
	text = strings.TrimSpace(text)
	for _, layout := range []string{"2006-01", "2006"} {
		if at, err := time.Parse(layout, text); err == nil {
			return optional.ValueOr(plausibleTime(at), time.Time{})
		}
	}
	return optional.ValueOr(parseDate(text), time.Time{})
}
