package passage_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/domain/passage"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/test/kit/dbtest"
)

const (
	portText  = "Workers shut the port in May."
	question  = "Crew close port?"
	otherText = "Salmon is smoked in Hull."
)

func checkTexts(t *testing.T, name string, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s finds %q, want %q", name, got, want)
	}
}

// TestSearch_by_meaning checks that a question finds a text without sharing a word, with place and
// score. It finds no text about something else.
func TestSearch_by_meaning(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		b := setup(t, db, "ours")
		id := b.create("Größe", "Ähnlich.\n\n"+strings.Repeat("Ships moor in Hull. ", 30)+
			strings.Repeat("Workers close gates. ", 20))
		b.create("Fish", otherText)
		if n := b.runAll(); n != 2 {
			t.Errorf("%d tasks ran", n)
		}
		out, err := b.Search(b.ctx, "Crew shut gates?", 1, true)
		if err != nil || len(out.Matches) != 1 || out.PendingDocumentCount != 0 {
			t.Fatal(out, err)
		}
		doc, err := b.documents.Get(b.ctx, id)
		if err != nil {
			t.Fatal(err)
		}
		match := out.Matches[0]
		if got := string([]rune(*doc.Content)[match.Start:match.End]); got != match.Text ||
			!strings.Contains(match.Text, "Workers") || match.DocumentID != id {
			t.Errorf("finds %+v, at whose place is %q", match, got)
		}
		if match.Score <= 0 || match.Score > 1 {
			t.Errorf("the score is %g", match.Score)
		}
		checkTexts(t, "a text about nothing", b.search("Zebra"))
	})
}

// TestSearch_of_readable_texts checks that embargoes, comms filters, trial texts and other
// workspaces hide texts.
func TestSearch_of_readable_texts(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		b, theirs := setup(t, db, "ours"), setup(t, db, "theirs")
		later := time.Now().AddDate(1, 0, 0)
		public := b.create("Port", "The port will close.")
		internal := b.create("Port", "Workers close the port.", visibleTo(model.VisibilityInternal, nil))
		b.create("Port", "Ships close the port.", visibleTo(model.VisibilityEmbargoed, &later))
		b.create("Port", "Hidden words close the port.")
		generated := func(in *api.CreateDocumentInput) { in.Tags = graphql.OmittableOf([]string{model.TagGenerated}) }
		b.create("Port", "Personas close the port.", generated)
		theirs.create("Port", "Theirs close the port.")
		b.runAll()
		theirs.runAll()
		if _, err := db.NewUpdate().Model((*model.Document)(nil)).Set("hidden = ?", true).
			Where("content LIKE 'Hidden%'").Exec(t.Context()); err != nil {
			t.Fatal(err)
		}
		checkTexts(t, "a search", b.search("port close"), "The port will close.", "Workers close the port.")
		checkTexts(t, "an outsider", b.nearest("port close", false), "The port will close.",
			"Hidden words close the port.")
		checkTexts(t, "an insider", b.nearest("port close", true), "The port will close.", "Workers close the port.",
			"Hidden words close the port.")
		checkTexts(t, "an insider with named documents", b.nearest("port close", true, internal),
			"Workers close the port.")
		checkTexts(t, "an outsider with named documents", b.nearest("port close", false, internal, public),
			"The port will close.")
		checkTexts(t, "another workspace", theirs.search("port close"), "Theirs close the port.")
	})
}

// TestFollow_changes checks that a changed or deleted text is not found from its transaction on,
// and that its vectors are replaced.
func TestFollow_changes(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		b := setup(t, db, "ours")
		id := b.create("Port", portText)
		b.runAll()
		checkTexts(t, "the first text", b.search(question), portText)
		b.amend(id, func(doc *model.Document) { doc.Visibility = model.VisibilityInternal })
		if n := b.runAll(); n != 0 {
			t.Errorf("%d tasks ran for the same text", n)
		}
		b.amend(id, func(doc *model.Document) { doc.Content = new(otherText) })
		checkTexts(t, "a changed text", b.search(question))
		if n := b.countRows(); n != 0 {
			t.Errorf("%d passages of the text before are left", n)
		}
		b.runAll()
		checkTexts(t, "the text before", b.search(question))
		checkTexts(t, "the new text", b.search("Salmon"), otherText)
		b.amend(id, func(doc *model.Document) { doc.Title = "Crew" })
		b.runAll()
		checkTexts(t, "the new title", b.search("Workers"), otherText)
		if _, err := b.documents.Delete(b.ctx, id); err != nil {
			t.Fatal(err)
		}
		checkTexts(t, "a deleted text", b.search("Salmon"))
		if n := b.countRows(); n != 0 {
			t.Errorf("%d passages of a deleted document are left", n)
		}
	})
}

