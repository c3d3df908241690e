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
	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/domain/account"
	"rostrum/domain/document"
	"rostrum/domain/ingest"
	"rostrum/domain/ingest/extract"
	"rostrum/errs"
	"rostrum/fetch"
	"rostrum/job"
	"rostrum/live"
	"rostrum/model"
	"rostrum/testkit"
)

// bundle is the room on its neighbours; its jobs run only when start is called.
type bundle struct {
	*ingest.Service
	documents *document.Service
	jobs      *job.Service
	ctx       context.Context
	site      string
}

func setup(t *testing.T, db *dbx.DB) *bundle {
	t.Helper()
	if err := job.Migrate(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	news := testkit.OpenLive(t, live.Config{})
	jobs, err := job.New(db, news, job.Config{Queues: map[string]int{ingest.JobType: 4, ingest.BackloadJob: 1}})
	if err != nil {
		t.Fatal(err)
	}
	documents := document.New(db, news, func(text string) document.Reading { return document.Reading{Words: len(text)} })
	client := fetch.New(fetch.Config{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}})
	if _, err := db.NewInsert().Model(&model.Workspace{ID: "w", RunLimit: 100, CreatedAt: model.Now()}).Exec(t.Context()); err != nil {
		t.Fatal(err)
	}
	site := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(site.Close)
	return &bundle{
		Service: ingest.New(db, jobs, documents, account.New(db, news), noTags{}, client, extract.New(extract.Config{})), documents: documents, jobs: jobs,
		ctx: model.WithPrincipal(t.Context(), model.Principal{WorkspaceID: "w"}), site: site.URL,
	}
}

func (b *bundle) start(t *testing.T) {
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

// wait reads a document once its ingestion has ended one way or the other.
func (b *bundle) wait(t *testing.T, id string) *model.Document {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		doc, err := b.documents.Get(b.ctx, id)
		if err != nil {
			t.Fatal(err)
		}
		if doc.ProcessingStatus == nil || *doc.ProcessingStatus == model.ProcessingStatusFailed {
			return doc
		}
	}
	t.Fatalf("%s did not end", id)
	return nil
}

func TestIngest_one_address_posted_at_once_is_one_document(t *testing.T) {
	testkit.EachDB(t, func(t *testing.T, db *dbx.DB) {
		b := setup(t, db)
		const posts = 20
		made, fresh := map[string]bool{}, 0
		var mu sync.Mutex
		var posting sync.WaitGroup
		for range posts {
			posting.Go(func() {
				out, err := b.Ingest(b.ctx, model.IngestDocumentInput{SourceURL: b.site + "/page?utm_campaign=x#part"}, false)
				if err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				defer mu.Unlock()
				made[out.DocumentID] = true
				if !out.Duplicate {
					fresh++
				}
			})
		}
		posting.Wait()
		if n, err := b.documents.Count(b.ctx, nil); len(made) != 1 || fresh != 1 || n != 1 || err != nil {
			t.Errorf("%d ids, %d new, %d stored, error %v; want one of each", len(made), fresh, n, err)
		}
	})
}

func TestIngest_the_row_and_its_job_stand_or_fall_together(t *testing.T) {
	testkit.EachDB(t, func(t *testing.T, db *dbx.DB) {
		b := setup(t, db)
		ctx, cancel := context.WithCancel(b.ctx)
		cancel()
		if _, err := b.Ingest(ctx, model.IngestDocumentInput{SourceURL: b.site + "/page"}, false); err == nil {
			t.Error("a post under an ended context succeeded")
		}
		jobs, err := db.NewSelect().Model((*model.Job)(nil)).Count(t.Context())
		if n, err2 := b.documents.Count(b.ctx, nil); n != 0 || jobs != 0 || err != nil || err2 != nil {
			t.Errorf("%d documents and %d jobs, errors %v %v", n, jobs, err, err2)
		}
	})
}

func TestRetry_a_failed_fetch_keeps_the_text_there_is(t *testing.T) {
	testkit.EachDB(t, func(t *testing.T, db *dbx.DB) {
		b := setup(t, db)
		made, err := b.Ingest(b.ctx, model.IngestDocumentInput{SourceURL: b.site + "/missing"}, false)
		if err != nil {
			t.Fatal(err)
		}
		b.cancel(t, *made.ScrapeJobID)
		text := "What the client knows of it."
		supplied, err := b.Retry(b.ctx, made.DocumentID, &model.DocumentRetryInput{Content: graphql.OmittableOf(&text)})
		if err != nil {
			t.Fatal(err)
		}
		b.cancel(t, supplied.JobID)
		b.start(t)
		if _, err := b.Retry(b.ctx, made.DocumentID, nil); err != nil {
			t.Fatal(err)
		}
		doc := b.wait(t, made.DocumentID)
		if doc.Content == nil || *doc.Content != text || doc.ProcessingError == nil || doc.ProcessingError.Code != model.ProcessingErrorCodeHttpStatus {
			t.Errorf("document is %+v", doc)
		}
	})
}

func (b *bundle) cancel(t *testing.T, jobID string) {
	t.Helper()
	if _, err := b.jobs.Cancel(b.ctx, "w", jobID, "system", ""); err != nil {
		t.Fatal(err)
	}
}

func TestIngest_a_document_deleted_meanwhile_ends_its_job(t *testing.T) {
	testkit.EachDB(t, func(t *testing.T, db *dbx.DB) {
		b := setup(t, db)
		made, err := b.Ingest(b.ctx, model.IngestDocumentInput{SourceURL: b.site + "/page"}, false)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := b.documents.Delete(b.ctx, made.DocumentID); err != nil {
			t.Fatal(err)
		}
		b.start(t)
		events, err := b.jobs.Watch(b.ctx, "w", *made.ScrapeJobID, nil)
		if err != nil {
			t.Fatal(err)
		}
		var last *model.JobEvent
		for event := range events {
			last = event
		}
		if last == nil || last.Job.Status != model.JobStatusFailed || last.Job.ErrorCode == nil || *last.Job.ErrorCode != string(errs.NotFound) {
			t.Errorf("the job ended with %+v", last)
		}
	})
}

// noTags is a workspace without auto-tags.
type noTags struct{}

func (noTags) Wanted(context.Context, bun.IDB, string) (bool, error) { return false, nil }

func (noTags) Find(context.Context, *model.Document) (func(context.Context, dbx.Tx) error, error) {
	return nil, nil
}
