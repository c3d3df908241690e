package bulk_test

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/domain/bulk"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/model/optional"
	"rostrum/platform/principal"
	"rostrum/test/kit/dbtest"
	"rostrum/test/kit/poll"
)

func wantedPosts(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "{\"id\":\"%d\"}\n", i)
	}
	return b.String()
}

// freeze stops the process of b before its nth operation until back is closed, and closes reached.
func freeze(p *posts, n int64) (reached, back chan struct{}) {
	reached, back = make(chan struct{}), make(chan struct{})
	var count atomic.Int64
	p.before = func(context.Context, string) {
		if count.Add(1) == n {
			close(reached)
			<-back
		}
	}
	return reached, back
}

// endLease ends the lease of a job, as if its process had been killed.
func endLease(t *testing.T, db *dbx.DB, jobID string) {
	t.Helper()
	_, err := db.NewUpdate().Model((*model.Job)(nil)).Set("lease_until = ?", model.Now().Add(-time.Hour)).
		Where("id = ?", jobID).Exec(t.Context())
	if err != nil {
		t.Fatal(err)
	}
}

// TestKill freezes the process that writes a file before each of its pages. Another one continues
// the file; the first one comes back, and its part is no part of the file.
func TestKill(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		const count = 450 // the count and five pages
		for frozen := int64(1); frozen <= 6; frozen++ {
			folder, shared := t.TempDir(), newPosts(count)
			reached, back := freeze(shared, frozen)
			first := setup(t, db, folder, shared)
			second := setup(t, db, folder, shared)
			first.start(t)
			jobID := first.query(t)
			<-reached
			endLease(t, db, jobID)
			second.start(t)
			of := second.end(t, jobID)
			close(back)
			if of.Status != model.JobStatusCompleted {
				t.Fatalf("frozen before operation %d: the job is %s: %s", frozen, of.Status, optional.ValueOr(of.ErrorMessage, ""))
			}
			if err := first.jobs.Stop(t.Context()); err != nil { // it has come back
				t.Fatal(err)
			}
			if got := second.text(t, jobID); got != wantedPosts(count) {
				t.Errorf("frozen before operation %d, the file has %d bytes, want %d", frozen, len(got), len(wantedPosts(count)))
			}
			result := of.Result().(*model.BulkQueryResult)
			if result.RowCount != count || result.ByteCount != len(wantedPosts(count)) || result.Position != "evt_1" {
				t.Errorf("the result is %+v", result)
			}
			if err := second.jobs.Stop(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// TestKill_mutation freezes the process that runs lines. Another one continues, and each line runs
// once.
func TestKill_mutation(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		folder, shared := t.TempDir(), newPosts(0)
		reached, back := freeze(shared, 4)
		first := setup(t, db, folder, shared)
		second := setup(t, db, folder, shared)
		first.start(t)
		long := `{"title": "` + strings.Repeat("x", bulk.MaxInputLine) + `"}`
		jobID := first.mutate(t, "\ufeff{\"title\": \"a\"}\n\n{\"title\": \"\"}\nno\n"+long+"\n{\"title\": \"b\"}\n[]\n{\"title\": \"c\"}\n{\"title\": \"M\xfcller\"}")
		<-reached
		endLease(t, db, jobID)
		second.start(t)
		of := second.end(t, jobID)
		close(back)
		if of.Status != model.JobStatusCompleted {
			t.Fatalf("the job is %s: %s", of.Status, optional.ValueOr(of.ErrorMessage, ""))
		}
		if err := first.jobs.Stop(t.Context()); err != nil {
			t.Fatal(err)
		}
		const want = `{"line":1,"data":{"createPost":{"title":"a"}}}
{"line":3,"errors":[{"message":"it fails","extensions":{"code":"validation_failed"}}]}
{"line":4,"errors":[{"message":"the line is not a JSON object","extensions":{"code":"malformed_json"}}]}
{"line":5,"errors":[{"message":"the line has more than 1048576 bytes","extensions":{"code":"too_large"}}]}
{"line":6,"data":{"createPost":{"title":"b"}}}
{"line":7,"errors":[{"message":"the line is not a JSON object","extensions":{"code":"malformed_json"}}]}
{"line":8,"data":{"createPost":{"title":"c"}}}
{"line":9,"errors":[{"message":"the line is not UTF-8","extensions":{"code":"malformed_json"}}]}
`
		if got := second.text(t, jobID); got != want {
			t.Errorf("the report is %s", got)
		}
		if got := strings.Join(shared.created, " "); got != "a b c" {
			t.Errorf("created are %s", got)
		}
		if r := of.Result().(*model.BulkMutationResult); r.LineCount != 8 || r.FailedCount != 5 {
			t.Errorf("the result is %+v", r)
		}
	})
}

// TestMutation_cancelled cancels a job while a line runs. The report has the lines that ran, also
// that one, and a retry runs the others.
func TestMutation_cancelled(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		shared := newPosts(0)
		reached, back := freeze(shared, 3)
		b := setup(t, db, t.TempDir(), shared)
		b.CommitLate()
		b.start(t)
		jobID := b.mutate(t, `{"title": "a"}`+"\n"+`{"title": "b"}`+"\n"+`{"title": "c"}`+"\n"+`{"title": "d"}`)
		<-reached
		if _, err := b.jobs.Cancel(b.ctx, "w", jobID, "", ""); err != nil {
			t.Fatal(err)
		}
		close(back)
		const ran = `{"line":1,"data":{"createPost":{"title":"a"}}}
{"line":2,"data":{"createPost":{"title":"b"}}}
{"line":3,"data":{"createPost":{"title":"c"}}}
`
		poll.Until(t, func() bool { return b.text(t, jobID) == ran }, "the report has the lines that ran")
		if _, err := b.jobs.Retry(b.ctx, "w", jobID); err != nil {
			t.Fatal(err)
		}
		if of := b.end(t, jobID); of.Status != model.JobStatusCompleted {
			t.Fatalf("the retried job is %s", of.Status)
		}
		if got := b.text(t, jobID); got != ran+`{"line":4,"data":{"createPost":{"title":"d"}}}`+"\n" {
			t.Errorf("the report is %s", got)
		}
		if got := strings.Join(shared.created, " "); got != "a b c d" {
			t.Errorf("created are %s", got)
		}
	})
}

