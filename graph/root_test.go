package graph

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"rostrum/errs"
	"rostrum/graph/generated"
	"rostrum/model"
)

// The keys of the tests and what they may do.
const (
	readKey    = "read-key"
	writeKey   = "write-key"
	adminKey   = "admin-key"
	expiredKey = "expired-key"
)

var scopes = map[string]model.Scope{readKey: model.ScopeRead, writeKey: model.ScopeWrite, adminKey: model.ScopeAdmin}

var discard = slog.New(slog.DiscardHandler)

// canned answers every field from memory and counts how often a resolver of a root field ran.
type canned struct {
	generated.ResolverRoot
	calls     atomic.Int64
	revoked   atomic.Bool // whether every key has stopped working
	documents []*model.Document
	tags      func([]*model.Document) ([][]*model.DocumentAutoTag, error)
	total     func(context.Context) (int, error)
	columns   func(context.Context)
	created   chan model.CreateDocumentInput
	events    chan *model.JobEvent
	slow      func(context.Context) error
}

func newCanned() *canned {
	return &canned{
		documents: []*model.Document{sampleDocument("doc_a"), sampleDocument("doc_b")},
		created:   make(chan model.CreateDocumentInput, 1),
		events:    make(chan *model.JobEvent),
	}
}

func sampleDocument(id string) *model.Document {
	text, status := "A \"quoted\" line\n\ttab \u2028 <b>\x01", model.ProcessingStatusFetching
	words := 3
	return &model.Document{
		ID: id, WorkspaceID: "wsp_1", Title: "Title of " + id, Content: &text, WordCount: &words, ProcessingStatus: &status,
		Tags: []string{"one", "two"}, CreatedAt: time.Date(2026, 11, 20, 12, 0, 0, 123456000, time.UTC),
	}
}

func (c *canned) authenticate(_ context.Context, key string) (model.Principal, error) {
	if c.revoked.Load() {
		return model.Principal{}, errs.New(errs.KeyRevoked, "the key was revoked")
	}
	if key == expiredKey {
		return model.Principal{}, errs.New(errs.KeyExpired, "the key has expired")
	}
	scope, ok := scopes[key]
	if !ok {
		return model.Principal{}, errs.New(errs.InvalidKey, "the key is not one of this server's")
	}
	return model.Principal{WorkspaceID: "wsp_1", KeyID: "key_1", Scopes: []model.Scope{scope}}, nil
}

func (c *canned) Document() generated.DocumentResolver { return cannedDocument{c: c} }
func (*canned) AutoTag() generated.AutoTagResolver     { return nil }
func (c *canned) Query() generated.QueryResolver       { return cannedQuery{c: c} }
func (c *canned) Mutation() generated.MutationResolver { return cannedMutation{c: c} }
func (c *canned) Subscription() generated.SubscriptionResolver {
	return cannedSubscription{c: c}
}

type cannedDocument struct {
	generated.DocumentResolver
	c *canned
}

func (r cannedDocument) AutoTags(_ context.Context, docs []*model.Document) ([][]*model.DocumentAutoTag, error) {
	if r.c.tags != nil {
		return r.c.tags(docs)
	}
	out := make([][]*model.DocumentAutoTag, len(docs))
	for i, d := range docs {
		out[i] = []*model.DocumentAutoTag{{Name: "tag of " + d.ID, ExtractedValue: "value"}}
	}
	return out, nil
}

type cannedQuery struct {
	generated.QueryResolver
	c *canned
}

func (r cannedQuery) enter(ctx context.Context) error {
	r.c.calls.Add(1)
	if r.c.columns != nil {
		r.c.columns(ctx)
	}
	if r.c.slow != nil {
		return r.c.slow(ctx)
	}
	return nil
}

func (r cannedQuery) Workspace(ctx context.Context) (*model.Workspace, error) {
	return &model.Workspace{ID: "wsp_1", Name: "Tidewall", Plan: model.PlanPro, RunLimit: 10}, r.enter(ctx)
}

func (r cannedQuery) Keys(ctx context.Context) ([]*model.APIKey, error) {
	return []*model.APIKey{{ID: "key_1", Scopes: []model.Scope{model.ScopeAdmin}}}, r.enter(ctx)
}

func (r cannedQuery) Document(ctx context.Context, id string) (*model.Document, error) {
	if err := r.enter(ctx); err != nil {
		return nil, err
	}
	switch id {
	case "doc_broken":
		return nil, errors.New("pq: password of the database is hunter2")
	case "doc_panic":
		panic("secret in a panic")
	case "doc_invalid":
		return nil, errs.Invalid(errs.BodyField("missing", "is missing", "title"), errs.BodyField("missing", "is missing", "content"))
	case "doc_gone":
		return nil, errs.New(errs.CursorGone, "the position is gone").With("oldest", 7)
	}
	for _, d := range r.c.documents {
		if d.ID == id {
			return d, nil
		}
	}
	return nil, nil
}

