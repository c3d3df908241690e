package rest_test

import (
	"context"
	"errors"
	"io"
	"slices"
	"sync"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"rostrum/api"
	"rostrum/errs"
	"rostrum/graph/generated"
	"rostrum/model"
)

// The ids of the only document and the only job of the test graph.
const (
	knownDocument = "doc_1"
	knownJob      = "job_1"
)

var fixedTime = time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)

// graphCalls is the test graph: it returns canned rows and records its arguments.
type graphCalls struct {
	generated.ResolverRoot // nil: these tests need no resolvers of other areas

	mu     sync.Mutex
	create *api.CreateDocumentInput
	update *api.UpdateDocumentInput
	ingest *api.IngestDocumentInput
	list   listCall
	cancel *api.CancelJobInput
	after  *int
	ended  chan struct{} // closed when the first subscription is canceled
	once   sync.Once
	events func(ctx context.Context, out chan<- *model.JobEvent)
	lost   func(context.Context) error // nil: the stream's credentials stay valid
}

type listCall struct {
	page, perPage int
	filter        api.DocumentFilter
	sort          *model.DocumentSort
}

// rootResolver is the root of the graph.
type rootResolver struct{ *graphCalls }

func (g rootResolver) Document() generated.DocumentResolver { return documentResolver{} }
func (g rootResolver) Mutation() generated.MutationResolver {
	return mutationResolver{graphCalls: g.graphCalls}
}
func (g rootResolver) Workspace() generated.WorkspaceResolver { return workspaceResolver{} }

func (g rootResolver) Query() generated.QueryResolver { return queryResolver{graphCalls: g.graphCalls} }
func (g rootResolver) Subscription() generated.SubscriptionResolver {
	return subscriptionResolver{graphCalls: g.graphCalls}
}

// documentResolver resolves the fields of a document; these tests do not request its missing
// fields, nor those of queries and mutations.
type documentResolver struct{ generated.DocumentResolver }

func (documentResolver) Visibility(_ context.Context, documents []*model.Document) ([]model.Visibility, error) {
	out := make([]model.Visibility, len(documents))
	for i, doc := range documents {
		out[i] = doc.Visibility
	}
	return out, nil
}

func (documentResolver) AutoTags(_ context.Context, documents []*model.Document) ([][]*model.DocumentAutoTag, error) {
	score := 0.5
	out := make([][]*model.DocumentAutoTag, len(documents))
	for i := range out {
		out[i] = []*model.DocumentAutoTag{{Name: "Topic", ExtractedValue: "tides", ConfidenceScore: &score,
			AppliedAt: &fixedTime}}
	}
	return out, nil
}

func document() *model.Document {
	owned, words, text := model.MediaProvenanceOwned, 2, "Tide <rises>"
	return &model.Document{
		Visibility: model.VisibilityPublic,
		ID:         knownDocument, WorkspaceID: "wsp_1", Title: "Tides", Content: &text, MediaProvenance: &owned,
		WordCount: &words,
		Tags:      []string{"sea"}, CreatedAt: fixedTime, UpdatedAt: fixedTime,
	}
}

func job() *model.Job {
	return &model.Job{
		ID: knownJob, WorkspaceID: "wsp_1", JobTypeText: "ingest", Status: model.JobStatusRunning, Progress: 40,
		Priority: 1, MaxRetries: 3, CreatedAt: fixedTime,
	}
}

func key(id string) *model.APIKey {
	return &model.APIKey{ID: id, WorkspaceID: "wsp_1", Name: "ci", Prefix: "rsk_abc",
		Scopes: []model.Scope{model.ScopeRead}, CreatedAt: fixedTime}
}

type queryResolver struct {
	generated.QueryResolver
	*graphCalls
}

func (queryResolver) Node(context.Context, string) (model.Node, error) { return nil, nil }

func (queryResolver) Limits(context.Context) (*api.Limits, error) { return &api.Limits{}, nil }

func (queryResolver) Workspace(context.Context) (*model.Workspace, error) {
	return &model.Workspace{ID: "wsp_1", Name: "Tidewall", Plan: model.PlanPro, MarketLanguage: "en", DefaultVisibility: model.VisibilityPublic, DefaultModel: "m",
		CreatedAt: fixedTime}, nil
}

func (queryResolver) Keys(context.Context, *int, *string, *int, *string, *bool) (*model.ApiKeyConnection, error) {
	return &model.ApiKeyConnection{Nodes: []*model.APIKey{key("key_1")}}, nil
}

