package audience_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/domain/account"
	"rostrum/domain/audience"
	"rostrum/domain/content"
	"rostrum/domain/document"
	"rostrum/domain/event"
	"rostrum/domain/party"
	"rostrum/domain/persona"
	"rostrum/domain/tag"
	"rostrum/llm"
	"rostrum/llm/offline"
	"rostrum/model"
	"rostrum/platform/fetch"
	"rostrum/platform/job"
	"rostrum/platform/live"
	"rostrum/platform/principal"
	"rostrum/test/kit/dbtest"
	"rostrum/test/kit/poll"
)

// slowEngine is the offline engine with a delay, so that two jobs overlap.
type slowEngine struct{ offline.Engine }

func (e slowEngine) Run(ctx context.Context, task llm.Task) (llm.Answer, error) {
	time.Sleep(30 * time.Millisecond)
	return e.Engine.Run(ctx, task)
}

type testBundle struct {
	*audience.Service
	t         *testing.T
	db        *dbx.DB
	jobs      *job.Service
	events    *event.Service
	documents *document.Service
	content   *content.Service
	personas  *persona.Service
	ctx       context.Context
}

func setup(t *testing.T, db *dbx.DB, build func(audience.Config) *audience.Service) *testBundle {
	t.Helper()
	if err := job.Migrate(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	pubsub := dbtest.OpenLive(t, live.Config{})
	jobs, err := job.New(job.Config{DB: db, Live: pubsub, Queues: map[string]int{
		audience.Queue: 4, persona.Queue: 1, content.Queue: 1, tag.JobApply: 1, tag.JobBackfill: 1,
	}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.NewInsert().Model(&model.Workspace{ID: "w", MarketLanguage: "en", RunLimit: 100,
		CreatedAt: model.Now()}).Exec(t.Context()); err != nil {
		t.Fatal(err)
	}
	b := &testBundle{t: t, db: db, jobs: jobs, ctx: principal.With(t.Context(), principal.Principal{WorkspaceID: "w"})}
	count := func(text string) (words, characters int) { return len(text), len([]rune(text)) }
	b.events = event.New(event.Config{DB: db, Live: pubsub, PublicURL: "http://rostrum.example"})
	b.documents = document.New(document.Config{DB: db, Analyze: func(_, text string) document.TextAnalysis {
		words, characters := count(text)
		return document.TextAnalysis{Words: words, Characters: characters}
	}})
	accounts := account.New(account.Config{DB: db, Live: pubsub})
	b.personas = persona.New(persona.Config{
		DB: db, Documents: b.documents, Accounts: accounts, Addresses: fetch.New(fetch.Config{}), Jobs: jobs,
		Engine:       offline.Engine{},
		RecordChange: func(dbx.Tx, string, string, string) {},
	})
	b.content = content.New(content.Config{
		DB: db, Jobs: jobs, Documents: b.documents, Personas: b.personas, Runs: accounts, Models: offline.Engine{},
		Count:        count,
		RecordChange: func(dbx.Tx, string, string, string) {},
	})
	tags := tag.New(tag.Config{DB: db, Jobs: jobs, Documents: b.documents, Accounts: accounts, Engine: offline.Engine{},
		Audit: accounts.Audit})
	b.Service = build(audience.Config{
		DB: db, Personas: b.personas, Documents: b.documents, Tags: tags, Drafts: b.content, Runs: accounts, Jobs: jobs,
		Engine: slowEngine{},
		Cares:  persona.Cares, IgnoredOptions: persona.IgnoredOptions, Plain: content.PlainText,
		PartyNames:   party.New(party.Config{DB: db}).CanonicalNames,
		RecordChange: b.events.RecordChange, RecordReactions: b.events.RecordReactions,
	})
	return b
}

func (b *testBundle) startJobs() {
	b.t.Helper()
	if err := b.jobs.Start(b.t.Context()); err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() {
		if err := b.jobs.Stop(context.Background()); err != nil {
			b.t.Errorf("stop: %v", err)
		}
	})
}

// createPersonas creates n personas and returns their ids.
func (b *testBundle) createPersonas(n int) (ids []string) {
	b.t.Helper()
	for i := range n {
		created, err := b.personas.Create(b.ctx, api.CreatePersonaInput{Name: fmt.Sprintf("Reader %d", i),
			Interests: graphql.OmittableOf(new("good jobs"))})
		if err != nil {
			b.t.Fatal(err)
		}
		ids = append(ids, created.Persona.ID)
	}
	return ids
}

func (b *testBundle) createDocument(content string) string {
	b.t.Helper()
	created, err := b.documents.Create(b.ctx, api.CreateDocumentInput{Title: "Told", Content: content})
	if err != nil {
		b.t.Fatal(err)
	}
	return created.Document.ID
}

// waitForJob waits until a job has ended and returns it.
func (b *testBundle) waitForJob(id string) *model.Job {
	b.t.Helper()
	var found *model.Job
	poll.Until(b.t, func() bool {
		var err error
		if found, err = b.jobs.Get(b.ctx, "w", id); err != nil {
			b.t.Fatal(err)
		}
		return found.Status == model.JobStatusCompleted || found.Status == model.JobStatusFailed
	}, "job %s does not end", id)
	return found
}

func (b *testBundle) queryCount(query string) (n int) {
	b.t.Helper()
	if err := b.db.SelectRaw(query).Scan(b.t.Context(), &n); err != nil {
		b.t.Fatal(err)
	}
	return n
}

// TestNarrativeTest_retry_adds_one_entry fails a job after its work is done, so a retry repeats it
// all.
func TestNarrativeTest_retry_adds_one_entry(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		b := setup(t, db, audience.NewFailingOnce)
		readers := b.createPersonas(3)
		draft, err := b.content.Save(b.ctx, api.SaveDraftInput{Content: graphql.OmittableOf(
			new("We promise 200 good jobs."))})
		if err != nil {
			t.Fatal(err)
		}
		b.startJobs()
		points := []*api.PullThroughPriorityInput{{Text: "We promise good jobs"}}
		started, err := b.StartNarrativeTest(b.ctx, api.StartNarrativeTestInput{
			DraftID: graphql.OmittableOf(&draft.Draft.ID), PersonaIds: graphql.OmittableOf(readers),
			PullThroughPriorities: graphql.OmittableOf(points),
		})
		if err != nil {
			t.Fatal(err)
		}
		if of := b.waitForJob(started.Job.ID); of.Status != model.JobStatusCompleted || of.RetryCount != 1 {
			t.Fatalf("the job is %s after %d retries: %v", of.Status, of.RetryCount, of.ErrorMessage)
		}
		after, err := b.content.Draft(b.ctx, draft.Draft.ID)
		if err != nil {
			t.Fatal(err)
		}
		if n := len(after.Metadata.TestHistory); n != 1 {
			t.Errorf("the history has %d entries", n)
		}
		if n := b.queryCount("SELECT count(*) FROM reaction"); n != len(readers) {
			t.Errorf("%d reactions of %d personas are stored", n, len(readers))
		}
		if n := b.queryCount("SELECT runs_used FROM workspace"); n != len(readers)+1 {
			t.Errorf("%d runs are charged", n)
		}
	})
}

