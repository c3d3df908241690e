package graph

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"rostrum/api"
	"rostrum/errs"
	"rostrum/graph/generated"
	"rostrum/graph/policy"
	"rostrum/graph/transport"
	"rostrum/model"
	"rostrum/platform/principal"
)

// The keys of the tests and their scopes.
const (
	readKey    = "read-key"
	writeKey   = "write-key"
	adminKey   = "admin-key"
	expiredKey = "expired-key"
)

var scopes = map[string]model.Scope{readKey: model.ScopeRead, writeKey: model.ScopeWrite, adminKey: model.ScopeAdmin}

// The header of keys and the media types.
const (
	keyHeader    = "X-API-Key"
	typeJSON     = "application/json"
	typeResponse = "application/graphql-response+json"
	typeStream   = "text/event-stream"
	typeMixed    = "multipart/mixed"
)

// cannedData resolves every field from memory and counts the calls of root resolvers.
type cannedData struct {
	generated.ResolverRoot
	calls     atomic.Int64
	loads     atomic.Int64 // of the documents of jobs
	streams   atomic.Int64 // that are open
	revoked   atomic.Bool  // revokes every key
	documents []*model.Document
	tags      func([]*model.Document) ([][]*model.DocumentAutoTag, error)
	total     func(context.Context) (int, error)
	columns   func(context.Context)
	created   chan api.CreateDocumentInput
	events    chan *model.JobEvent
	eventsOf  map[string]chan *model.JobEvent // of the jobs that do not have events
	slow      func(context.Context) error
}

func newCanned() *cannedData {
	return &cannedData{
		documents: []*model.Document{sampleDocument("doc_a"), sampleDocument("doc_b")},
		created:   make(chan api.CreateDocumentInput, 1),
		events:    make(chan *model.JobEvent),
	}
}

func sampleDocument(id string) *model.Document {
	text, status := "A \"quoted\" line\n\ttab \u2028 <b>\x01", model.ProcessingStatusFetching
	words := 3
	return &model.Document{
		ID: id, WorkspaceID: "wsp_1", Title: "Title of " + id, Content: &text, WordCount: &words,
		ProcessingStatus: &status,
		Tags:             []string{"one", "two"}, CreatedAt: time.Date(2026, 11, 20, 12, 0, 0, 123456000, time.UTC),
	}
}

func (c *cannedData) authenticate(_ context.Context, key string) (principal.Principal, error) {
	if c.revoked.Load() {
		return principal.Principal{}, errs.New(errs.KeyRevoked, "the key was revoked")
	}
	if key == expiredKey {
		return principal.Principal{}, errs.New(errs.KeyExpired, "the key has expired")
	}
	scope, ok := scopes[key]
	if !ok {
		return principal.Principal{}, errs.New(errs.InvalidKey, "the key is not one of this server's")
	}
	return principal.Principal{WorkspaceID: "wsp_1", KeyID: "key_1", Scopes: []model.Scope{scope}}, nil
}

func (c *cannedData) Document() generated.DocumentResolver { return cannedDocument{c: c} }
func (*cannedData) AutoTag() generated.AutoTagResolver     { return nil }
func (c *cannedData) Query() generated.QueryResolver       { return cannedQuery{c: c} }
func (c *cannedData) Mutation() generated.MutationResolver { return cannedMutation{c: c} }
func (c *cannedData) Subscription() generated.SubscriptionResolver {
	return cannedSubscription{c: c}
}

