package ingest_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"sync"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/domain/account"
	"rostrum/domain/document"
	"rostrum/domain/ingest"
	"rostrum/domain/ingest/extract"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/platform/blob"
	"rostrum/platform/fetch"
	"rostrum/platform/job"
	"rostrum/platform/live"
	"rostrum/platform/principal"
	"rostrum/platform/seal"
	"rostrum/test/kit/dbtest"
	"rostrum/test/kit/mailtest"
	"rostrum/test/kit/poll"
)

// testBundle is the ingest service with its dependencies; its jobs run only after startJobs.
type testBundle struct {
	*ingest.Service
	documents *document.Service
	jobs      *job.Service
	files     *blob.Store
	accounts  *account.Service
	changes   *changes
	ctx       context.Context
	site      string
}

func setup(t *testing.T, db *dbx.DB) *testBundle {
	t.Helper()
	if err := job.Migrate(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	pubsub := dbtest.OpenLive(t, live.Config{})
	jobs, err := job.New(job.Config{DB: db, Live: pubsub,
		Queues: map[string]int{ingest.JobIngest: 4, ingest.JobBackload: 1}})
	if err != nil {
		t.Fatal(err)
	}
	files, err := blob.Open(t.Context(), "", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	documents := document.New(document.Config{DB: db, Files: files, PublicURL: "http://rostrum.example",
		Analyze: func(_, text string) document.TextAnalysis { return document.TextAnalysis{Words: len(text)} }})
	client := fetch.New(fetch.Config{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, PerHost: 100,
		Pause: time.Nanosecond, Roots: mailtest.Roots()})
	sealer, err := seal.New(make([]byte, 32))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.NewInsert().Model(&model.Workspace{ID: "w", RunLimit: 100, CreatedAt: model.Now()}).
		Exec(t.Context()); err != nil {
		t.Fatal(err)
	}
	site := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(site.Close)
	accounts, recorded := account.New(account.Config{DB: db, Live: pubsub}), &changes{}
	return &testBundle{
		Service: ingest.New(ingest.Config{
			DB: db, Jobs: jobs, Documents: documents, Accounts: accounts,
			Tags:  noTags{},
			Fetch: client, Extract: extract.New(extract.Config{}), Audit: recorded.audit, RecordChange: recorded.record,
			Sealer: sealer, CheckSeal: func(context.Context, dbx.Tx) error { return nil },
		}),
		documents: documents, jobs: jobs, files: files, accounts: accounts, changes: recorded,
		ctx: principal.With(t.Context(), principal.Principal{WorkspaceID: "w", Scopes: []model.Scope{model.ScopeRead}}), site: site.URL,
	}
}

func (b *testBundle) startJobs(t *testing.T) {
	t.Helper()
	if err := b.jobs.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.jobs.Stop(context.Background()); err != nil {
			t.Error(err)
		}
	})
}

// waitForIngestion waits until the ingestion of a document has ended, and returns the document.
func (b *testBundle) waitForIngestion(t *testing.T, id string) *model.Document {
	t.Helper()
	var doc *model.Document
	poll.Until(t, func() bool {
		var err error
		if doc, err = b.documents.Get(b.ctx, id); err != nil {
			t.Fatal(err)
		}
		return doc.ProcessingStatus == nil || *doc.ProcessingStatus == model.ProcessingStatusFailed
	}, "%s did not end", id)
	return doc
}

func TestIngest_concurrent_posts_of_one_address_create_one_document(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		b := setup(t, db)
		const posts = 20
		ids, fresh := map[string]bool{}, 0
		var mu sync.Mutex
		var posting sync.WaitGroup
		for range posts {
			posting.Go(func() {
				out, err := b.Ingest(b.ctx, api.IngestDocumentInput{SourceURL: b.site + "/page?utm_campaign=x#part"})
				if err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				defer mu.Unlock()
				ids[out.DocumentID] = true
				if !out.Duplicate {
					fresh++
				}
			})
		}
		posting.Wait()
		if n, err := b.documents.Count(b.ctx, nil); len(ids) != 1 || fresh != 1 || n != 1 || err != nil {
			t.Errorf("%d ids, %d new, %d stored, error %v; want one of each", len(ids), fresh, n, err)
		}
	})
}

func TestIngest_stores_row_and_job_in_one_transaction(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		b := setup(t, db)
		ctx, cancel := context.WithCancel(b.ctx)
		cancel()
		if _, err := b.Ingest(ctx, api.IngestDocumentInput{SourceURL: b.site + "/page"}); err == nil {
			t.Error("a post under an ended context succeeded")
		}
		jobs, err := db.NewSelect().Model((*model.Job)(nil)).Count(t.Context())
		if n, err2 := b.documents.Count(b.ctx, nil); n != 0 || jobs != 0 || err != nil || err2 != nil {
			t.Errorf("%d documents and %d jobs, errors %v %v", n, jobs, err, err2)
		}
	})
}

func TestRetry_failed_fetch_keeps_the_stored_text(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		b := setup(t, db)
		made, err := b.Ingest(b.ctx, api.IngestDocumentInput{SourceURL: b.site + "/missing"})
		if err != nil {
			t.Fatal(err)
		}
		b.cancelJob(t, *made.ScrapeJobID)
		text := "What the client knows of it."
		supplied, err := b.Retry(b.ctx, api.RetryDocumentInput{DocumentID: made.DocumentID,
			Content: graphql.OmittableOf(&text)})
		if err != nil {
			t.Fatal(err)
		}
		b.cancelJob(t, supplied.Job.ID)
		b.startJobs(t)
		if _, err := b.Retry(b.ctx, api.RetryDocumentInput{DocumentID: made.DocumentID}); err != nil {
			t.Fatal(err)
		}
		doc := b.waitForIngestion(t, made.DocumentID)
		if doc.Content == nil || *doc.Content != text || doc.ProcessingError == nil ||
			doc.ProcessingError.Code != model.ProcessingErrorCodeHttpStatus {
			t.Errorf("document is %+v", doc)
		}
	})
}

func (b *testBundle) cancelJob(t *testing.T, jobID string) {
	t.Helper()
	if _, err := b.jobs.Cancel(b.ctx, "w", jobID, "system", ""); err != nil {
		t.Fatal(err)
	}
}

func TestIngest_deleting_the_document_ends_its_job(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		b := setup(t, db)
		made, err := b.Ingest(b.ctx, api.IngestDocumentInput{SourceURL: b.site + "/page"})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := b.documents.Delete(b.ctx, made.DocumentID); err != nil {
			t.Fatal(err)
		}
		b.startJobs(t)
		events, err := b.jobs.Watch(b.ctx, "w", *made.ScrapeJobID, nil)
		if err != nil {
			t.Fatal(err)
		}
		var last *model.JobEvent
		for event := range events {
			last = event
		}
		if last == nil || last.State.Status != model.JobStatusFailed || last.State.ErrorCode == nil ||
			*last.State.ErrorCode != string(errs.NotFound) {
			t.Errorf("the job ended with %+v", last)
		}
	})
}

// noTags is a workspace without auto-tags.
type noTags struct{}

func (noTags) HasEnabledTags(context.Context, dbx.Reader, string) (bool, error) { return false, nil }

func (noTags) Find(context.Context, *model.Document) (func(context.Context, dbx.Tx) error, error) {
	return nil, nil
}
