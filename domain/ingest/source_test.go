package ingest_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/domain/account"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/test/kit/dbtest"
)

// changes collects the names of the events and the actions of the audit log.
type changes struct {
	mu              sync.Mutex
	events, actions []string
}

func (c *changes) record(_ dbx.Tx, _, name, _ string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.events = append(c.events, name)
}

func (c *changes) audit(_ context.Context, _ dbx.Tx, _, action, _ string, _ map[string]any) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.actions = append(c.actions, action)
	return nil
}

// lastEvent returns the name of the latest event.
func (c *changes) lastEvent() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.events[len(c.events)-1]
}

// newsFeed is a site with a feed that a test changes.
type newsFeed struct {
	*httptest.Server
	mu      sync.Mutex
	entries []string // items of the feed
	etag    string
	status  int // of the feed; 0 is 200
	header  map[string]string
	body    string // instead of the entries
	bodies  int    // how many times the feed was sent
}

func newNewsFeed(t *testing.T) *newsFeed {
	t.Helper()
	f := &newsFeed{header: map[string]string{}}
	f.Server = httptest.NewServer(f)
	t.Cleanup(f.Close)
	return f
}

// ServeHTTP sends the feed, and nothing of other addresses.
func (f *newsFeed) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if r.URL.Path != "/feed" {
		http.NotFound(w, r)
		return
	}
	for name, value := range f.header {
		w.Header().Set(name, value)
	}
	if f.status != 0 {
		w.WriteHeader(f.status)
		return
	}
	if f.etag != "" {
		w.Header().Set("ETag", f.etag)
		if r.Header.Get("If-None-Match") == f.etag {
			w.WriteHeader(http.StatusNotModified)
			return
		}
	}
	f.bodies++
	if f.body != "" {
		fmt.Fprint(w, f.body)
		return
	}
	fmt.Fprintf(w, `<rss version="2.0"><channel><title>News</title>%s</channel></rss>`, strings.Join(f.entries, ""))
}

// change changes the site while no request is answered.
func (f *newsFeed) change(do func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	do()
}

// add adds the newest entry to the feed.
func (f *newsFeed) add(path, title, id string) {
	f.change(func() {
		item := fmt.Sprintf(`<item><title>%s</title><link>%s</link><guid isPermaLink="false">%s</guid></item>`, title, path, id)
		f.entries = append([]string{item}, f.entries...)
	})
}

// sourceBundle is a testBundle with a feed and a clock.
type sourceBundle struct {
	*testBundle
	t    *testing.T
	db   *dbx.DB
	feed *newsFeed
	at   time.Time
}

func eachSource(t *testing.T, test func(t *testing.T, b *sourceBundle)) {
	t.Helper()
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		b := &sourceBundle{testBundle: setup(t, db), t: t, db: db, feed: newNewsFeed(t), at: model.Now()}
		b.SetClock(func() time.Time { return b.at })
		test(t, b)
	})
}

func (b *sourceBundle) create(change func(*api.CreateSourceInput)) *model.Source {
	b.t.Helper()
	in := api.CreateSourceInput{URL: graphql.OmittableOf(new(b.feed.URL + "/feed"))}
	if change != nil {
		change(&in)
	}
	out, err := b.CreateSource(b.ctx, in)
	if err != nil {
		b.t.Fatal(err)
	}
	return out.Source
}

// poll polls what is due after a pause, and returns the source.
func (b *sourceBundle) poll(id string, pause time.Duration) *model.Source {
	b.t.Helper()
	b.at = b.at.Add(pause)
	if err := b.PollDue(b.t.Context()); err != nil {
		b.t.Fatal(err)
	}
	src, err := b.Source(b.ctx, id)
	if err != nil || src == nil {
		b.t.Fatal(src, err)
	}
	return src
}

// wantDocuments checks the paths of the documents, in the order of their creation.
func (b *sourceBundle) wantDocuments(want ...string) {
	b.t.Helper()
	var docs []*model.Document
	if err := b.db.NewSelect().Model(&docs).Order("created_at", "id").Scan(b.t.Context()); err != nil {
		b.t.Fatal(err)
	}
	var got []string
	for _, doc := range docs {
		got = append(got, strings.TrimPrefix(*doc.SourceURL, b.feed.URL))
	}
	if !slices.Equal(got, want) {
		b.t.Errorf("the documents are %q, want %q", got, want)
	}
}

