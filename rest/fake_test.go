package rest_test

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"rostrum/errs"
	"rostrum/graph/generated"
	"rostrum/model"
)

// These name the one document and the one job that the test graph has.
const (
	knownDocument = "doc_1"
	knownJob      = "job_1"
)

var then = time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)

// graphCalls is the test graph: it answers from canned rows and remembers what it was asked.
type graphCalls struct {
	generated.ResolverRoot // nil: these tests need no resolvers of other areas

	mu     sync.Mutex
	create *model.CreateDocumentInput
	update *model.UpdateDocumentInput
	ingest *model.IngestDocumentInput
	list   listCall
	cancel *model.CancelJobInput
	after  *int
	ended  chan struct{} // closed when the first subscription is left
	once   sync.Once
	events func(ctx context.Context, out chan<- *model.JobEvent)
	lost   func(context.Context) error // nil: what a stream was entered with works on
}

type listCall struct {
	page, perPage int
	filter        model.DocumentFilter
	sort          model.DocumentSort
}

// root is where the graph begins.
type root struct{ *graphCalls }

func (g root) Document() generated.DocumentResolver { return documents{} }
func (g root) Mutation() generated.MutationResolver { return mutations{graphCalls: g.graphCalls} }
func (g root) Query() generated.QueryResolver       { return queries{graphCalls: g.graphCalls} }
func (g root) Subscription() generated.SubscriptionResolver {
	return subscriptions{graphCalls: g.graphCalls}
}

// documents answers the fields of a document; what it does not have is never asked for here, which is so of queries and mutations, too.
type documents struct{ generated.DocumentResolver }

func (documents) AutoTags(_ context.Context, documents []*model.Document) ([][]*model.DocumentAutoTag, error) {
	score := 0.5
	out := make([][]*model.DocumentAutoTag, len(documents))
	for i := range out {
		out[i] = []*model.DocumentAutoTag{{Name: "Topic", ExtractedValue: "tides", ConfidenceScore: &score, AppliedAt: &then}}
	}
	return out, nil
}

func document() *model.Document {
	owned, words, text := model.MediaProvenanceOwned, 2, "Tide <rises>"
	return &model.Document{
		ID: knownDocument, WorkspaceID: "wsp_1", Title: "Tides", Content: &text, MediaProvenance: &owned, WordCount: &words,
		Tags: []string{"sea"}, CreatedAt: then, UpdatedAt: then,
	}
}

func job() *model.Job {
	return &model.Job{
		ID: knownJob, WorkspaceID: "wsp_1", JobType: "ingest", Status: model.JobStatusRunning, Progress: 40,
		Priority: 1, MaxRetries: 3, CreatedAt: then,
	}
}

func key(id string) *model.APIKey {
	return &model.APIKey{ID: id, WorkspaceID: "wsp_1", Name: "ci", Prefix: "rsk_abc", Scopes: []model.Scope{model.ScopeRead}, CreatedAt: then}
}

type queries struct {
	generated.QueryResolver
	*graphCalls
}

func (queries) Node(context.Context, string) (model.Node, error) { return nil, nil }

func (queries) Limits(context.Context) (*model.Limits, error) { return &model.Limits{}, nil }

func (queries) Workspace(context.Context) (*model.Workspace, error) {
	return &model.Workspace{ID: "wsp_1", Name: "Tidewall", Plan: model.PlanPro, MarketLanguage: "en", DefaultModel: "m", CreatedAt: then}, nil
}

func (queries) Keys(context.Context) ([]*model.APIKey, error) {
	return []*model.APIKey{key("key_1")}, nil
}

func (queries) Document(_ context.Context, id string) (*model.Document, error) {
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

func (q queries) Documents(
	ctx context.Context, page, perPage, _ *int, _ *string, _ *int, _ *string, filter *model.DocumentFilter, sort model.DocumentSort,
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
		Nodes: []*model.Document{document()}, Cursor: func(*model.Document) string { return "c" }, Page: *page, PerPage: *perPage,
		Count: func(context.Context) (int, error) { return 41, nil },
	}
	return &model.DocumentConnection{Connection: rows}, nil
}

func (queries) DocumentCount(context.Context, *model.DocumentFilter) (int, error) { return 41, nil }

func (queries) Job(_ context.Context, id string) (*model.Job, error) {
	if id != knownJob {
		return nil, nil
	}
	return job(), nil
}

func (queries) Jobs(
	_ context.Context, page, perPage, _ *int, _ *string, _ *int, _ *string, _ *model.JobFilter,
) (*model.JobConnection, error) {
	rows := &model.Connection[model.Job]{
		Nodes: []*model.Job{job()}, Cursor: func(*model.Job) string { return "c" }, Page: *page, PerPage: *perPage,
		Count: func(context.Context) (int, error) { return 1, nil },
	}
	return &model.JobConnection{Connection: rows}, nil
}

func (queries) JobEvents(_ context.Context, id string, after *int) (*model.JobEventPage, error) {
	if id != knownJob {
		return nil, nil
	}
	if *after == 1 {
		return nil, errs.New(errs.CursorGone, "the events behind 1 are gone").With("oldest", 5)
	}
	return &model.JobEventPage{Events: []*model.JobEvent{{Position: *after + 1, Kind: model.JobEventKindState, Job: job()}}, NextCursor: *after + 1}, nil
}

