package ingest_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"rostrum/api"
	"rostrum/errs"
	"rostrum/model"
)

// newsroom is a site with a page of links that a test changes, at /press/ and, by redirects, at /old.
type newsroom struct {
	*httptest.Server
	mu       sync.Mutex
	links    []string // addresses, the newest first; titles are made of them
	media    string
	unbodied int // requests that were answered with 304
}

func newNewsroom(t *testing.T) *newsroom {
	t.Helper()
	n := &newsroom{media: "text/html"}
	n.Server = httptest.NewServer(n)
	t.Cleanup(n.Close)
	return n
}

// ServeHTTP sends the page with a menu, its links and a link to the next page.
func (n *newsroom) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	n.mu.Lock()
	defer n.mu.Unlock()
	switch r.URL.Path {
	case "/old":
		http.Redirect(w, r, "/press/", http.StatusMovedPermanently)
	case "/press/":
		etag := fmt.Sprintf("%q", fmt.Sprint(n.links))
		w.Header().Set("ETag", etag)
		w.Header().Set("Content-Type", n.media)
		if r.Header.Get("If-None-Match") == etag {
			n.unbodied++
			w.WriteHeader(http.StatusNotModified)
			return
		}
		if n.media != "text/html" {
			fmt.Fprint(w, `{"items": []}`)
			return
		}
		fmt.Fprint(w, `<!doctype html><html><head><title>Tidewall press</title></head><body>
			<a href="/">Home</a><a href="/about/team">Team</a><a href="/about/jobs">Jobs</a>`)
		for _, link := range n.links {
			fmt.Fprintf(w, `<h2><a href="%s">About %s</a></h2>`, link, strings.Trim(link, "./"))
		}
		fmt.Fprint(w, `<a href="?page=2" rel="next">Older</a></body></html>`)
	default:
		http.NotFound(w, r)
	}
}

func (n *newsroom) set(links ...string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.links = links
}

// createPage adds the newsroom as a source whose articles begin with the path.
func (b *sourceBundle) createPage(n *newsroom, path string, change func(*api.CreateSourceInput)) *model.Source {
	b.t.Helper()
	return b.create(func(in *api.CreateSourceInput) {
		in.URL = graphql.OmittableOf(new(n.URL + "/old"))
		in.Kind, in.LinkPrefix = graphql.OmittableOf(new(model.SourceKindPage)), graphql.OmittableOf(new(n.URL+path))
		if change != nil {
			change(in)
		}
	})
}

// wantPages checks the paths of the documents, in the order of their creation.
func (b *sourceBundle) wantPages(n *newsroom, want ...string) {
	b.t.Helper()
	for i, path := range want {
		want[i] = n.URL + path
	}
	b.wantDocuments(want...)
}

func TestSource_of_a_page(t *testing.T) {
	eachSource(t, func(t *testing.T, b *sourceBundle) {
		n := newNewsroom(t)
		n.set("release/c", "./release/b#top", "release/b", "/press/release/a", "/press/relations", "https://127.0.0.1:1/press/release/x")
		src := b.createPage(n, "/press/release/", func(in *api.CreateSourceInput) {
			in.TitleExcludes = graphql.OmittableOf([]string{"release/a"})
			in.Tags = graphql.OmittableOf([]string{"press"})
		})
		first := b.poll(src.ID, 0)
		if first.LastError != nil || first.Kind != model.SourceKindPage || first.EntriesSeen != 3 || first.DocumentsCreated != 2 {
			t.Fatalf("after the first poll: %+v, %+v", first, first.LastError)
		}
		b.wantPages(n, "/press/release/b", "/press/release/c")
		if b.poll(src.ID, time.Hour); n.unbodied != 1 {
			t.Errorf("an unchanged page was not modified %d times", n.unbodied)
		}
		n.set("release/d", "release/c")
		if next := b.poll(src.ID, time.Hour); next.EntriesSeen != 4 || next.DocumentsCreated != 3 {
			t.Errorf("after a new link: %+v", next)
		}
		n.set()
		if empty := b.poll(src.ID, time.Hour); empty.LastError != nil {
			t.Errorf("a page that has no links any more: %+v", empty.LastError)
		}
		var doc model.Document
		if err := b.db.NewSelect().Model(&doc).Where("source_url = ?", n.URL+"/press/release/d").Scan(t.Context()); err != nil {
			t.Fatal(err)
		}
		if doc.Tags[0] != "press" || *doc.SourceID != src.ID {
			t.Errorf("the document is %+v", doc)
		}
	})
}

