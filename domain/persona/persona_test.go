package persona_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/99designs/gqlgen/graphql"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/domain/account"
	"rostrum/domain/document"
	"rostrum/domain/persona"
	"rostrum/errs"
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

// hookedEngine is the offline engine with hooks that a test sets.
type hookedEngine struct {
	offline.Engine
	beforeRun   func(ctx context.Context) error // before each call of Run
	beforePiece func()                          // before each streamed piece
}

func (e hookedEngine) Run(ctx context.Context, task llm.Task) (llm.Answer, error) {
	if e.beforeRun != nil {
		if err := e.beforeRun(ctx); err != nil {
			return llm.Answer{}, err
		}
	}
	return e.Engine.Run(ctx, task)
}

func (e hookedEngine) Stream(ctx context.Context, task llm.Task, send func(string) error) (llm.Answer, error) {
	return e.Engine.Stream(ctx, task, func(piece string) error {
		if e.beforePiece != nil {
			e.beforePiece()
		}
		return send(piece)
	})
}

// failingDocuments returns an error when a document is created.
type failingDocuments struct{ *document.Service }

func (failingDocuments) CreateIfMissing(context.Context, dbx.Tx, string, string, api.CreateDocumentInput) error {
	return errs.New(errs.Unavailable, "the disk is full")
}

// noPassages finds nothing, as without an embedding model.
func noPassages(context.Context, string, string, []string, bool, int) ([]*model.PassageMatch, error) {
	return nil, nil
}

type testBundle struct {
	*persona.Service
	documents *document.Service
	db        *dbx.DB
	jobs      *job.Service
	ctx       context.Context
}

func setup(t *testing.T, db *dbx.DB, workspace string, engine llm.Engine, canStore bool) *testBundle {
	t.Helper()
	return setupWith(t, db, workspace, engine, noPassages, canStore)
}

// setupNear returns a bundle of the offline engine. Its personas search passages by nearest.
func setupNear(t *testing.T, db *dbx.DB, workspace string, nearest persona.NearestFunc) *testBundle {
	t.Helper()
	return setupWith(t, db, workspace, offline.Engine{}, nearest, true)
}

func setupWith(t *testing.T, db *dbx.DB, workspace string, engine llm.Engine, nearest persona.NearestFunc,
	canStore bool) *testBundle {
	t.Helper()
	if err := job.Migrate(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	pubsub := dbtest.OpenLive(t, live.Config{})
	jobs, err := job.New(job.Config{DB: db, Live: pubsub, Queues: map[string]int{persona.Queue: 2}})
	if err != nil {
		t.Fatal(err)
	}
	row := &model.Workspace{ID: workspace, MarketLanguage: "en", RunLimit: 10, CreatedAt: model.Now()}
	if _, err := db.NewInsert().Model(row).Exec(t.Context()); err != nil {
		t.Fatal(err)
	}
	documents := document.New(document.Config{DB: db,
		Analyze: func(_, text string) document.TextAnalysis { return document.TextAnalysis{Words: len(text)} }})
	config := persona.Config{
		DB: db, Documents: documents, Accounts: account.New(account.Config{DB: db, Live: pubsub}),
		Addresses: fetch.New(fetch.Config{}), Jobs: jobs, Engine: engine,
		Nearest: nearest, RecordChange: func(dbx.Tx, string, string, string) {},
	}
	if !canStore {
		config.Documents = failingDocuments{documents}
	}
	ctx := principal.With(t.Context(), principal.Principal{WorkspaceID: workspace})
	return &testBundle{persona.New(config), documents, db, jobs, ctx}
}

func (b *testBundle) createPersona(t *testing.T, name string) string {
	t.Helper()
	interests := "tides"
	out, err := b.Create(b.ctx, api.CreatePersonaInput{Name: name, Interests: graphql.OmittableOf(&interests)})
	if err != nil {
		t.Fatal(err)
	}
	return out.Persona.ID
}

func (b *testBundle) usedRuns(t *testing.T) int {
	t.Helper()
	p, err := principal.From(b.ctx)
	if err != nil {
		t.Fatal(err)
	}
	row := new(model.Workspace)
	if err := b.db.NewSelect().Model(row).Where("id = ?", p.WorkspaceID).Scan(t.Context()); err != nil {
		t.Fatal(err)
	}
	return row.RunsUsed
}

func (b *testBundle) countInteractions(t *testing.T, id string) int {
	t.Helper()
	page, err := b.Interactions(b.ctx, id, nil, model.PageArgs{})
	if err != nil {
		t.Fatal(err)
	}
	return len(page.Nodes)
}

func interactInput(id string) api.AskPersonaInput {
	words := "Tides rise. Ferries stop. Tides fall."
	return api.AskPersonaInput{PersonaID: id, InputContent: graphql.OmittableOf(&words)}
}

func TestPersona_belongs_to_its_workspace(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		ours, theirs := setup(t, db, "ours", hookedEngine{}, true), setup(t, db, "theirs", hookedEngine{}, true)
		id := ours.createPersona(t, "Secret")
		if p, err := theirs.Get(theirs.ctx, id); p != nil || err != nil {
			t.Errorf("another workspace reads %+v, error %v", p, err)
		}
		for name, err := range map[string]error{
			"update": errorOf(theirs.Update(theirs.ctx, api.UpdatePersonaInput{PersonaID: id})),
			"delete": errorOf(theirs.Delete(theirs.ctx, id)),
			"feedback": errorOf(theirs.AddFeedback(theirs.ctx,
				api.AddPersonaFeedbackInput{PersonaID: id, Description: "x"})),
			"content": errorOf(theirs.GenerateContent(theirs.ctx,
				api.GeneratePersonaContentInput{PersonaID: id, Topic: "x"})),
			"health": errorOf(theirs.StartHealthCheck(theirs.ctx, api.StartPersonaHealthCheckInput{PersonaID: id})),
		} {
			if !errs.Is(err, errs.NotFound) {
				t.Errorf("another workspace's %s returns %v", name, err)
			}
		}
		for _, word := range []string{id, "Secret"} {
			if _, err := theirs.Ask(theirs.ctx, interactInput(word)); !errs.Is(err, errs.ValidationFailed) {
				t.Errorf("another workspace asks %s: %v", word, err)
			}
		}
		if categories, err := theirs.Categories(theirs.ctx); err != nil || len(categories) != 0 {
			t.Errorf("another workspace has the categories %v, error %v", categories, err)
		}
	})
}