func TestSource_brings_in_new_entries(t *testing.T) {
	eachSource(t, func(t *testing.T, b *sourceBundle) {
		for n := range 22 {
			b.feed.add(fmt.Sprintf("/old%02d", n), "Old", fmt.Sprint("old", n))
		}
		src := b.create(func(in *api.CreateSourceInput) {
			in.TitleExcludes = graphql.OmittableOf([]string{" Advert "})
			in.Tags = graphql.OmittableOf([]string{"press"})
			in.Visibility = graphql.OmittableOf(new(model.VisibilityInternal))
		})
		b.feed.change(func() { b.feed.etag = `"1"` })
		first := b.poll(src.ID, 0)
		if first.EntriesSeen != 22 || first.DocumentsCreated != 20 || first.WaitingCount != 0 || first.LastError != nil {
			t.Fatalf("after the first poll: %+v", first)
		}
		if !first.NextPollAt.Equal(b.at.Add(time.Hour)) || !first.LastPolledAt.Equal(b.at) {
			t.Errorf("polled at %v, next at %v", first.LastPolledAt, first.NextPollAt)
		}
		if same := b.poll(src.ID, time.Hour); same.EntriesSeen != 22 || b.feed.bodies != 1 {
			t.Errorf("an unchanged feed was read %d times: %+v", b.feed.bodies, same)
		}
		b.feed.add("/new1", "One", "new1")
		b.feed.add("/new2", "An advert", "new2")
		b.feed.add("/old01?utm_source=x", "Old", "another id")
		b.feed.add("/moved", "Old", "old5")
		b.feed.change(func() { b.feed.etag = `"2"` })
		if grown := b.poll(src.ID, time.Hour); grown.EntriesSeen != 24 || grown.DocumentsCreated != 21 {
			t.Errorf("after two new entries: %+v", grown)
		}
		var docs []*model.Document
		if err := b.db.NewSelect().Model(&docs).Where("source_id = ?", src.ID).Order("created_at").Scan(t.Context()); err != nil {
			t.Fatal(err)
		}
		newest := docs[len(docs)-1]
		if len(docs) != 21 || !strings.HasSuffix(*newest.SourceURL, "/new1") || newest.Tags[0] != "press" ||
			newest.Visibility != model.VisibilityInternal {
			t.Errorf("%d documents, the newest %+v", len(docs), newest)
		}
	})
}

func TestSource_that_fails(t *testing.T) {
	eachSource(t, func(t *testing.T, b *sourceBundle) {
		b.feed.add("/a", "A", "a")
		src := b.create(nil)
		b.feed.change(func() { b.feed.status, b.feed.header["Retry-After"] = http.StatusTooManyRequests, "7200" })
		asked := b.poll(src.ID, 0)
		if !asked.NextPollAt.Equal(b.at.Add(2*time.Hour)) || asked.LastError.Code != "http_status" || asked.IsFailing {
			t.Errorf("a server that asks for two hours: %+v", asked)
		}
		b.feed.change(func() { b.feed.status, b.feed.header = http.StatusBadGateway, map[string]string{} })
		if again := b.poll(src.ID, time.Hour); again.ConsecutiveFailures != 1 {
			t.Errorf("it was polled before it was due: %+v", again)
		}
		if second := b.poll(src.ID, time.Hour); !second.NextPollAt.Equal(b.at.Add(10 * time.Minute)) {
			t.Errorf("after the second failure: %+v", second)
		}
		b.feed.change(func() { b.feed.status, b.feed.body = 0, "<html><body>Maintenance</body></html>" })
		third := b.poll(src.ID, 10*time.Minute)
		if !third.IsFailing || third.LastError.Code != "unsupported_content" || b.changes.lastEvent() != model.EventSourceFailing {
			t.Errorf("after the third failure: %+v, %s", third, b.changes.lastEvent())
		}
		b.feed.change(func() { b.feed.body = "" })
		if back := b.poll(src.ID, 20*time.Minute); back.IsFailing || back.LastError != nil ||
			b.changes.lastEvent() != model.EventSourceRecovered {
			t.Errorf("after it recovered: %+v, %s", back, b.changes.lastEvent())
		}
		b.wantDocuments("/a")
		b.feed.change(func() { b.feed.status = http.StatusGone })
		gone := b.poll(src.ID, time.Hour)
		if !gone.IsPaused() || *gone.PausedReason != model.SourcePausedReasonGone || !gone.IsFailing || gone.NextPollAt != nil {
			t.Errorf("after 410: %+v", gone)
		}
		if _, err := b.PollSource(b.ctx, src.ID); !errs.Is(err, errs.InvalidState) {
			t.Errorf("a paused source is polled: %v", err)
		}
		b.feed.change(func() { b.feed.status = 0 })
		if _, err := b.UpdateSource(b.ctx, api.UpdateSourceInput{SourceID: src.ID,
			IsPaused: graphql.OmittableOf(new(false))}); err != nil {
			t.Fatal(err)
		}
		if back := b.poll(src.ID, 0); back.IsPaused() || back.IsFailing || back.LastError != nil {
			t.Errorf("after it was resumed: %+v", back)
		}
	})
}