func (queryResolver) Document(_ context.Context, id string) (*model.Document, error) {
	switch id {
	case knownDocument:
		return document(), nil
	case "doc_panic":
		panic("a resolver broke")
	case "doc_broken":
		return nil, errors.New("secret: the password is hunter2")
	}
	return nil, nil
}

func (q queryResolver) Documents(
	ctx context.Context, page, perPage, _ *int, _ *string, _ *int, _ *string, filter *api.DocumentFilter,
	_ *model.DocumentOrder, sort *model.DocumentSort,
) (*model.DocumentConnection, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.list = listCall{*page, *perPage, *filter, sort}
	if name := filter.Company.Value(); name != nil && *name == "unknown" {
		return nil, errs.Invalid(errs.BodyField("value_error", "names no company", "filter", "company"))
	}
	if name := filter.Company.Value(); name != nil && *name == "two" {
		graphql.AddError(ctx, errs.New(errs.RateLimited, "the first").With("retry_after", 7))
		return nil, errs.New(errs.NotFound, "the second")
	}
	rows := &model.Connection[model.Document]{
		Nodes: []*model.Document{document()}, Cursor: func(*model.Document) string { return "c" }, Page: *page,
		PerPage: *perPage,
		Count:   func(context.Context) (int, error) { return 41, nil },
	}
	return rows, nil
}

func (queryResolver) DocumentCount(context.Context, *api.DocumentFilter) (*int, error) {
	return new(41), nil
}

func (queryResolver) Estimate(context.Context, api.EstimateInput) (*model.Estimate, error) {
	return &model.Estimate{Runs: 1}, nil
}

func (queryResolver) Job(_ context.Context, id string) (*model.Job, error) {
	if id != knownJob {
		return nil, nil
	}
	return job(), nil
}

func (queryResolver) Jobs(
	_ context.Context, page, perPage, _ *int, _ *string, _ *int, _ *string, _ *api.JobFilter, _ *model.JobOrder,
) (*model.JobConnection, error) {
	rows := &model.Connection[model.Job]{
		Nodes: []*model.Job{job()}, Cursor: func(*model.Job) string { return "c" }, Page: *page, PerPage: *perPage,
		Count: func(context.Context) (int, error) { return 1, nil },
	}
	return rows, nil
}

func (queryResolver) JobEvents(_ context.Context, id string, after *int) (*api.JobEventPage, error) {
	if id != knownJob {
		return nil, nil
	}
	if *after == 1 {
		return nil, errs.New(errs.CursorGone, "the events after 1 are deleted").With("oldest", 5)
	}
	return &api.JobEventPage{Events: []*model.JobEvent{{Position: *after + 1, Kind: model.JobEventKindState,
		State: job()}}, NextCursor: *after + 1}, nil
}

func (queryResolver) AuditLog(
	context.Context, *int, *string, *int, *string,
) (*model.AuditConnection, error) {
	return nil, errs.New(errs.NotFound, "not in this test")
}

type mutationResolver struct {
	generated.MutationResolver
	*graphCalls
}

func (mutationResolver) MintKey(_ context.Context, input api.MintKeyInput) (*api.MintKeyPayload, error) {
	if input.Name == "twice" {
		return nil, errs.New(errs.Conflict, "the workspace has as many keys as it may have")
	}
	return &api.MintKeyPayload{Key: key("key_2"), Secret: "rsk_secret"}, nil
}

func (mutationResolver) RotateKey(_ context.Context, input api.RotateKeyInput) (*api.RotateKeyPayload, error) {
	return &api.RotateKeyPayload{Key: key("key_3"), Secret: "rsk_secret",
		Previous: &api.PreviousKey{KeyID: input.KeyID, ValidUntil: fixedTime}}, nil
}

func (mutationResolver) RevokeKey(_ context.Context, input api.RevokeKeyInput) (*api.RevokeKeyPayload, error) {
	return &api.RevokeKeyPayload{Key: key(input.KeyID)}, nil
}

func (m mutationResolver) CreateDocument(_ context.Context, input api.CreateDocumentInput) (*api.CreateDocumentPayload,
	error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.create = &input
	if input.Title == "two sources" {
		return nil, errs.Invalid(errs.BodyField("value_error", "is not a URL", "input", "sourceUrl"))
	}
	kind, count := "text", 1
	return &api.CreateDocumentPayload{Document: &model.Document{Visibility: model.VisibilityPublic,
		ID: "doc_2", Title: input.Title, ContentType: &kind, WordCount: &count, CharacterCount: &count,
		CreatedAt: fixedTime,
	}}, nil
}

func (m mutationResolver) UpdateDocument(_ context.Context, input api.UpdateDocumentInput) (*api.UpdateDocumentPayload,
	error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.update = &input
	return &api.UpdateDocumentPayload{Document: document()}, nil
}