// TestQuery_pages makes pages smaller until the graph allows them.
func TestQuery_pages(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		shared := newPosts(50)
		shared.limit = 7
		b := setup(t, db, t.TempDir(), shared)
		b.start(t)
		jobID := b.query(t)
		b.end(t, jobID)
		if got := b.text(t, jobID); got != wantedPosts(50) {
			t.Errorf("the file is %s", got)
		}
	})
}

// TestQuery_revoked revokes the key of a running job, which ends with the key's error and keeps what
// was written. A retry continues.
func TestQuery_revoked(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		shared := newPosts(300)
		b := setup(t, db, t.TempDir(), shared)
		var checks atomic.Int64
		b.refused = func() error {
			if checks.Add(1) == 4 { // at the start, after the position, and after two pages
				return errs.New(errs.KeyRevoked, "this key was revoked; use another one")
			}
			return nil
		}
		b.start(t)
		jobID := b.query(t)
		of := b.end(t, jobID)
		if of.Status != model.JobStatusFailed || optional.ValueOr(of.ErrorCode, "") != string(errs.KeyRevoked) {
			t.Fatalf("the job is %s with %s", of.Status, optional.ValueOr(of.ErrorCode, "none"))
		}
		if got := b.text(t, jobID); got != wantedPosts(200) {
			t.Errorf("the file has %d bytes", len(got))
		}
		if _, err := b.jobs.Retry(b.ctx, "w", jobID); err != nil {
			t.Fatal(err)
		}
		if of = b.end(t, jobID); of.Status != model.JobStatusCompleted {
			t.Fatalf("the retried job is %s", of.Status)
		}
		if got := b.text(t, jobID); got != wantedPosts(300) {
			t.Errorf("after the retry the file has %d bytes", len(got))
		}
	})
}