func TestSource_waits_for_runs(t *testing.T) {
	eachSource(t, func(t *testing.T, b *sourceBundle) {
		for _, path := range []string{"/a", "/b", "/c"} {
			b.feed.add(path, path, path)
		}
		if _, err := b.accounts.SetBudget(t.Context(), "w", account.BudgetSettings{Limit: 1}); err != nil {
			t.Fatal(err)
		}
		src := b.create(nil)
		waits := b.poll(src.ID, 0)
		if waits.WaitingCount != 2 || waits.LastError.Code != "budget_exhausted" || waits.ConsecutiveFailures != 0 {
			t.Errorf("without runs: %+v", waits)
		}
		b.wantDocuments("/a")
		if _, err := b.accounts.SetBudget(t.Context(), "w", account.BudgetSettings{Limit: 10}); err != nil {
			t.Fatal(err)
		}
		if done := b.poll(src.ID, time.Hour); done.WaitingCount != 0 || done.LastError != nil {
			t.Errorf("with runs again: %+v", done)
		}
		b.wantDocuments("/a", "/b", "/c")
	})
}

// TestSource_of_a_sitemap takes all pages of an index of sitemaps whose addresses fit, and no page that
// the workspace has already.
func TestSource_of_a_sitemap(t *testing.T) {
	eachSource(t, func(t *testing.T, b *sourceBundle) {
		site := http.NewServeMux()
		site.HandleFunc("/sitemap.xml", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("ETag", "always the same")
			fmt.Fprint(w, `<sitemapindex><sitemap><loc>/news.txt</loc></sitemap><sitemap><loc>/missing</loc></sitemap></sitemapindex>`)
		})
		number := 25
		site.HandleFunc("/news.txt", func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprintf(w, "http://%s/about\n", r.Host)
			for n := range number {
				fmt.Fprintf(w, "http://%s/news/%d\n", r.Host, n)
			}
		})
		server := httptest.NewServer(site)
		t.Cleanup(server.Close)
		if _, err := b.Ingest(b.ctx, api.IngestDocumentInput{SourceURL: server.URL + "/news/3"}); err != nil {
			t.Fatal(err)
		}
		src := b.create(func(in *api.CreateSourceInput) {
			in.URL, in.TakesAll = graphql.OmittableOf(new(server.URL+"/sitemap.xml")), graphql.OmittableOf(new(true))
			in.TitleIncludes = graphql.OmittableOf([]string{"/News/"})
		})
		got := b.poll(src.ID, 0)
		if got.Kind != model.SourceKindSitemap || got.EntriesSeen != 26 || got.DocumentsCreated != 24 {
			t.Errorf("after the first poll: %+v", got)
		}
		number = 26
		if got := b.poll(src.ID, time.Hour); got.EntriesSeen != 27 || got.DocumentsCreated != 25 {
			t.Errorf("after a new page: %+v", got)
		}
		counts, err := b.documents.FailedOf(b.ctx, []string{src.ID, "src_none"})
		if err != nil || *counts[0] != 0 || *counts[1] != 0 {
			t.Errorf("%v failed (%v)", counts, err)
		}
	})
}

// TestSource_killed stops a process after it has stored the entries, and lets another one go on.
func TestSource_killed(t *testing.T) {
	eachSource(t, func(t *testing.T, b *sourceBundle) {
		b.feed.add("/a", "A", "a")
		b.feed.add("/b", "B", "b")
		b.feed.change(func() { b.feed.etag = `"1"` })
		src := b.create(nil)
		if err := b.StoreDue(t.Context()); err != nil {
			t.Fatal(err)
		}
		b.wantDocuments()
		b.poll(src.ID, time.Minute)
		b.wantDocuments() // the lease has not ended
		if done := b.poll(src.ID, 5*time.Minute); done.WaitingCount != 0 || done.DocumentsCreated != 2 {
			t.Errorf("after the lease: %+v", done)
		}
		b.wantDocuments("/a", "/b")
	})
}