type cannedDocument struct {
	generated.DocumentResolver
	c *cannedData
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
	c *cannedData
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

func (r cannedQuery) Keys(ctx context.Context, _ *int, _ *string, _ *int, _ *string, _ *bool) (*model.ApiKeyConnection,
	error) {
	return &model.ApiKeyConnection{Nodes: []*model.APIKey{{ID: "key_1", Scopes: []model.Scope{model.ScopeAdmin}}}},
		r.enter(ctx)
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
		return nil, errs.Invalid(errs.BodyField("missing", "is missing", "title"),
			errs.BodyField("missing", "is missing", "content"))
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
	ctx context.Context, _, _, _ *int, _ *string, _ *int, _ *string, _ *api.DocumentFilter,
	_ *model.DocumentOrder, _ *model.DocumentSort,
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
	return page, nil
}

func (r cannedQuery) DocumentCount(ctx context.Context, _ *api.DocumentFilter) (*int, error) {
	return new(len(r.c.documents)), r.enter(ctx)
}

func (r cannedQuery) Passages(ctx context.Context, _ string, _ *int) (*model.PassageSearch, error) {
	return &model.PassageSearch{}, r.enter(ctx)
}

func (r cannedQuery) NearDuplicates(ctx context.Context, _ string, _ *int) ([]*model.NearDuplicate, error) {
	return []*model.NearDuplicate{}, r.enter(ctx)
}

type cannedMutation struct {
	generated.MutationResolver
	c *cannedData
}

func (r cannedMutation) CreateDocument(_ context.Context, in api.CreateDocumentInput) (*api.CreateDocumentPayload,
	error) {
	r.c.calls.Add(1)
	r.c.created <- in
	return &api.CreateDocumentPayload{Document: &model.Document{ID: "doc_new", Title: in.Title}}, nil
}

func (r cannedMutation) ExtractText(_ context.Context, input api.ExtractTextInput) (*api.ExtractTextPayload, error) {
	file := input.File
	r.c.calls.Add(1)
	text, err := io.ReadAll(file.File)
	return &api.ExtractTextPayload{Content: string(text), Filename: file.Filename, CharacterCount: int(file.Size)}, err
}

type cannedSubscription struct {
	generated.SubscriptionResolver
	c *cannedData
}

// JobProgress sends the events of the test until their channel is closed.
func (r cannedSubscription) JobProgress(ctx context.Context, id string, _ *int) (<-chan *model.JobEvent, error) {
	r.c.calls.Add(1)
	if id == "job_missing" {
		return nil, errs.New(errs.NotFound, "no such job")
	}
	events := r.c.events
	if own, ok := r.c.eventsOf[id]; ok {
		events = own
	}
	out := make(chan *model.JobEvent)
	r.c.streams.Add(1)
	go func() {
		defer r.c.streams.Add(-1)
		defer close(out)
		for {
			select {
			case event, more := <-events:
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
	return &model.JobEvent{Position: position, Kind: model.JobEventKindProgress,
		State: &model.Job{ID: "job_1", Status: model.JobStatusRunning}}
}

// testBundle is a server on cannedData, its address, and its log.
type testBundle struct {
	*cannedData
	server *Server
	url    string
	log    *strings.Builder
}

func newTestBundle(t *testing.T, change ...func(*Config)) *testBundle {
	t.Helper()
	b := &testBundle{cannedData: newCanned(), log: &strings.Builder{}}
	config := Config{
		Resolvers: b.cannedData,
		Policy: policy.Config{Logger: slog.New(slog.NewTextHandler(b.log, nil)),
			Limits: policy.Limits{Query: time.Minute}},
		Transport: transport.Config{Authenticate: b.authenticate},
	}
	for _, c := range change {
		c(&config)
	}
	b.server = New(config)
	listener := httptest.NewServer(b.server)
	t.Cleanup(listener.Close)
	b.url = listener.URL
	return b
}

// testResponse is an HTTP response that has been read.
type testResponse struct {
	status int
	header http.Header
	body   string
}

// client has connections of its own, because a server of httptest closes http.DefaultClient's idle
// ones when it ends.
var client = &http.Client{Transport: http.DefaultTransport.(*http.Transport).Clone()}

func (b *testBundle) do(t *testing.T, method, query, body string, headers ...string) testResponse {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, b.url+query, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	resp, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return testResponse{resp.StatusCode, resp.Header, string(text)}
}

// post sends an operation as JSON with a key.
func (b *testBundle) post(t *testing.T, key, query string, headers ...string) testResponse {
	t.Helper()
	return b.do(t, http.MethodPost, "", `{"query":`+quoteJSON(query)+`}`,
		append([]string{"Content-Type", typeJSON, keyHeader, key}, headers...)...)
}

func quoteJSON(s string) string {
	text, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(text)
}

func (r testResponse) want(t *testing.T, status int, parts ...string) {
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