// TestOpen reads ranges across parts, and refuses other callers and running jobs.
func TestOpen(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		shared := newPosts(250)
		reached, back := freeze(shared, 1)
		b := setup(t, db, t.TempDir(), shared)
		b.start(t)
		jobID := b.query(t)
		<-reached
		if _, err := b.Open(b.ctx, jobID); !errs.Is(err, errs.InvalidState) {
			t.Errorf("the file of a running job: %v", err)
		}
		if _, err := b.StartQuery(b.ctx, api.StartBulkQueryInput{Query: "{ posts { nodes { id } } }"}); !errs.Is(err, errs.InvalidState) {
			t.Errorf("a second job: %v", err)
		}
		close(back)
		b.end(t, jobID)
		file, err := b.Open(b.ctx, jobID)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		want := wantedPosts(250)
		for _, at := range []int{0, 1090, 2290, len(want) - 1} {
			part := make([]byte, min(1200, len(want)-at))
			if _, err := file.Seek(int64(at), io.SeekStart); err != nil {
				t.Fatal(err)
			}
			if _, err := io.ReadFull(file, part); err != nil || string(part) != want[at:at+len(part)] {
				t.Errorf("from byte %d: %q, error %v", at, part, err)
			}
		}
		for name, p := range map[string]principal.Principal{
			"key":  {WorkspaceID: "w", KeyID: "key_2", Scopes: []model.Scope{model.ScopeAdmin}},
			"user": {WorkspaceID: "w", UserID: "usr_1", Scopes: []model.Scope{model.ScopeAdmin}},
		} {
			if _, err := b.Open(principal.With(t.Context(), p), jobID); !errs.Is(err, errs.InsufficientScope) {
				t.Errorf("another %s: %v", name, err)
			}
		}
	})
}

// TestDeleteOld deletes files after their time, and parts without a row.
func TestDeleteOld(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		b := setup(t, db, t.TempDir(), newPosts(10))
		b.start(t)
		jobID := b.query(t)
		b.end(t, jobID)
		if err := b.Files.Put(t.Context(), "bulk/w/orphan", bulk.MediaLines, strings.NewReader("x")); err != nil {
			t.Fatal(err)
		}
		if n, err := b.Sweep(t.Context(), time.Now().Add(time.Hour)); n != 1 || err != nil {
			t.Errorf("%d parts without a row, error %v", n, err)
		}
		if n, err := b.DeleteOld(t.Context(), model.Now().Add(bulk.Retention-time.Hour)); n != 0 || err != nil {
			t.Errorf("%d files before their time, error %v", n, err)
		}
		if got := b.text(t, jobID); got != wantedPosts(10) {
			t.Errorf("the file is %s", got)
		}
		if n, err := b.DeleteOld(t.Context(), model.Now().Add(bulk.Retention+time.Hour)); n != 1 || err != nil {
			t.Errorf("%d files after their time, error %v", n, err)
		}
		if _, err := b.Open(b.ctx, jobID); !errs.Is(err, errs.NotFound) {
			t.Errorf("a deleted file: %v", err)
		}
		if n, err := b.Sweep(t.Context(), time.Now().Add(time.Hour)); n != 0 || err != nil {
			t.Errorf("%d parts are left, error %v", n, err)
		}
	})
}

// TestMutation_refused names what a mutation must not have.
func TestMutation_refused(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		b := setup(t, db, t.TempDir(), newPosts(0))
		for text, want := range map[string]string{
			"{ posts { nodes { id } } }":                                                                                "it is a query",
			`mutation { createPost(input: {title: "x"}) { id } }`:                                                       "one variable, $input",
			"mutation($in: PostInput!) { createPost(input: $in) { id } }":                                               "one variable, $input",
			"mutation($input: PostInput!) { createPost(input: $input) { id } again: createPost(input: $input) { id } }": "it has 2",
			"mutation($input: PostInput!) { createKey(input: $input) { id } }":                                          "scope admin",
			"mutation($input: PostInput!) { startBulkThing(input: $input) { id } }":                                     "does not run by lines",
			`mutation($input: PostInput!) { createPost(input: $input, file: "x") { id } }`:                              "takes a file",
			"mutation($input: PostInput!) { createPost(input: $input) { nothing } }":                                    "nothing",
			"mutation($input: PostInput!) { createPost(input: $input) @include(if: true) { id } }":                      "without a condition",
		} {
			in := input("{}")
			in.Mutation = text
			_, err := b.StartMutation(b.ctx, in)
			if !errs.Is(err, errs.ValidationFailed) || !strings.Contains(errs.From(err).Fields[0].Msg, want) {
				t.Errorf("%s: %v, want %q", text, err, want)
			}
		}
		if _, err := b.StartMutation(b.ctx, input(" \n\n")); !errs.Is(err, errs.ValidationFailed) {
			t.Errorf("a file without lines: %v", err)
		}
		if _, err := b.StartMutation(b.ctx, input(strings.Repeat("\n", bulk.MaxLines+1))); !errs.Is(err, errs.TooLarge) {
			t.Errorf("a file with too many lines: %v", err)
		}
	})
}
