package ingest_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/99designs/gqlgen/graphql"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/model"
	"rostrum/test/kit/dbtest"
	"rostrum/test/kit/poll"
)

// TestBackload_keeps_the_dates_of_a_feed checks that a document has the date that the feed states
// for it, also if its page states another one.
func TestBackload_keeps_the_dates_of_a_feed(t *testing.T) {
	const page = `<html lang="en"><head><title>News</title>%s</head><body><article><p>The ferry across the bay will cost one coin less from the first of June, the council decided on Monday with one vote against.</p>
<p>Its members expect more people on the ferry and fewer cars on the bridge, which has been under repair since the winter storms.</p></article></body></html>`
	site := http.NewServeMux()
	site.HandleFunc("/feed.xml", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `<rss version="2.0"><channel><item><link>/dated</link><pubDate>Mon, 05 Jan 2026 10:00:00 GMT</pubDate></item>
<item><link>/plain</link><pubDate>Tue, 06 Jan 2026 10:00:00 GMT</pubDate></item><item><link>/undated</link></item></channel></rss>`)
	})
	for path, head := range map[string]string{"/dated": `<meta property="article:published_time" content="2026-02-01T09:00:00Z">`, "/plain": "", "/undated": ""} {
		site.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprintf(w, page, head)
		})
	}
	server := httptest.NewServer(site)
	t.Cleanup(server.Close)
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		b := setup(t, db)
		b.startJobs(t)
		if _, err := b.StartBackload(b.ctx, api.StartBackloadInput{FeedURL: graphql.OmittableOf(
			new(server.URL + "/feed.xml"))}); err != nil {
			t.Fatal(err)
		}
		var docs []*model.Document
		poll.Until(t, func() bool {
			docs = nil
			if err := db.NewSelect().Model(&docs).Where("processing_status IS NULL").Order("source_url").
				Scan(t.Context()); err != nil {
				t.Fatal(err)
			}
			return len(docs) == 3
		}, "the pages are not read")
		for i, want := range []string{"2026-01-05", "2026-01-06", ""} {
			got, origin := docs[i].ExtractedDate, docs[i].Origins.ExtractedDate
			if isDated := got != nil && got.Format("2006-01-02") == want &&
				*origin == model.AttributionOriginSource; isDated != (want != "") {
				t.Errorf("%s has the date %v (%v), want %q", *docs[i].SourceURL, got, origin, want)
			}
		}
	})
}
