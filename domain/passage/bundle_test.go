package passage_test

import (
	"context"
	"errors"
	"math"
	"sync"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/domain/document"
	"rostrum/domain/passage"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/platform/job"
	"rostrum/platform/principal"
	"rostrum/test/kit/llmtest"
)

// wordEmbedder is an embedding model with one dimension per word. Words of one meaning share it.
type wordEmbedder struct {
	name     string
	size     uint32 // dimensions
	mu       sync.Mutex
	fails    bool
	embedded []string
	during   func() // called once while a request runs; nil does nothing
}

var synonyms = map[string]string{"staff": "workers", "crew": "workers", "shut": "close", "closes": "close",
	"ferries": "ships"}

func (e *wordEmbedder) EmbeddingModel() string { return e.name }

func (e *wordEmbedder) Embed(_ context.Context, texts []string) ([][]float32, error) {
	if during := e.during; during != nil {
		e.during = nil
		during()
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.fails {
		return nil, errs.New(errs.ModelFailed, "the model failed")
	}
	e.embedded = append(e.embedded, texts...)
	out := make([][]float32, len(texts))
	for i, text := range texts {
		out[i] = vectorOf(text, e.size)
	}
	return out, nil
}

// vectorOf returns the vector of a text's words, of length 1.
func vectorOf(text string, size uint32) []float32 {
	counts, squares := llmtest.CountWords(text, size, synonyms), 0.0
	for _, count := range counts {
		squares += count * count
	}
	vector := make([]float32, size)
	for i, count := range counts {
		vector[i] = float32(count / math.Sqrt(squares))
	}
	return vector
}

// recordedTasks records the tasks of committed and rolled-back transactions. runAll runs them.
type recordedTasks struct {
	mu      sync.Mutex
	work    func(context.Context, string) error
	waiting []job.TaskArgs
}

func (r *recordedTasks) RegisterTask(_ string, task job.Task) { r.work = task.Work }

func (r *recordedTasks) EnqueueTasks(_ context.Context, _ dbx.Tx, _ string, args ...job.TaskArgs) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.waiting = append(r.waiting, args...)
	return nil
}

func (r *recordedTasks) takeWaiting() []job.TaskArgs {
	r.mu.Lock()
	defer r.mu.Unlock()
	taken := r.waiting
	r.waiting = nil
	return taken
}

type testBundle struct {
	*passage.Service
	*recordedTasks
	t         testing.TB
	db        *dbx.DB
	documents *document.Service
	embedder  *wordEmbedder
	workspace string
	ctx       context.Context
}

func setup(t testing.TB, db *dbx.DB, workspace string) *testBundle {
	t.Helper()
	row := &model.Workspace{ID: workspace, MarketLanguage: "en", CreatedAt: model.Now()}
	if _, err := db.NewInsert().Model(row).Exec(t.Context()); err != nil {
		t.Fatal(err)
	}
	b := &testBundle{
		t: t, db: db, recordedTasks: &recordedTasks{}, embedder: &wordEmbedder{name: "words-1", size: 128},
		workspace: workspace,
		ctx:       principal.With(t.Context(), principal.Principal{WorkspaceID: workspace}),
	}
	b.documents = document.New(document.Config{DB: db,
		Analyze: func(_, text string) document.TextAnalysis { return document.TextAnalysis{Words: len(text)} }})
	b.Service = passage.New(passage.Config{DB: db, Documents: b.documents, Tasks: b.recordedTasks,
		Embedder: b.embedder})
	b.documents.AddHook(b.Follow)
	return b
}

// create stores a document that a change may restrict, without running its task.
func (b *testBundle) create(title, content string, changes ...func(*api.CreateDocumentInput)) string {
	b.t.Helper()
	in := api.CreateDocumentInput{Title: title, Content: content}
	for _, change := range changes {
		change(&in)
	}
	out, err := b.documents.Create(b.ctx, in)
	if err != nil {
		b.t.Fatal(err)
	}
	return out.Document.ID
}

func visibleTo(v model.Visibility, until *time.Time) func(*api.CreateDocumentInput) {
	return func(in *api.CreateDocumentInput) {
		in.Visibility, in.EmbargoedUntil = graphql.OmittableOf(&v), graphql.OmittableOf(until)
	}
}

// amend changes a document, as ingesting it again does.
func (b *testBundle) amend(id string, change func(*model.Document)) {
	b.t.Helper()
	err := b.db.InTx(b.ctx, func(ctx context.Context, tx dbx.Tx) error {
		_, err := b.documents.Amend(ctx, tx, b.workspace, id, func(doc *model.Document) error {
			change(doc)
			return nil
		})
		return err
	})
	if err != nil {
		b.t.Fatal(err)
	}
}

// runAll runs the waiting tasks and the ones that they enqueue, without pauses, and returns their
// number.
func (b *testBundle) runAll() (n int) {
	b.t.Helper()
	for tasks := b.takeWaiting(); len(tasks) > 0; tasks = b.takeWaiting() {
		for _, task := range tasks {
			n++
			if err := b.work(b.t.Context(), task.Ref); err != nil {
				b.t.Fatal(err)
			}
		}
	}
	return n
}

// search returns the texts that a search of the graph finds.
func (b *testBundle) search(text string) []string {
	b.t.Helper()
	found, err := b.Search(b.ctx, text, 5, false)
	if err != nil {
		b.t.Fatal(err)
	}
	return textsOf(b.t, found.Matches, err)
}

// nearest returns the texts that a persona finds.
func (b *testBundle) nearest(text string, mayReadInternal bool, ids ...string) []string {
	b.t.Helper()
	found, err := b.Nearest(b.ctx, b.workspace, text, ids, mayReadInternal, 5)
	return textsOf(b.t, found, err)
}

func textsOf(t testing.TB, found []*model.PassageMatch, err error) []string {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	texts := []string{}
	for _, match := range found {
		texts = append(texts, match.Text)
	}
	return texts
}

// countRows returns the number of passages of the workspace.
func (b *testBundle) countRows() int {
	b.t.Helper()
	n, err := b.db.NewSelect().Model((*model.Passage)(nil)).Where("workspace_id = ?", b.workspace).Count(b.ctx)
	if err != nil {
		b.t.Fatal(err)
	}
	return int(n)
}

func (b *testBundle) setOf(id string) *model.PassageSet {
	b.t.Helper()
	set := new(model.PassageSet)
	if err := b.db.NewSelect().Model(set).Where("document_id = ?", id).Scan(b.ctx); err != nil {
		b.t.Fatal(err)
	}
	return set
}

var errRollback = errors.New("rolled back")
