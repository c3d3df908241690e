package audience_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"rostrum/dbx"
	"rostrum/domain/account"
	"rostrum/domain/audience"
	"rostrum/domain/content"
	"rostrum/domain/document"
	"rostrum/domain/persona"
	"rostrum/fetch"
	"rostrum/job"
	"rostrum/live"
	"rostrum/llm"
	"rostrum/model"
	"rostrum/testkit"
)

// slow is the built-in engine at a pace that lets two jobs meet.
type slow struct{ llm.Builtin }

func (e slow) Run(ctx context.Context, task llm.Task) (llm.Answer, error) {
	time.Sleep(30 * time.Millisecond)
	return e.Builtin.Run(ctx, task)
}

type bundle struct {
	*audience.Service
	t         *testing.T
	db        *dbx.DB
	jobs      *job.Service
	documents *document.Service
	content   *content.Service
	personas  *persona.Service
	ctx       context.Context
}

func setup(t *testing.T, db *dbx.DB, build func(audience.Config) *audience.Service) *bundle {
	t.Helper()
	if err := job.Migrate(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	news := testkit.OpenLive(t, live.Config{})
	jobs, err := job.New(db, news, job.Config{Queues: map[string]int{audience.Queue: 4, persona.Queue: 1, content.Queue: 1}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.NewInsert().Model(&model.Workspace{ID: "w", MarketLanguage: "en", RunLimit: 100, CreatedAt: model.Now()}).Exec(t.Context()); err != nil {
		t.Fatal(err)
	}
	b := &bundle{t: t, db: db, jobs: jobs, ctx: model.WithPrincipal(t.Context(), model.Principal{WorkspaceID: "w"})}
	count := func(text string) (words, characters int) { return len(text), len([]rune(text)) }
	b.documents = document.New(db, news, func(text string) document.Reading {
		words, characters := count(text)
		return document.Reading{Words: words, Characters: characters}
	})
	accounts := account.New(db, news)
	b.personas = persona.New(persona.Config{
		DB: db, Documents: b.documents, Accounts: accounts, Addresses: fetch.New(fetch.Config{}), Jobs: jobs, Engine: llm.Builtin{},
	})
	b.content = content.New(content.Config{
		DB: db, Jobs: jobs, Documents: b.documents, Personas: b.personas, Runs: accounts, Models: llm.Builtin{}, Count: count,
	})
	b.Service = build(audience.Config{
		DB: db, Personas: b.personas, Documents: b.documents, Drafts: b.content, Runs: accounts, Jobs: jobs, Engine: slow{},
		Cares: persona.Cares, Plain: content.Plain,
	})
	return b
}

func (b *bundle) start() {
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

// people makes members of the audience.
func (b *bundle) people(n int) (ids []string) {
	b.t.Helper()
	for i := range n {
		made, err := b.personas.Create(b.ctx, model.CreatePersonaInput{Name: fmt.Sprintf("Reader %d", i), Interests: graphql.OmittableOf(new("good jobs"))})
		if err != nil {
			b.t.Fatal(err)
		}
		ids = append(ids, made.PersonaID)
	}
	return ids
}

func (b *bundle) document(content string) string {
	b.t.Helper()
	made, err := b.documents.Create(b.ctx, model.CreateDocumentInput{Title: "Told", Content: content})
	if err != nil {
		b.t.Fatal(err)
	}
	return made.Document.ID
}

// ended waits for a job and reads it.
func (b *bundle) ended(id string) *model.Job {
	b.t.Helper()
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		of, err := b.jobs.Get(b.ctx, "w", id)
		if err != nil {
			b.t.Fatal(err)
		}
		if of.Status == model.JobStatusCompleted || of.Status == model.JobStatusFailed {
			return of
		}
	}
	b.t.Fatal("the job does not end")
	return nil
}

func (b *bundle) number(query string) (n int) {
	b.t.Helper()
	if err := b.db.NewRaw(query).Scan(b.t.Context(), &n); err != nil {
		b.t.Fatal(err)
	}
	return n
}

// TestNarrativeTest_that_runs_twice_adds_one_entry has a worker die behind its work, so that another one does all of it again.
func TestNarrativeTest_that_runs_twice_adds_one_entry(t *testing.T) {
	testkit.EachDB(t, func(t *testing.T, db *dbx.DB) {
		b := setup(t, db, audience.NewDying)
		readers := b.people(3)
		draft, err := b.content.Save(b.ctx, model.SaveDraftInput{Content: graphql.OmittableOf(new("We promise 200 good jobs."))}, nil)
		if err != nil {
			t.Fatal(err)
		}
		b.start()
		points := []*model.PullThroughPriorityInput{{Text: "We promise good jobs"}}
		started, err := b.NarrativeTest(b.ctx, model.NarrativeTestInput{
			DraftID: graphql.OmittableOf(&draft.Draft.ID), PersonaIds: graphql.OmittableOf(readers), PullThroughPriorities: graphql.OmittableOf(points),
		}, false)
		if err != nil {
			t.Fatal(err)
		}
		if of := b.ended(started.JobID); of.Status != model.JobStatusCompleted || of.RetryCount != 1 {
			t.Fatalf("the job is %s after %d retries: %v", of.Status, of.RetryCount, of.ErrorMessage)
		}
		after, err := b.content.Draft(b.ctx, draft.Draft.ID)
		if err != nil {
			t.Fatal(err)
		}
		if n := len(after.Metadata.TestHistory); n != 1 {
			t.Errorf("the history has %d entries", n)
		}
		if n := b.number("SELECT count(*) FROM reaction"); n != len(readers) {
			t.Errorf("%d reactions are kept of %d personas", n, len(readers))
		}
		if n := b.number("SELECT runs_used FROM workspace"); n != len(readers)+1 {
			t.Errorf("%d runs are spent", n)
		}
	})
}

// TestGenerateReactions_to_an_old_document has a persona react to a document that was stored before documents had versions: what is saved of it
// later without another text leaves the reaction its own.
func TestGenerateReactions_to_an_old_document(t *testing.T) {
	testkit.EachDB(t, func(t *testing.T, db *dbx.DB) {
		b := setup(t, db, audience.New)
		in := model.GenerateReactionsInput{DocumentID: b.document("We promise 200 good jobs."), PersonaIds: graphql.OmittableOf(b.people(2))}
		if _, err := db.NewUpdate().Table("document").Set("version = ''").Where("true").Exec(t.Context()); err != nil {
			t.Fatal(err)
		}
		b.start()
		started, err := b.GenerateReactions(b.ctx, in, false)
		if err != nil {
			t.Fatal(err)
		}
		b.ended(started.JobID)
		kind := model.UpdateDocumentInput{CommunicationType: graphql.OmittableOf(new("memo"))}
		if _, err := b.documents.Update(b.ctx, in.DocumentID, kind); err != nil {
			t.Fatal(err)
		}
		again, err := b.GenerateReactions(b.ctx, in, true)
		if err != nil {
			t.Fatal(err)
		}
		if again.Estimate.Runs != 0 {
			t.Errorf("%d personas are to react again to the same text", again.Estimate.Runs)
		}
		if n := b.number("SELECT count(*) FROM reaction AS r JOIN document AS d ON d.id = r.document_id AND d.version = r.version"); n != 2 {
			t.Errorf("%d reactions are to the present text", n)
		}
	})
}

// TestGenerateReactions_at_once has jobs over the same document and personas share their reactions: each is stored and paid once, and stays the
// one that their results name.
func TestGenerateReactions_at_once(t *testing.T) {
	testkit.EachDB(t, func(t *testing.T, db *dbx.DB) {
		b := setup(t, db, audience.New)
		readers := b.people(12)
		in := model.GenerateReactionsInput{DocumentID: b.document("We promise 200 good jobs."), PersonaIds: graphql.OmittableOf(readers)}
		var ids []string
		for range 3 {
			started, err := b.GenerateReactions(b.ctx, in, false)
			if err != nil {
				t.Fatal(err)
			}
			ids = append(ids, started.JobID)
		}
		b.start()
		for _, id := range ids {
			var out struct {
				Reacted, Kept int
				Reactions     []struct{ ID string }
			}
			if of := b.ended(id); of.Result == nil || json.Unmarshal([]byte(*of.Result), &out) != nil {
				t.Fatalf("the job is %s without a result", of.Status)
			}
			if out.Reacted+out.Kept != len(readers) {
				t.Errorf("a job has %d reactions and %d of others", out.Reacted, out.Kept)
			}
			for _, one := range out.Reactions {
				if found, err := b.Reaction(b.ctx, one.ID); err != nil || found == nil {
					t.Errorf("a result names the reaction %s, which is not there: %v", one.ID, err)
				}
			}
		}
		if n := b.number("SELECT count(*) FROM reaction"); n != len(readers) {
			t.Errorf("%d reactions are kept of %d personas", n, len(readers))
		}
		if n := b.number("SELECT runs_used FROM workspace"); n != len(readers) {
			t.Errorf("%d runs are spent on %d reactions", n, len(readers))
		}
	})
}