func (queries) AuditLog(
	context.Context, *int, *int, *int, *string, *int, *string,
) (*model.AuditConnection, error) {
	return nil, errs.New(errs.NotFound, "not in this test")
}

type mutations struct {
	generated.MutationResolver
	*graphCalls
}

func (mutations) MintKey(_ context.Context, input model.MintKeyInput) (*model.MintKeyPayload, error) {
	if input.Name == "twice" {
		return nil, errs.New(errs.Conflict, "the workspace has as many keys as it may have")
	}
	return &model.MintKeyPayload{Key: key("key_2"), Secret: "rsk_secret"}, nil
}

func (mutations) RotateKey(_ context.Context, id string, _ *model.RotateKeyInput) (*model.RotateKeyPayload, error) {
	return &model.RotateKeyPayload{Key: key("key_3"), Secret: "rsk_secret", Previous: &model.PreviousKey{ID: id, ValidUntil: then}}, nil
}

func (mutations) RevokeKey(_ context.Context, id string) (*model.RevokeKeyPayload, error) {
	return &model.RevokeKeyPayload{Key: key(id)}, nil
}

func (m mutations) CreateDocument(_ context.Context, input model.CreateDocumentInput) (*model.CreateDocumentPayload, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.create = &input
	if input.Title == "two sources" {
		return nil, errs.Invalid(errs.BodyField("value_error", "is not a URL", "input", "sourceUrl"))
	}
	return &model.CreateDocumentPayload{
		Document: &model.CreatedDocumentRef{ID: "doc_2", Title: input.Title, ContentType: "text", WordCount: 1, CharacterCount: 1, CreatedAt: then},
		Message:  "Document created successfully",
	}, nil
}

func (m mutations) UpdateDocument(_ context.Context, _ string, input model.UpdateDocumentInput) (*model.UpdateDocumentPayload, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.update = &input
	return &model.UpdateDocumentPayload{Document: document()}, nil
}

func (mutations) DeleteDocument(_ context.Context, id string) (*model.DeleteDocumentPayload, error) {
	return &model.DeleteDocumentPayload{ID: id}, nil
}

func (m mutations) IngestDocument(_ context.Context, input model.IngestDocumentInput, estimate bool) (*model.IngestDocumentPayload, error) {
	if estimate {
		return &model.IngestDocumentPayload{Estimate: &model.Estimate{Runs: 1}}, nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.ingest = &input
	if input.SourceURL == "https://poor.example" {
		return nil, errs.New(errs.BudgetExhausted, "the run budget is spent").With("budget", map[string]any{"limit": 5, "used": 5})
	}
	return &model.IngestDocumentPayload{DocumentID: "doc_3", Title: "…", Message: "Document ingested successfully", Success: true}, nil
}

func (mutations) IngestAuto(context.Context, model.IngestAutoInput, bool) (*model.IngestAutoPayload, error) {
	return &model.IngestAutoPayload{Message: "ok", ContentType: "webpage", Document: &model.IngestedDocument{DocumentID: "doc_3", Title: "…"}}, nil
}

func (mutations) ExtractText(_ context.Context, file graphql.Upload) (*model.ExtractedText, error) {
	text, err := io.ReadAll(file.File)
	if err != nil {
		return nil, err
	}
	return &model.ExtractedText{Content: string(text), Filename: file.Filename, WordCount: 1, CharacterCount: len(text)}, nil
}

func (mutations) DocumentRetry(context.Context, string, *model.DocumentRetryInput) (*model.JobRef, error) {
	return &model.JobRef{JobID: "job_9", JobType: "ingest", Status: model.JobStatusQueued}, nil
}

func (m mutations) CancelJob(_ context.Context, id string, input *model.CancelJobInput) (*model.CancelJobPayload, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.cancel = input
	if id != knownJob {
		return nil, errs.New(errs.InvalidState, "the job has ended")
	}
	return &model.CancelJobPayload{Job: job()}, nil
}

func (mutations) RetryJob(context.Context, string) (*model.RetryJobPayload, error) {
	return &model.RetryJobPayload{Job: job()}, nil
}

type subscriptions struct {
	*graphCalls
	generated.SubscriptionResolver
}

func (subscriptions) DocumentEvents(context.Context, *string) (<-chan *model.DocumentEvent, error) {
	return nil, errs.New(errs.NotFound, "not in this test")
}

func (subscriptions) WorkspaceJobs(context.Context) (<-chan *model.Job, error) {
	return nil, errs.New(errs.NotFound, "not in this test")
}

func (s subscriptions) JobProgress(ctx context.Context, id string, after *int) (<-chan *model.JobEvent, error) {
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

// twoEvents is a job's stream that ends by itself.
func twoEvents(ctx context.Context, out chan<- *model.JobEvent) {
	ended := job()
	ended.Status, ended.Progress = model.JobStatusCompleted, 100
	for _, event := range []*model.JobEvent{
		{Position: 4, Kind: model.JobEventKindSnapshot, Job: job()}, {Position: 5, Kind: model.JobEventKindEnd, Job: ended},
	} {
		select {
		case out <- event:
		case <-ctx.Done():
			return
		}
	}
}

// presentCoded writes an error's code, bad fields and extra members into the extensions, as the graph promises.
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