func errorOf[T any](_ T, err error) error { return err }

func TestList_ways_of_paging_agree(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		s := setup(t, db, "w", hookedEngine{}, true)
		for i := range 5 {
			s.createPersona(t, fmt.Sprintf("Persona %d", i))
		}
		read := func(args model.PageArgs) (ids []string, next *string) {
			page, err := s.List(s.ctx, args, nil, nil, "id")
			if err != nil {
				t.Fatal(err)
			}
			if n, err := page.TotalCount(s.ctx); err != nil || n != 5 {
				t.Errorf("the total is %d, error %v", n, err)
			}
			for _, p := range page.Nodes {
				ids = append(ids, p.ID)
			}
			return ids, page.PageInfo().EndCursor
		}
		all, _ := read(model.PageArgs{Limit: new(200)})
		var byOffset, byPage, byCursor []string
		var cursor *string
		for i := range 3 {
			part, _ := read(model.PageArgs{Limit: new(2), Offset: new(2 * i)})
			byOffset = append(byOffset, part...)
			part, _ = read(model.PageArgs{Page: new(i + 1), PerPage: new(2)})
			byPage = append(byPage, part...)
			part, cursor = read(model.PageArgs{First: new(2), After: cursor})
			byCursor = append(byCursor, part...)
		}
		if len(all) != 5 || !slices.Equal(all, byOffset) || !slices.Equal(all, byPage) || !slices.Equal(all, byCursor) {
			t.Errorf("all %v, by offset %v, by page %v, by cursor %v", all, byOffset, byPage, byCursor)
		}
		_, err := s.List(s.ctx, model.PageArgs{Limit: new(201), Offset: new(-1), Page: new(1)}, nil, nil)
		if fields := errs.From(err).Fields; len(fields) != 3 {
			t.Errorf("fields are %+v", fields)
		}
	})
}

// TestInteractStream_canceled checks that canceling stops the model, and nothing is stored or
// charged.
func TestInteractStream_canceled(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		s := setup(t, db, "w", hookedEngine{}, true)
		id := s.createPersona(t, "P")
		ctx, cancel := context.WithCancel(s.ctx)
		events, err := s.InteractStream(ctx, interactInput(id))
		if err != nil {
			t.Fatal(err)
		}
		if first := <-events; first.Kind != model.InteractEventKindDelta {
			t.Errorf("the first event is %+v", first)
		}
		cancel()
		for range events {
		}
		if s.usedRuns(t) != 0 || s.countInteractions(t, id) != 0 {
			t.Errorf("%d runs are used and %d interactions are stored", s.usedRuns(t), s.countInteractions(t, id))
		}
	})
}

