package persona_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"rostrum/dbx"
	"rostrum/domain/account"
	"rostrum/domain/document"
	"rostrum/domain/persona"
	"rostrum/errs"
	"rostrum/fetch"
	"rostrum/job"
	"rostrum/live"
	"rostrum/llm"
	"rostrum/model"
	"rostrum/testkit"
)

// engine answers as a test says, or else as the built-in one.
type engine struct {
	llm.Builtin
	run  func(ctx context.Context) error // before each answer
	send func()                          // before each piece
}

func (e engine) Run(ctx context.Context, task llm.Task) (llm.Answer, error) {
	if e.run != nil {
		if err := e.run(ctx); err != nil {
			return llm.Answer{}, err
		}
	}
	return e.Builtin.Run(ctx, task)
}

func (e engine) Stream(ctx context.Context, task llm.Task, send func(string) error) (llm.Answer, error) {
	return e.Builtin.Stream(ctx, task, func(piece string) error {
		if e.send != nil {
			e.send()
		}
		return send(piece)
	})
}

// full is the documents' room on a disk that is full.
type full struct{ *document.Service }

func (full) Keep(context.Context, dbx.Tx, string, string, model.CreateDocumentInput) error {
	return errs.New(errs.Unavailable, "the disk is full")
}

type bundle struct {
	*persona.Service
	db   *dbx.DB
	jobs *job.Service
	ctx  context.Context
}