func (mutationResolver) DeleteDocument(_ context.Context, input api.DeleteDocumentInput) (*api.DeleteDocumentPayload,
	error) {
	return &api.DeleteDocumentPayload{DeletedID: input.DocumentID}, nil
}

func (m mutationResolver) IngestDocument(_ context.Context, input api.IngestDocumentInput) (*api.IngestDocumentPayload,
	error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.ingest = &input
	if input.SourceURL == "https://poor.example" {
		return nil, errs.New(errs.BudgetExhausted, "the run budget is spent").
			With("budget", map[string]any{"limit": 5, "used": 5})
	}
	return &api.IngestDocumentPayload{DocumentID: "doc_3", Title: "…", Message: "Document ingested successfully",
		Success: true}, nil
}

func (mutationResolver) IngestSource(context.Context, api.IngestSourceInput) (*api.IngestSourcePayload, error) {
	return &api.IngestSourcePayload{Message: "ok", ContentType: "webpage",
		Placeholder: &api.IngestDocumentPayload{DocumentID: "doc_3", Title: "…"}}, nil
}

func (mutationResolver) ExtractText(_ context.Context, input api.ExtractTextInput) (*api.ExtractTextPayload, error) {
	file := input.File
	text, err := io.ReadAll(file.File)
	if err != nil {
		return nil, err
	}
	return &api.ExtractTextPayload{Content: string(text), Filename: file.Filename, WordCount: 1,
		CharacterCount: len(text)}, nil
}

func (mutationResolver) RetryDocument(context.Context, api.RetryDocumentInput) (*model.StartedJob, error) {
	return &model.StartedJob{Job: &model.Job{ID: "job_9", JobTypeText: "ingest", Status: model.JobStatusQueued}}, nil
}

func (m mutationResolver) CancelJob(_ context.Context, input api.CancelJobInput) (*api.CancelJobPayload, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.cancel = &input
	if input.JobID != knownJob {
		return nil, errs.New(errs.InvalidState, "the job has ended")
	}
	return &api.CancelJobPayload{Job: job()}, nil
}

func (mutationResolver) RetryJob(context.Context, api.RetryJobInput) (*api.RetryJobPayload, error) {
	return &api.RetryJobPayload{Job: job()}, nil
}

type subscriptionResolver struct {
	*graphCalls
	generated.SubscriptionResolver
}

func (subscriptionResolver) DocumentEvents(context.Context, *string, *string) (<-chan *model.DocumentEvent, error) {
	return nil, errs.New(errs.NotFound, "not in this test")
}

func (subscriptionResolver) WorkspaceJobs(context.Context, *string) (<-chan *model.Job, error) {
	return nil, errs.New(errs.NotFound, "not in this test")
}

func (s subscriptionResolver) JobProgress(ctx context.Context, id string, after *int) (<-chan *model.JobEvent, error) {
	if id != knownJob {
		return nil, errs.New(errs.NotFound, "there is no job %s", id)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.after = after
	out := make(chan *model.JobEvent)
	go func() {
		defer close(out)
		s.events(ctx, out)
		if ctx.Err() != nil {
			s.once.Do(func() { close(s.ended) })
		}
	}()
	return out, nil
}

// twoEvents sends a job's stream that ends by itself.
func twoEvents(ctx context.Context, out chan<- *model.JobEvent) {
	ended := job()
	ended.Status, ended.Progress = model.JobStatusCompleted, 100
	for _, event := range []*model.JobEvent{
		{Position: 4, Kind: model.JobEventKindSnapshot, State: job()},
		{Position: 5, Kind: model.JobEventKindEnd, State: ended},
	} {
		select {
		case out <- event:
		case <-ctx.Done():
			return
		}
	}
}

// presentCoded writes an error's code, field errors and extra members into the extensions, as the
// graph does.
func presentCoded(_ context.Context, err error) *gqlerror.Error {
	e := errs.From(err)
	extensions := map[string]any{"code": string(e.Code)}
	if len(e.Fields) > 0 {
		extensions["errors"] = e.Fields
	}
	for name, value := range e.Extra {
		extensions[name] = value
	}
	return &gqlerror.Error{Err: err, Message: e.Message, Extensions: extensions}
}

// workspaceResolver is the test graph's resolver of workspaces.
type workspaceResolver struct {
	generated.WorkspaceResolver // nil: these tests need no other edges
}

func (workspaceResolver) DefaultModel(_ context.Context, objs []*model.Workspace) ([]string, error) {
	return slices.Repeat([]string{"builtin-extractive-3"}, len(objs)), nil
}