// TestFollow_in_another_process checks that a text is not found by old vectors after a process
// without an embedding model has changed it.
func TestFollow_in_another_process(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		b := setup(t, db, "ours")
		id := b.create("Port", portText)
		b.runAll()
		_, err := db.NewUpdate().Model((*model.Document)(nil)).Set("content = ?, version = ?", otherText,
			model.TextVersion("Port", otherText)).Where("id = ?", id).Exec(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		checkTexts(t, "a changed text", b.search(question))
		b.backfill()
		checkTexts(t, "the new text", b.search("Salmon"), otherText)
	})
}

// TestEmbedDocument_in_batches checks that a long text's vectors are added in several runs, and
// that a repeated run changes nothing.
func TestEmbedDocument_in_batches(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		b := setup(t, db, "ours")
		last := strings.Repeat("Zebra ", 79) + "zebra."
		id := b.create("Log", strings.Repeat("The ships of the line moor in the north of the harbour at noon. ", 500)+
			last)
		first := b.takeWaiting()[0]
		if err := b.work(t.Context(), first.Ref); err != nil {
			t.Fatal(err)
		}
		if set := b.setOf(id); set.Stored != 32 || set.IsComplete || b.countRows() != 32 {
			t.Errorf("after a run there are %d passages: %+v", b.countRows(), set)
		}
		b.runAll()
		set, rows, texts := b.setOf(id), b.countRows(), len(b.embedder.embedded)
		if !set.IsComplete || set.Stored != rows || rows < 64 || texts != rows {
			t.Errorf("%d passages of %d texts: %+v", rows, texts, set)
		}
		checkTexts(t, "the last passage", b.search("Zebra"), last)
		texts = len(b.embedder.embedded)
		if err := b.work(t.Context(), first.Ref); err != nil {
			t.Fatal(err)
		}
		if len(b.embedder.embedded) != texts || b.countRows() != rows || len(b.takeWaiting()) != 0 {
			t.Error("a repeated task changed something")
		}
	})
}

// TestEmbedDocument_of_changes checks that a run's vectors are dropped if, while the model read the
// text, it changed or another run stored them.
func TestEmbedDocument_of_changes(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		b := setup(t, db, "ours")
		id := b.create("Port", portText)
		task := b.takeWaiting()[0]
		b.embedder.during = func() { b.amend(id, func(doc *model.Document) { doc.Content = new(otherText) }) }
		if err := b.work(t.Context(), task.Ref); err != nil {
			t.Fatal(err)
		}
		if n := b.countRows(); n != 0 {
			t.Errorf("%d passages of the text before are stored", n)
		}
		task = b.takeWaiting()[0]
		b.embedder.during = func() {
			if err := b.work(t.Context(), task.Ref); err != nil {
				t.Error(err)
			}
		}
		if err := b.work(t.Context(), task.Ref); err != nil {
			t.Fatal(err)
		}
		if n := b.countRows(); n != 1 || len(b.takeWaiting()) != 0 {
			t.Errorf("two runs at the same time stored %d passages", n)
		}
		checkTexts(t, "the new text", b.search("Salmon"), otherText)
	})
}

