package bulk_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/domain/account"
	"rostrum/domain/bulk"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/platform/blob"
	"rostrum/platform/job"
	"rostrum/platform/live"
	"rostrum/platform/principal"
	"rostrum/test/kit/dbtest"
	"rostrum/test/kit/poll"
)

// posts is a graph of posts that several processes read and add to.
type posts struct {
	mu      sync.Mutex
	count   int
	byKey   map[string]json.RawMessage // the answers of idempotency keys
	created []string
	limit   int // the largest page that the graph allows; 0 allows all
	before  func(ctx context.Context, key string)
}

// CheckText implements bulk.Executor.
func (p *posts) CheckText(context.Context, string) error { return nil }

// CheckOperation implements bulk.Executor.
func (p *posts) CheckOperation(context.Context, string, map[string]any) error { return nil }

// RunOperation implements bulk.Executor.
func (p *posts) RunOperation(ctx context.Context, text string, variables map[string]any,
	key string) (json.RawMessage, gqlerror.List) {
	if p.before != nil {
		p.before(ctx, key)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if key != "" {
		return p.create(variables, key)
	}
	if !strings.Contains(text, "nodes") {
		return json.RawMessage(fmt.Sprintf(`{"posts":{"totalCount":%d}}`, p.count)), nil
	}
	first, start := variables["first"].(int), 0
	if p.limit > 0 && first > p.limit {
		return nil, failure(errs.LimitExceeded)
	}
	if after, ok := variables["after"].(string); ok {
		start, _ = strconv.Atoi(after)
	}
	end := min(start+first, p.count)
	var nodes []string
	for i := start; i < end; i++ {
		nodes = append(nodes, fmt.Sprintf(`{"id":"%d"}`, i))
	}
	return json.RawMessage(fmt.Sprintf(`{"posts":{"nodes":[%s],"_bulk_page":{"hasNextPage":%t,"endCursor":"%d"}}}`,
		strings.Join(nodes, ","), end < p.count, end)), nil
}

func (p *posts) create(variables map[string]any, key string) (json.RawMessage, gqlerror.List) {
	if answer := p.byKey[key]; answer != nil {
		return answer, nil
	}
	title, _ := variables["input"].(map[string]any)["title"].(string)
	if title == "" {
		return nil, failure(errs.ValidationFailed)
	}
	p.created = append(p.created, title)
	p.byKey[key] = json.RawMessage(`{"createPost":{"title":"` + title + `"}}`)
	return p.byKey[key], nil
}

func failure(code errs.Code) gqlerror.List {
	return gqlerror.List{{Message: "it fails", Extensions: map[string]any{"code": string(code)}}}
}

// bundle is one process with a key of a workspace as the caller.
type bundle struct {
	*bulk.Service
	db    *dbx.DB
	jobs  *job.Service
	ctx   context.Context
	posts *posts
	// refused is the error for the caller of running jobs; nil allows it
	refused func() error
}

// setup returns a process that does not work yet; processes of a test share the folder and the posts.
func setup(t *testing.T, db *dbx.DB, folder string, shared *posts) *bundle {
	t.Helper()
	if err := job.Migrate(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	redis := dbtest.OpenLive(t, live.Config{})
	jobs, err := job.New(job.Config{DB: db, Live: redis, Queues: map[string]int{bulk.Queue: bulk.Workers}})
	if err != nil {
		t.Fatal(err)
	}
	files, err := blob.Open(t.Context(), "", folder)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = files.Close() })
	accounts := account.New(account.Config{DB: db, Live: redis, RecordChange: func(dbx.Tx, string, string, string) {}})
	b := &bundle{db: db, jobs: jobs, posts: shared, refused: func() error { return nil },
		ctx: principal.With(t.Context(), principal.Principal{WorkspaceID: "w", KeyID: "key_1", Scopes: []model.Scope{model.ScopeWrite}})}
	b.Service = bulk.New(bulk.Config{DB: db, Files: files, Jobs: jobs, Schema: loadSchema(t), PublicURL: "http://localhost",
		Principal: func(_ context.Context, workspaceID, keyID, _ string) (principal.Principal, error) {
			return principal.Principal{WorkspaceID: workspaceID, KeyID: keyID}, b.refused()
		},
		EventCursor:   func(context.Context, string) (string, error) { return "evt_1", nil },
		LockWorkspace: accounts.LockWorkspace, Audit: accounts.Audit,
	})
	b.RunOn(shared)
	b.CommitEach()
	if n, err := db.NewSelect().Model((*model.Workspace)(nil)).Where("id = 'w'").Count(t.Context()); err != nil || n > 0 {
		return b
	}
	if _, err := db.NewInsert().Model(&model.Workspace{ID: "w", CreatedAt: model.Now()}).Exec(t.Context()); err != nil {
		t.Fatal(err)
	}
	return b
}

func newPosts(count int) *posts { return &posts{count: count, byKey: map[string]json.RawMessage{}} }

func (b *bundle) start(t *testing.T) {
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

func (b *bundle) query(t *testing.T) string {
	t.Helper()
	started, err := b.StartQuery(b.ctx, api.StartBulkQueryInput{Query: "{ posts { nodes { id } } }"})
	if err != nil {
		t.Fatal(err)
	}
	return started.Job.ID
}

func (b *bundle) mutate(t *testing.T, lines string) string {
	t.Helper()
	started, err := b.StartMutation(b.ctx, input(lines))
	if err != nil {
		t.Fatal(err)
	}
	return started.Job.ID
}

func input(lines string) api.StartBulkMutationInput {
	return api.StartBulkMutationInput{Mutation: "mutation($input: PostInput!) { createPost(input: $input) { title } }",
		File: graphql.Upload{File: strings.NewReader(lines), Filename: "x.jsonl", Size: int64(len(lines))}}
}

// end waits for the end of a job.
func (b *bundle) end(t *testing.T, jobID string) *model.Job {
	t.Helper()
	var of *model.Job
	poll.Until(t, func() bool {
		var err error
		if of, err = b.jobs.Get(b.ctx, "w", jobID); err != nil {
			t.Fatal(err)
		}
		return of.Ended()
	}, "the job %s ends", jobID)
	return of
}

// text returns the file of a job.
func (b *bundle) text(t *testing.T, jobID string) string {
	t.Helper()
	file, err := b.Open(b.ctx, jobID)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	text, err := io.ReadAll(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