// TestSource_of_a_page_fails gives the reasons of pages that never had an article, and of files.
func TestSource_of_a_page_fails(t *testing.T) {
	eachSource(t, func(t *testing.T, b *sourceBundle) {
		n := newNewsroom(t)
		n.set("release/a", "other/b")
		src := b.createPage(n, "/nowhere/", nil)
		none := b.poll(src.ID, 0)
		if none.LastError == nil || none.LastError.Code != string(errs.NotFound) || none.ConsecutiveFailures != 1 ||
			!strings.Contains(none.LastError.Message, n.URL+"/nowhere/") {
			t.Errorf("no link begins so: %+v, %+v", none, none.LastError)
		}
		change := func(path string) {
			in := api.UpdateSourceInput{SourceID: src.ID, LinkPrefix: graphql.OmittableOf(new(n.URL + path))}
			if _, err := b.UpdateSource(b.ctx, in); err != nil {
				t.Fatal(err)
			}
		}
		change("/press/release/")
		if found := b.poll(src.ID, 0); found.LastError != nil || found.DocumentsCreated != 1 {
			t.Errorf("with another beginning: %+v, %+v", found, found.LastError)
		}
		change("/press/other/")
		if found := b.poll(src.ID, 0); found.LastError != nil || found.DocumentsCreated != 2 {
			t.Errorf("with a third one: %+v, %+v", found, found.LastError)
		}
		n.set("release/z")
		n.media = "application/json"
		if file := b.poll(src.ID, time.Hour); file.LastError == nil || file.LastError.Code != "unsupported_content" ||
			file.Kind != model.SourceKindPage {
			t.Errorf("a file: %+v, %+v", file, file.LastError)
		}
	})
}

func TestSource_of_a_page_validation(t *testing.T) {
	eachSource(t, func(t *testing.T, b *sourceBundle) {
		page, feed := graphql.OmittableOf(new(model.SourceKindPage)), graphql.OmittableOf(new(model.SourceKindFeed))
		address := graphql.OmittableOf(new("https://example.com/news"))
		for name, in := range map[string]api.CreateSourceInput{
			"missing":    {URL: address, Kind: page},
			"relative":   {URL: address, Kind: page, LinkPrefix: graphql.OmittableOf(new("/news/"))},
			"of a feed":  {URL: address, Kind: feed, LinkPrefix: address},
			"of no kind": {URL: address, LinkPrefix: address},
		} {
			_, err := b.CreateSource(b.ctx, in)
			if fields := errs.From(err).Fields; len(fields) != 1 || fields[0].Pointer != "#/linkPrefix" {
				t.Errorf("%s: %v", name, err)
			}
		}
		src := b.create(func(in *api.CreateSourceInput) {
			in.URL, in.Kind, in.LinkPrefix = address, page, graphql.OmittableOf(new("HTTPS://Example.com#top"))
		})
		if *src.LinkPrefix != "https://example.com/" {
			t.Errorf("the beginning is %s", *src.LinkPrefix)
		}
	})
}

func TestPreviewSource_of_a_page(t *testing.T) {
	eachSource(t, func(t *testing.T, b *sourceBundle) {
		n := newNewsroom(t)
		n.set("release/2026/03/c", "release/2026/02/b", "release/a", "release/2025/z", "https://a.example/x/1", "https://a.example/x/2")
		address := n.URL + "/press/"
		preview := func(prefix *string) *api.PreviewSourcePayload {
			out, err := b.PreviewSource(b.ctx, api.PreviewSourceInput{URL: graphql.OmittableOf(&address),
				LinkPrefix: graphql.OmittableOf(prefix)})
			if err != nil {
				t.Fatal(err)
			}
			return out
		}
		out := preview(nil)
		var groups []string
		for _, group := range out.LinkGroups {
			groups = append(groups, fmt.Sprintf("%s %d %v", strings.TrimPrefix(group.LinkPrefix, n.URL), group.LinkCount, group.IsProposed))
		}
		if got, want := strings.Join(groups, ", "), "/press/release/ 4 true, /about/ 2 false, https://a.example/x/ 2 false, / 8 false"; got != want {
			t.Errorf("the groups are %q, want %q", got, want)
		}
		if out.Kind != nil || len(out.Entries) != 0 || *out.LinkGroups[0].Links[0].Title != "About release/2026/03/c" {
			t.Errorf("the preview is %+v", out)
		}
		chosen := preview(&out.LinkGroups[0].LinkPrefix)
		if *chosen.Kind != model.SourceKindPage || chosen.EntryCount != 4 || chosen.Name != "Tidewall press" ||
			chosen.Entries[3].URL != n.URL+"/press/release/2025/z" || len(chosen.LinkGroups) != 4 {
			t.Errorf("with a beginning: %+v", chosen)
		}
		if none := preview(new(n.URL + "/nothing")); none.EntryCount != 0 || *none.Kind != model.SourceKindPage {
			t.Errorf("with another beginning: %+v", none)
		}
		_, err := b.PreviewSource(b.ctx, api.PreviewSourceInput{URL: graphql.OmittableOf(&address),
			LinkPrefix: graphql.OmittableOf(new("release"))})
		if fields := errs.From(err).Fields; len(fields) != 1 || fields[0].Pointer != "#/linkPrefix" {
			t.Errorf("no address: %v", err)
		}
	})
}