// TestEmbedDocument_after_failures checks that a document is stored while the model fails, and that
// its task runs again after a growing pause.
func TestEmbedDocument_after_failures(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		b := setup(t, db, "ours")
		b.embedder.fails = true
		id := b.create("Port", portText)
		var last time.Duration
		for n := range 3 {
			task := b.takeWaiting()[0]
			if err := b.work(t.Context(), task.Ref); err != nil {
				t.Fatal(err)
			}
			waiting, set := b.waiting, b.setOf(id)
			if len(waiting) != 1 || waiting[0].Ref != task.Ref || set.Failures != n+1 {
				t.Fatalf("after %d failures %v are waiting: %+v", n+1, waiting, set)
			}
			pause := waiting[0].At.Sub(db.Now())
			if pause < last+5*time.Second {
				t.Errorf("the pause is %s after %s", pause, last)
			}
			last = pause
		}
		if _, err := b.Search(b.ctx, question, 5, false); !errs.Is(err, errs.ModelFailed) {
			t.Errorf("a search ends with %v", err)
		}
		b.embedder.fails = false
		b.runAll()
		checkTexts(t, "a search after the failures", b.search(question), portText)
		if set := b.setOf(id); set.Failures != 0 {
			t.Errorf("the set has %d failures", set.Failures)
		}
	})
}

// TestFollow_rolled_back checks that a document and its set are stored together or not at all.
func TestFollow_rolled_back(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		b := setup(t, db, "ours")
		err := db.InTx(b.ctx, func(ctx context.Context, tx dbx.Tx) error {
			if err := b.documents.CreateIfMissing(ctx, tx, "ours", "doc_1",
				api.CreateDocumentInput{Title: "Port", Content: portText}); err != nil {
				return err
			}
			return errRollback
		})
		if err == nil {
			t.Fatal("the transaction did not fail")
		}
		if n := b.runAll(); n != 1 || b.countRows() != 0 || len(b.embedder.embedded) != 0 {
			t.Errorf("after %d tasks there are %d passages", n, b.countRows())
		}
	})
}

// backfill enqueues the tasks of documents without vectors and runs them.
func (b *testBundle) backfill() int {
	b.t.Helper()
	if _, err := passage.BackfillNext(b.Service, b.ctx); err != nil {
		b.t.Fatal(err)
	}
	return b.runAll()
}

// TestBackfill checks that documents get vectors, each once, if they are older than the model, of
// another model, without a version, or lost their task.
func TestBackfill(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		b := setup(t, db, "ours")
		none := passage.New(passage.Config{DB: db, Documents: b.documents, Tasks: &recordedTasks{}})
		id := b.create("Port", portText)
		b.takeWaiting()
		if n := b.backfill(); n != 0 {
			t.Errorf("%d tasks of a document whose task is queued", n)
		}
		lost := func(id string) {
			t.Helper()
			if _, err := db.NewUpdate().Model((*model.PassageSet)(nil)).Set("due_at = ?", db.Now().Add(-2*time.Hour)).
				Where("document_id = ?", id).Exec(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if lost(id); b.backfill() != 1 {
			t.Error("a lost task was not enqueued again")
		}
		checkTexts(t, "after a lost task", b.search(question), portText)
		if _, err := db.NewDelete().Model((*model.PassageSet)(nil)).Where("document_id = ?", id).
			Exec(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, err := db.NewUpdate().Model((*model.Document)(nil)).Set("version = ''").Where("id = ?", id).
			Exec(t.Context()); err != nil {
			t.Fatal(err)
		}
		b.backfill()
		checkTexts(t, "a document of before", b.search(question), portText)
		b.embedder.name = "words-2"
		checkTexts(t, "another model", b.search(question))
		if n := b.backfill(); n != 1 || b.backfill() != 0 || b.countRows() != 1 {
			t.Errorf("%d tasks for another model, and %d passages", n, b.countRows())
		}
		checkTexts(t, "the other model", b.search(question), portText)
		none.Run(t.Context())
		if _, err := none.Search(b.ctx, question, 5, false); !errs.Is(err, errs.EngineRequired) {
			t.Errorf("a search without a model ends with %v", err)
		}
		if found, err := none.Nearest(b.ctx, "ours", question, nil, true, 5); len(found) != 0 || err != nil {
			t.Errorf("personas without a model find %v, error %v", found, err)
		}
	})
}
