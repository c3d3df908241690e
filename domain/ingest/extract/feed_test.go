package extract_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"os"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"rostrum/domain/ingest/extract"
	"rostrum/model"
)

func TestFeed(t *testing.T) {
	t.Parallel()
	day := func(d int) time.Time { return time.Date(2026, 3, d, 0, 0, 0, 0, time.UTC) }
	for _, c := range []struct {
		name, text string
		entries    []extract.FeedEntry
		sitemaps   []string
	}{
		{
			name: "rss",
			text: `<rss version="2.0"><channel><item><link>a</link><pubDate>Sun, 01 Mar 2026 00:00:00 GMT</pubDate></item>
				<item><guid>https://other.example/b</guid></item><item><title>nowhere</title></item>
				<item><link>/c</link><pubDate>Tue, 03 Mar 2026 02:00:00 +0200</pubDate></item></channel></rss>`,
			entries: []extract.FeedEntry{
				{URL: "https://example.com/c", At: day(3), Published: new(day(3))},
				{URL: "https://example.com/x/a", At: day(1), Published: new(day(1))}, {URL: "https://other.example/b"},
			},
		},
		{
			name: "atom",
			text: `<feed xmlns="http://www.w3.org/2005/Atom"><entry><link href="https://example.com/a"/><updated>2026-03-02T00:00:00Z</updated></entry>
				<entry><link href="https://example.com/b"/><published>2026-03-01T00:00:00Z</published><updated>2026-03-04T00:00:00Z</updated></entry></feed>`,
			entries: []extract.FeedEntry{{URL: "https://example.com/a", At: day(2)},
				{URL: "https://example.com/b", At: day(1), Published: new(day(1))}},
		},
		{
			name:    "json feed",
			text:    `{"version": "https://jsonfeed.org/version/1.1", "items": [{"id": "1", "url": "https://example.com/a", "date_published": "2026-03-02T00:00:00Z"}]}`,
			entries: []extract.FeedEntry{{URL: "https://example.com/a", At: day(2), Published: new(day(2))}},
		},
		{
			name: "implausible times",
			text: `<feed xmlns="http://www.w3.org/2005/Atom"><entry><link href="https://example.com/a"/><published>9999-12-31T23:59:59-14:00</published></entry>
				<entry><link href="https://example.com/b"/><updated>0001-01-01T00:00:00+14:00</updated></entry></feed>`,
			entries: []extract.FeedEntry{{URL: "https://example.com/a"}, {URL: "https://example.com/b"}},
		},
		{
			name: "sitemap",
			text: `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
				<url><loc> https://example.com/a </loc><lastmod>2026-03-01</lastmod></url><url><loc>https://example.com/b</loc></url>
				<url><loc>https://example.com/c</loc><lastmod>2026-03-02T01:00+01:00</lastmod></url><url><loc>mailto:x@example.com</loc></url></urlset>`,
			entries: []extract.FeedEntry{{URL: "https://example.com/c", At: day(2)},
				{URL: "https://example.com/a", At: day(1)}, {URL: "https://example.com/b"}},
		},
		{
			name:     "index of sitemaps",
			text:     `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap><loc>/one.xml</loc></sitemap><sitemap><loc>https://example.com/two.xml</loc></sitemap></sitemapindex>`,
			sitemaps: []string{"https://example.com/one.xml", "https://example.com/two.xml"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			listed, err := extract.ParseFeed(extract.Source{URL: "https://example.com/x/feed", Body: []byte(c.text)})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.entries, listed.Entries, addressAndDate); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(c.sitemaps, listed.Sitemaps); diff != "" {
				t.Error(diff)
			}
		})
	}
	for _, text := range []string{"", "words", "https://example.com/a\nand words", "\x1f\x8bwords", "<html><body>a page</body></html>", `{"a": 1}`, "<urlset><url>",
		"<rss"} {
		_, err := extract.ParseFeed(extract.Source{URL: "https://example.com/", Body: []byte(text)})
		if failure, ok := errors.AsType[*extract.Failure](err); !ok ||
			failure.Code != model.ProcessingErrorCodeUnsupportedContent {
			t.Errorf("%q is parsed as a feed: %v", text, err)
		}
	}
}

