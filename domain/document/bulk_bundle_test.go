package document_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/99designs/gqlgen/graphql"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/domain/document"
	"rostrum/model"
	"rostrum/model/optional"
	"rostrum/platform/job"
	"rostrum/platform/live"
	"rostrum/platform/principal"
	"rostrum/test/kit/dbtest"
	"rostrum/test/kit/poll"
)

// bulkBundle is one process with a workspace's documents and the jobs that change them.
type bulkBundle struct {
	*document.Service
	db   *dbx.DB
	jobs *job.Service
	ctx  context.Context
}

// setupBulk returns a process that does not work yet.
func setupBulk(t *testing.T, db *dbx.DB, workspaceID string) *bulkBundle {
	t.Helper()
	if err := job.Migrate(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	jobs, err := job.New(job.Config{DB: db, Live: dbtest.OpenLive(t, live.Config{}),
		Queues: map[string]int{document.JobBulkUpdate: document.BulkWorkers}})
	if err != nil {
		t.Fatal(err)
	}
	b := &bulkBundle{db: db, jobs: jobs,
		Service: document.New(document.Config{DB: db, Analyze: analyzeText, Jobs: jobs}),
		ctx:     principal.With(t.Context(), principal.Principal{WorkspaceID: workspaceID})}
	if n, err := db.NewSelect().Model((*model.Workspace)(nil)).Where("id = ?", workspaceID).Count(t.Context()); err != nil ||
		n > 0 {
		return b
	}
	if _, err := db.NewInsert().Model(&model.Workspace{ID: workspaceID, CreatedAt: model.Now()}).
		Exec(t.Context()); err != nil {
		t.Fatal(err)
	}
	return b
}

func (b *bulkBundle) start(t *testing.T) {
	t.Helper()
	if err := b.jobs.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.jobs.Stop(context.WithoutCancel(t.Context())); err != nil {
			t.Error(err)
		}
	})
}

// create stores n documents and returns their ids.
func (b *bulkBundle) create(t *testing.T, n int) []string {
	t.Helper()
	ids := make([]string, n)
	for i := range ids {
		title := fmt.Sprintf("Document %d", i)
		out, err := b.Create(b.ctx, api.CreateDocumentInput{Title: title, Content: "text of " + title})
		if err != nil {
			t.Fatal(err)
		}
		ids[i] = out.Document.ID
	}
	return ids
}

// startBulk starts a bulk update and returns the id of its job.
func (b *bulkBundle) startBulk(t *testing.T, in api.StartBulkUpdateInput) string {
	t.Helper()
	out, err := b.StartBulk(b.ctx, in)
	if err != nil || out.JobID == nil {
		t.Fatalf("the update starts as %+v, error %v", out, err)
	}
	return *out.JobID
}

// result waits for the end of a job and returns its result.
func (b *bulkBundle) result(t *testing.T, jobID string) *model.BulkUpdateResult {
	t.Helper()
	var of *model.Job
	poll.Until(t, func() bool {
		var err error
		if of, err = b.jobs.Get(b.ctx, principal.Must(b.ctx).WorkspaceID, jobID); err != nil {
			t.Fatal(err)
		}
		return of.Ended()
	}, "the job %s ends", jobID)
	if of.Status != model.JobStatusCompleted {
		t.Fatalf("the job is %s: %s", of.Status, optional.ValueOr(of.ErrorMessage, ""))
	}
	result, ok := of.Result().(*model.BulkUpdateResult)
	if !ok {
		t.Fatalf("the result is %T", of.Result())
	}
	return result
}

func (b *bulkBundle) undo(t *testing.T, jobID string) *model.BulkUpdateResult {
	t.Helper()
	out, err := b.UndoBulk(b.ctx, jobID)
	if err != nil {
		t.Fatal(err)
	}
	return b.result(t, out.JobID)
}

func (b *bulkBundle) read(t *testing.T, id string) *model.Document {
	t.Helper()
	doc, err := b.Get(b.ctx, id)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

func given[T any](value T) graphql.Omittable[*T] { return graphql.OmittableOf(&value) }

// setting returns a bulk update of the documents that sets the fields.
func setting(ids []string, set api.BulkSetInput) api.StartBulkUpdateInput {
	return api.StartBulkUpdateInput{DocumentIds: graphql.OmittableOf(ids), Set: given(set)}
}