// TestStartReactions_to_an_old_document checks a document from before documents had versions. An
// update that leaves the text unchanged keeps its reaction valid.
func TestStartReactions_to_an_old_document(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		b := setup(t, db, audience.New)
		in := api.StartReactionsInput{DocumentID: b.createDocument("We promise 200 good jobs."),
			PersonaIds: graphql.OmittableOf(b.createPersonas(2))}
		if _, err := db.NewUpdate().Table("document").Set("version = ''").Where("true").Exec(t.Context()); err != nil {
			t.Fatal(err)
		}
		b.startJobs()
		started, err := b.StartReactions(b.ctx, in)
		if err != nil {
			t.Fatal(err)
		}
		b.waitForJob(started.Job.ID)
		kind := api.UpdateDocumentInput{DocumentID: in.DocumentID, CommunicationType: graphql.OmittableOf(new("memo"))}
		if _, err := b.documents.Update(b.ctx, kind); err != nil {
			t.Fatal(err)
		}
		again, err := b.EstimateReactions(b.ctx, in)
		if err != nil {
			t.Fatal(err)
		}
		if again.Runs != 0 {
			t.Errorf("the estimate for an unchanged text is %d runs, want 0", again.Runs)
		}
		if n := b.queryCount("SELECT count(*) FROM reaction AS r JOIN document AS d ON d.id = r.document_id AND d.version = r.version"); n != 2 {
			t.Errorf("%d reactions have the version of the document, want 2", n)
		}
	})
}

// TestStartReactions_concurrent checks that jobs for the same document and personas share
// reactions. Each is stored and charged once and keeps the id that the jobs' results contain.
func TestStartReactions_concurrent(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		b := setup(t, db, audience.New)
		readers := b.createPersonas(12)
		in := api.StartReactionsInput{DocumentID: b.createDocument("We promise 200 good jobs."),
			PersonaIds: graphql.OmittableOf(readers)}
		var ids []string
		for range 3 {
			started, err := b.StartReactions(b.ctx, in)
			if err != nil {
				t.Fatal(err)
			}
			ids = append(ids, started.Job.ID)
		}
		b.startJobs()
		for _, id := range ids {
			var out struct {
				Reacted, Kept int
				Reactions     []struct{ ID string }
			}
			if found := b.waitForJob(id); found.ResultText == nil ||
				json.Unmarshal([]byte(*found.ResultText), &out) != nil {
				t.Fatalf("the job is %s without a result", found.Status)
			}
			if out.Reacted+out.Kept != len(readers) {
				t.Errorf("a job has %d new and %d shared reactions", out.Reacted, out.Kept)
			}
			for _, reaction := range out.Reactions {
				if found, err := b.Reaction(b.ctx, reaction.ID); err != nil || found == nil {
					t.Errorf("the reaction %s of a result does not exist: %v", reaction.ID, err)
				}
			}
		}
		if n := b.queryCount("SELECT count(*) FROM reaction"); n != len(readers) {
			t.Errorf("%d reactions of %d personas are stored", n, len(readers))
		}
		if n := b.queryCount("SELECT runs_used FROM workspace"); n != len(readers) {
			t.Errorf("%d runs are charged for %d reactions", n, len(readers))
		}
	})
}