// TestFeed_bytes reads files of testdata/feed: in UTF-16, with a wrong byte, compressed, as text, and
// with dates and identifiers in less usual forms.
func TestFeed_bytes(t *testing.T) {
	t.Parallel()
	const site = "http://127.77.0.1:18950/"
	at := func(text string) time.Time {
		parsed, err := time.Parse(time.RFC3339, text)
		if err != nil {
			t.Fatal(err)
		}
		return parsed
	}
	entry := func(page, date string) extract.FeedEntry {
		if date == "" {
			return extract.FeedEntry{URL: site + page}
		}
		return extract.FeedEntry{URL: site + page, At: at(date), Published: new(at(date))}
	}
	for name, want := range map[string][]extract.FeedEntry{
		"F08b-utf16.xml":       {entry("f08b.html", "2026-03-03T08:00:00Z")},
		"F08c-mislabelled.xml": {entry("f08c.html", "2026-03-03T08:00:00Z")},
		"F11-sitemap.xml.gz":   {{URL: site + "f11.html", At: at("2026-03-02T00:00:00Z")}},
		"F11b-sitemap.txt":     {entry("f11b.html", "")},
		"F06-guid.xml":         {entry("f06a.html", ""), entry("f06c.html", "")},
		"F03-odd-date.xml": {entry("f03b.html", "2026-03-02T13:00:00Z"), entry("f03d.html", "2026-03-02T08:00:00Z"),
			entry("f03e.html", "2026-03-02T08:00:00Z"), entry("f03c.html", "2026-03-02T07:00:00Z"),
			entry("f03f.html", "2026-03-02T00:00:00Z"), entry("f03.html", "2023-10-28T20:28:28Z")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			body, err := os.ReadFile("testdata/feed/" + name)
			if err != nil {
				t.Fatal(err)
			}
			listed, err := extract.ParseFeed(extract.Source{URL: site + name, Body: body})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, listed.Entries, addressAndDate); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestFeed_bomb refuses a small file that unpacks to a large one.
func TestFeed_bomb(t *testing.T) {
	t.Parallel()
	var body bytes.Buffer
	w := gzip.NewWriter(&body)
	if _, err := w.Write(bytes.Repeat([]byte(" "), 40_000_000)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	_, err := extract.ParseFeed(extract.Source{URL: "https://example.com/", Body: body.Bytes()})
	if failure, ok := errors.AsType[*extract.Failure](err); !ok || failure.Code != model.ProcessingErrorCodeTooLarge {
		t.Errorf("got %v", err)
	}
}

// addressAndDate compares the address and the dates of entries only.
var addressAndDate = cmpopts.IgnoreFields(extract.FeedEntry{}, "ID", "Title")

// TestFeed_names reads the title of a feed, and the titles and identifiers of its entries.
func TestFeed_names(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`<rss version="2.0"><channel><title> News </title><item><title>One</title><link>/a</link><guid isPermaLink="false">https://example.com/?p=1</guid></item></channel></rss>`,
		`<feed xmlns="http://www.w3.org/2005/Atom"><title>News</title><entry><title>One</title><link href="/a"/><id>https://example.com/?p=1</id></entry></feed>`,
		`{"version": "https://jsonfeed.org/version/1.1", "title": "News", "items": [{"id": "https://example.com/?p=1", "url": "/a", "title": "One"}]}`,
	} {
		listed, err := extract.ParseFeed(extract.Source{URL: "https://example.com/feed", Body: []byte(text)})
		if err != nil {
			t.Fatal(err)
		}
		want := &extract.Listing{Title: "News", Entries: []extract.FeedEntry{
			{URL: "https://example.com/a", ID: "https://example.com/?p=1", Title: "One"}}}
		if diff := cmp.Diff(want, listed); diff != "" {
			t.Error(diff)
		}
	}
}

// FuzzFeed checks that the parser accepts any bytes.
func FuzzFeed(f *testing.F) {
	f.Add([]byte(`<rss version="2.0"><channel><item><link>a</link></item></channel></rss>`))
	f.Add([]byte(`<urlset><url><loc>https://example.com/a</loc></url></urlset>`))
	f.Fuzz(func(t *testing.T, body []byte) {
		listed, err := extract.ParseFeed(extract.Source{URL: "https://example.com/", Body: body})
		if err != nil {
			return
		}
		for _, e := range listed.Entries {
			if e.URL == "" {
				t.Error("an entry without an address")
			}
		}
	})
}