func setup(t *testing.T, db *dbx.DB, workspace string, with llm.Engine, keep bool) *bundle {
	t.Helper()
	if err := job.Migrate(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	news := testkit.OpenLive(t, live.Config{})
	jobs, err := job.New(db, news, job.Config{Queues: map[string]int{persona.Queue: 2}})
	if err != nil {
		t.Fatal(err)
	}
	row := &model.Workspace{ID: workspace, MarketLanguage: "en", RunLimit: 10, CreatedAt: model.Now()}
	if _, err := db.NewInsert().Model(row).Exec(t.Context()); err != nil {
		t.Fatal(err)
	}
	rooms := document.New(db, news, func(text string) document.Reading { return document.Reading{Words: len(text)} })
	config := persona.Config{
		DB: db, Documents: rooms, Accounts: account.New(db, news), Addresses: fetch.New(fetch.Config{}), Jobs: jobs, Engine: with,
	}
	if !keep {
		config.Documents = full{rooms}
	}
	ctx := model.WithPrincipal(t.Context(), model.Principal{WorkspaceID: workspace})
	return &bundle{persona.New(config), db, jobs, ctx}
}

func (b *bundle) create(t *testing.T, name string) string {
	t.Helper()
	interests := "tides"
	out, err := b.Create(b.ctx, model.CreatePersonaInput{Name: name, Interests: graphql.OmittableOf(&interests)})
	if err != nil {
		t.Fatal(err)
	}
	return out.PersonaID
}

func (b *bundle) used(t *testing.T) int {
	t.Helper()
	p, err := model.PrincipalFrom(b.ctx)
	if err != nil {
		t.Fatal(err)
	}
	row := new(model.Workspace)
	if err := b.db.NewSelect().Model(row).Where("id = ?", p.WorkspaceID).Scan(t.Context()); err != nil {
		t.Fatal(err)
	}
	return row.RunsUsed
}

func (b *bundle) kept(t *testing.T, id string) int {
	t.Helper()
	page, err := b.Interactions(b.ctx, id, nil, model.PageArgs{})
	if err != nil {
		t.Fatal(err)
	}
	return len(page.Nodes)
}

func asking(id string) model.InteractInput {
	words := "Tides rise. Ferries stop. Tides fall."
	return model.InteractInput{PersonaID: id, InputContent: graphql.OmittableOf(&words)}
}

func TestPersona_belongs_to_its_workspace(t *testing.T) {
	testkit.EachDB(t, func(t *testing.T, db *dbx.DB) {
		ours, theirs := setup(t, db, "ours", engine{}, true), setup(t, db, "theirs", engine{}, true)
		id := ours.create(t, "Secret")
		if p, err := theirs.Get(theirs.ctx, id); p != nil || err != nil {
			t.Errorf("another workspace reads %+v, error %v", p, err)
		}
		for name, err := range map[string]error{
			"update":   second(theirs.Update(theirs.ctx, id, model.UpdatePersonaInput{})),
			"delete":   second(theirs.Delete(theirs.ctx, id)),
			"feedback": second(theirs.Feedback(theirs.ctx, id, model.PersonaFeedbackInput{Description: "x"})),
			"content":  second(theirs.GenerateContent(theirs.ctx, id, model.PersonaContentInput{Topic: "x"}, false)),
			"health":   second(theirs.MeasureHealth(theirs.ctx, id, false)),
		} {
			if !errs.Is(err, errs.NotFound) {
				t.Errorf("another workspace's %s gives %v", name, err)
			}
		}
		for _, word := range []string{id, "Secret"} {
			if _, err := theirs.Interact(theirs.ctx, asking(word), false); !errs.Is(err, errs.ValidationFailed) {
				t.Errorf("another workspace asks %s: %v", word, err)
			}
		}
		if categories, err := theirs.Categories(theirs.ctx); err != nil || len(categories) != 0 {
			t.Errorf("another workspace has the categories %v, error %v", categories, err)
		}
	})
}

func second[T any](_ T, err error) error { return err }

func TestList_ways_of_paging_agree(t *testing.T) {
	testkit.EachDB(t, func(t *testing.T, db *dbx.DB) {
		s := setup(t, db, "w", engine{}, true)
		for i := range 5 {
			s.create(t, fmt.Sprintf("Persona %d", i))
		}
		read := func(args model.PageArgs) (ids []string, next *string) {
			page, err := s.List(s.ctx, args, nil, "id")
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
		_, err := s.List(s.ctx, model.PageArgs{Limit: new(201), Offset: new(-1), Page: new(1)}, nil)
		if fields := errs.From(err).Fields; len(fields) != 3 {
			t.Errorf("fields are %+v", fields)
		}
	})
}

// TestInteractStream_that_is_left holds that a caller who goes stops the model, and nothing is kept or charged.
func TestInteractStream_that_is_left(t *testing.T) {
	testkit.EachDB(t, func(t *testing.T, db *dbx.DB) {
		s := setup(t, db, "w", engine{}, true)
		id := s.create(t, "P")
		ctx, leave := context.WithCancel(s.ctx)
		events, err := s.InteractStream(ctx, asking(id))
		if err != nil {
			t.Fatal(err)
		}
		if first := <-events; first.Kind != model.InteractEventKindDelta {
			t.Errorf("it begins with %+v", first)
		}
		leave()
		for range events { //nolint:revive // it ends when all is settled
		}
		if s.used(t) != 0 || s.kept(t, id) != 0 {
			t.Errorf("%d runs are used and %d interactions kept", s.used(t), s.kept(t, id))
		}
	})
}

func TestInteractStream_is_the_answer_in_pieces(t *testing.T) {
	testkit.EachDB(t, func(t *testing.T, db *dbx.DB) {
		s := setup(t, db, "w", engine{}, true)
		id := s.create(t, "P")
		events, err := s.InteractStream(s.ctx, asking(id))
		if err != nil {
			t.Fatal(err)
		}
		var said strings.Builder
		var last *model.InteractEvent
		for last = range events {
			if last.Delta != nil {
				said.WriteString(*last.Delta)
			}
		}
		whole, err := s.Interact(s.ctx, asking(id), false)
		if err != nil || last.Interaction == nil || said.String() != whole.OutputContent || last.Interaction.OutputContent != whole.OutputContent {
			t.Errorf("streamed %q, whole %+v, error %v", said.String(), whole, err)
		}
	})
}

// TestInteractStream_panics holds that a panic ends the stream and not the process.
func TestInteractStream_panics(t *testing.T) {
	testkit.EachDB(t, func(t *testing.T, db *dbx.DB) {
		s := setup(t, db, "w", engine{send: func() { panic("broken") }}, true)
		events, err := s.InteractStream(s.ctx, asking(s.create(t, "P")))
		if err != nil {
			t.Fatal(err)
		}
		var last *model.InteractEvent
		for last = range events { //nolint:revive // the last one counts
		}
		if last == nil || last.Failure == nil || last.Failure.Code != string(errs.Internal) || s.used(t) != 0 {
			t.Errorf("it ends with %+v, %d used", last, s.used(t))
		}
	})
}

// TestGenerateContent_that_cannot_be_stored holds that the text still comes back, with a warning and without a document.
func TestGenerateContent_that_cannot_be_stored(t *testing.T) {
	testkit.EachDB(t, func(t *testing.T, db *dbx.DB) {
		s := setup(t, db, "w", engine{}, false)
		out, err := s.GenerateContent(s.ctx, s.create(t, "P"), model.PersonaContentInput{Topic: "Tides"}, false)
		if err != nil {
			t.Fatal(err)
		}
		if out.DocumentID != nil || out.Content == "" || out.Warning == nil || !strings.Contains(*out.Warning, "the disk is full") || s.used(t) != 1 {
			t.Errorf("%+v, %d used", out, s.used(t))
		}
	})
}

// TestJob_that_runs_twice holds that a job whose model fails at first keeps one interaction and one run.
func TestJob_that_runs_twice(t *testing.T) {
	testkit.EachDB(t, func(t *testing.T, db *dbx.DB) {
		var calls atomic.Int64
		s := setup(t, db, "w", engine{run: func(context.Context) error {
			if calls.Add(1) == 1 {
				return errs.New(errs.ModelFailed, "not now")
			}
			return nil
		}}, true)
		id := s.create(t, "P")
		started, err := s.InteractAsync(s.ctx, asking(id), false)
		if err != nil {
			t.Fatal(err)
		}
		s.start(t)
		if ended := s.wait(t, started.JobID); ended.Status != model.JobStatusCompleted || calls.Load() != 2 || s.kept(t, id) != 1 || s.used(t) != 1 {
			t.Errorf("it is %s after %d calls, %d kept, %d used", ended.Status, calls.Load(), s.kept(t, id), s.used(t))
		}
	})
}

// TestJob_whose_persona_is_gone holds that it fails for good and costs nothing.
func TestJob_whose_persona_is_gone(t *testing.T) {
	testkit.EachDB(t, func(t *testing.T, db *dbx.DB) {
		s := setup(t, db, "w", engine{}, true)
		id := s.create(t, "P")
		started, err := s.InteractAsync(s.ctx, asking(id), false)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Delete(s.ctx, id); err != nil {
			t.Fatal(err)
		}
		s.start(t)
		if ended := s.wait(t, started.JobID); ended.Status != model.JobStatusFailed || ended.RetryCount != 0 || s.used(t) != 0 {
			t.Errorf("it is %s after %d retries, %d used", ended.Status, ended.RetryCount, s.used(t))
		}
	})
}

// TestInteract_whose_engine_breaks holds that nothing is kept or charged.
func TestInteract_whose_engine_breaks(t *testing.T) {
	testkit.EachDB(t, func(t *testing.T, db *dbx.DB) {
		broken := errors.New("broken")
		s := setup(t, db, "w", engine{run: func(context.Context) error { return broken }}, true)
		id := s.create(t, "P")
		if _, err := s.Interact(s.ctx, asking(id), false); !errors.Is(err, broken) || s.kept(t, id) != 0 || s.used(t) != 0 {
			t.Errorf("%v, %d kept, %d used", err, s.kept(t, id), s.used(t))
		}
	})
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

func (b *bundle) wait(t *testing.T, id string) *model.Job {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		found, err := b.jobs.Get(b.ctx, "w", id)
		if err != nil {
			t.Fatal(err)
		}
		if found.Ended() {
			return found
		}
	}
	t.Fatalf("job %s did not end", id)
	return nil
}