func (r cannedQuery) Documents(
	ctx context.Context, _, perPage, _ *int, _ *string, _ *int, _ *string, _ *model.DocumentFilter, _ model.DocumentSort,
) (*model.DocumentConnection, error) {
	if err := r.enter(ctx); err != nil {
		return nil, err
	}
	page := &model.Connection[model.Document]{
		Nodes: r.c.documents, Page: 1, PerPage: 20,
		Count: func(ctx context.Context) (int, error) {
			if r.c.total != nil {
				return r.c.total(ctx)
			}
			return len(r.c.documents), nil
		},
	}
	page.Cursor = func(d *model.Document) string {
		if d == nil {
			return ""
		}
		return "cursor of " + d.ID
	}
	return &model.DocumentConnection{Connection: page}, nil
}

func (r cannedQuery) DocumentCount(ctx context.Context, _ *model.DocumentFilter) (int, error) {
	return len(r.c.documents), r.enter(ctx)
}

type cannedMutation struct {
	generated.MutationResolver
	c *canned
}

func (r cannedMutation) CreateDocument(_ context.Context, in model.CreateDocumentInput) (*model.CreateDocumentPayload, error) {
	r.c.calls.Add(1)
	r.c.created <- in
	return &model.CreateDocumentPayload{Document: &model.CreatedDocumentRef{ID: "doc_new", Title: in.Title}, Message: "stored"}, nil
}

func (r cannedMutation) ExtractText(_ context.Context, file graphql.Upload) (*model.ExtractedText, error) {
	r.c.calls.Add(1)
	text, err := io.ReadAll(file.File)
	return &model.ExtractedText{Content: string(text), Filename: file.Filename, CharacterCount: int(file.Size)}, err
}

type cannedSubscription struct {
	generated.SubscriptionResolver
	c *canned
}

// JobProgress sends what the test puts into events until that is closed.
func (r cannedSubscription) JobProgress(ctx context.Context, id string, _ *int) (<-chan *model.JobEvent, error) {
	r.c.calls.Add(1)
	if id == "job_missing" {
		return nil, errs.New(errs.NotFound, "no such job")
	}
	out := make(chan *model.JobEvent)
	go func() {
		defer close(out)
		for {
			select {
			case event, more := <-r.c.events:
				if !more {
					return
				}
				select {
				case out <- event:
				case <-ctx.Done():
					return
				}
			case <-ctx.Done():
				return
			}
		}
	}()
	return out, nil
}

func jobEvent(position int) *model.JobEvent {
	return &model.JobEvent{Position: position, Kind: model.JobEventKindProgress, Job: &model.Job{ID: "job_1", Status: model.JobStatusRunning}}
}

// testBundle is a door on canned answers, its address, and what it logged.
type testBundle struct {
	*canned
	server *Server
	url    string
	log    *strings.Builder
}

func setup(t *testing.T, change ...func(*Config)) *testBundle {
	t.Helper()
	b := &testBundle{canned: newCanned(), log: &strings.Builder{}}
	config := Config{Resolvers: b.canned, Authenticate: b.authenticate, Logger: slog.New(slog.NewTextHandler(b.log, nil))}
	for _, c := range change {
		c(&config)
	}
	b.server = New(config)
	listener := httptest.NewServer(b.server)
	t.Cleanup(listener.Close)
	b.url = listener.URL
	return b
}

// reply is an HTTP answer that has been read.
type reply struct {
	status int
	header http.Header
	body   string
}

func (b *testBundle) do(t *testing.T, method, query, body string, headers ...string) reply {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, b.url+query, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return reply{resp.StatusCode, resp.Header, string(text)}
}

// post sends an operation as JSON with a key.
func (b *testBundle) post(t *testing.T, key, query string, headers ...string) reply {
	t.Helper()
	return b.do(t, http.MethodPost, "", `{"query":`+quote(query)+`}`,
		append([]string{"Content-Type", typeJSON, keyHeader, key}, headers...)...)
}

func quote(s string) string {
	var m members
	m.add("q", s)
	return string(m.text[len(`"q":`):])
}

func (r reply) want(t *testing.T, status int, parts ...string) {
	t.Helper()
	if r.status != status {
		t.Errorf("status %d, want %d: %s", r.status, status, r.body)
	}
	for _, part := range parts {
		if !strings.Contains(r.body, part) {
			t.Errorf("the body lacks %s: %s", part, r.body)
		}
	}
}