func TestInteractStream_sends_the_reply_in_pieces(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		s := setup(t, db, "w", hookedEngine{}, true)
		id := s.createPersona(t, "P")
		events, err := s.InteractStream(s.ctx, interactInput(id))
		if err != nil {
			t.Fatal(err)
		}
		var streamed strings.Builder
		var last *api.InteractEvent
		for last = range events {
			if last.Delta != nil {
				streamed.WriteString(*last.Delta)
			}
		}
		whole, err := s.Ask(s.ctx, interactInput(id))
		if err != nil || last.Interaction == nil || streamed.String() != whole.OutputContent ||
			last.Interaction.OutputContent != whole.OutputContent {
			t.Errorf("streamed %q, whole %+v, error %v", streamed.String(), whole, err)
		}
	})
}

// TestInteractStream_panics checks that a panic ends only the stream, not the process.
func TestInteractStream_panics(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		s := setup(t, db, "w", hookedEngine{beforePiece: func() { panic("broken") }}, true)
		events, err := s.InteractStream(s.ctx, interactInput(s.createPersona(t, "P")))
		if err != nil {
			t.Fatal(err)
		}
		var last *api.InteractEvent
		for last = range events { // only the last event matters
		}
		if last == nil || last.Failure == nil || last.Failure.Code != string(errs.Internal) || s.usedRuns(t) != 0 {
			t.Errorf("the last event is %+v, %d runs are used", last, s.usedRuns(t))
		}
	})
}

// TestGenerateContent_storage_error checks that the text is returned with a warning, without a
// document.
func TestGenerateContent_storage_error(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		s := setup(t, db, "w", hookedEngine{}, false)
		out, err := s.GenerateContent(s.ctx, api.GeneratePersonaContentInput{PersonaID: s.createPersona(t, "P"),
			Topic: "Tides"})
		if err != nil {
			t.Fatal(err)
		}
		if out.DocumentID != nil || out.Content == "" || out.Warning == nil ||
			!strings.Contains(*out.Warning, "the disk is full") || s.usedRuns(t) != 1 {
			t.Errorf("%+v, %d used", out, s.usedRuns(t))
		}
	})
}

// TestJob_retry_stores_one_interaction checks that a job with a failed first model call stores one
// interaction and charges one run.
func TestJob_retry_stores_one_interaction(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		var calls atomic.Int64
		s := setup(t, db, "w", hookedEngine{beforeRun: func(context.Context) error {
			if calls.Add(1) == 1 {
				return errs.New(errs.ModelFailed, "not now")
			}
			return nil
		}}, true)
		id := s.createPersona(t, "P")
		started, err := s.StartInteraction(s.ctx, interactInput(id))
		if err != nil {
			t.Fatal(err)
		}
		s.startJobs(t)
		if ended := s.waitForJob(t, started.Job.ID); ended.Status != model.JobStatusCompleted || calls.Load() != 2 ||
			s.countInteractions(t, id) != 1 || s.usedRuns(t) != 1 {
			t.Errorf("the job is %s after %d calls, %d interactions are stored, %d runs are used", ended.Status,
				calls.Load(), s.countInteractions(t, id), s.usedRuns(t))
		}
	})
}

// TestJob_deleted_persona checks that the job fails without a retry and charges nothing.
func TestJob_deleted_persona(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		s := setup(t, db, "w", hookedEngine{}, true)
		id := s.createPersona(t, "P")
		started, err := s.StartInteraction(s.ctx, interactInput(id))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Delete(s.ctx, id); err != nil {
			t.Fatal(err)
		}
		s.startJobs(t)
		if ended := s.waitForJob(t, started.Job.ID); ended.Status != model.JobStatusFailed || ended.RetryCount != 0 ||
			s.usedRuns(t) != 0 {
			t.Errorf("the job is %s after %d retries, %d runs are used", ended.Status, ended.RetryCount, s.usedRuns(t))
		}
	})
}

// TestInteract_engine_error checks that nothing is stored or charged.
func TestInteract_engine_error(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		broken := errors.New("broken")
		s := setup(t, db, "w", hookedEngine{beforeRun: func(context.Context) error { return broken }}, true)
		id := s.createPersona(t, "P")
		if _, err := s.Ask(s.ctx, interactInput(id)); !errors.Is(err, broken) || s.countInteractions(t, id) != 0 ||
			s.usedRuns(t) != 0 {
			t.Errorf("error %v, %d interactions are stored, %d runs are used", err, s.countInteractions(t, id),
				s.usedRuns(t))
		}
	})
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

func (b *testBundle) waitForJob(t *testing.T, id string) *model.Job {
	t.Helper()
	var found *model.Job
	poll.Until(t, func() bool {
		var err error
		if found, err = b.jobs.Get(b.ctx, "w", id); err != nil {
			t.Fatal(err)
		}
		return found.Ended()
	}, "job %s did not end", id)
	return found
}
