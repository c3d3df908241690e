package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"time"

	"rostrum/asset/playground"
	"rostrum/console"
	"rostrum/domain/account"
	"rostrum/domain/document"
	"rostrum/domain/ingest/extract"
	"rostrum/errs"
	"rostrum/graph"
	"rostrum/graph/policy"
	"rostrum/graph/transport"
	"rostrum/guide"
	"rostrum/llm"
	"rostrum/llm/server"
	"rostrum/model"
	"rostrum/model/optional"
	"rostrum/platform/fetch"
	"rostrum/platform/principal"
	"rostrum/rest"
)

// textMemory is the lifetime of persisted queries, and persistedTexts their number per process.
const (
	textMemory     = 24 * time.Hour
	persistedTexts = 1000
)

// newGraphServer returns the graph's server with the services.
func (a *App) newGraphServer(services graph.Services) *graph.Server {
	config := graph.Config{
		Policy: policy.Config{
			Limits: policy.Limits{Query: a.config.QueryTime, KeyStreams: a.config.KeyStreams,
				WorkspaceStreams: a.config.SpaceStreams, FrameBytes: frameBytes(), TextBytes: textBytes()},
			Trust: a.config.Trust, Registered: a.operations, Logger: a.log,
			Idempotency: a.answers,
			HideSchema:  a.hidesSchema(),
			Persisted:   a.live.NewCache("text", persistedTexts, textMemory),
			CountUsage:  a.accounts.CountUsage, NoteReads: a.noteReads,
		},
		Transport: transport.Config{Authenticate: a.accounts.Authenticate, Session: a.sessionPrincipal,
			RateLimit: a.limitRequest, Bodies: a.bodies},
		Interpret: a.config.Interpret,
	}
	config.Resolvers = &graph.Resolver{Services: services, PublicLimits: config.Policy.PublicLimits()}
	return graph.New(config)
}

// hidesSchema reports whether clients may not read the schema.
func (a *App) hidesSchema() bool { return a.config.Introspect != nil && !*a.config.Introspect }

// servedSchema returns the text of the schema, or an empty string if clients may not read it.
func (a *App) servedSchema() string {
	if a.hidesSchema() {
		return ""
	}
	return graph.SDL()
}

// noteReads notes in the audit log that the caller reads words of documents and drafts, as far as
// they are under embargo. A draft has words of the document that it was made from.
func (a *App) noteReads(ctx context.Context, documentIDs, draftIDs []string) error {
	p, err := principal.From(ctx)
	if err != nil {
		return err
	}
	sources, err := a.content.AuditQuotes(ctx, p.WorkspaceID, draftIDs)
	if err != nil {
		return err
	}
	return a.documents.AuditQuotes(ctx, p.WorkspaceID, append(documentIDs, sources...))
}

// newAdapter returns the REST adapter on the graph's executor.
func (a *App) newAdapter() (*rest.Adapter, error) {
	files := builtFiles(console.Embedded(), a.config.Console)
	operations, err := consoleOperations(files)
	if err != nil {
		return nil, err
	}
	adapter, err := rest.New(rest.Config{
		Schema: a.graph.FullSchema(), Executor: a.graph.StoredExecutor(), Authenticate: a.Identify,
		Limit:               a.limitRequest,
		AuthenticateSession: a.identifiedSession, RevalidateCredentials: a.graph.RevalidateCredentials,
		UntilStop: a.graph.UntilStop, Originals: a.documents, BulkFiles: a.bulk, Sessions: a.accounts, Entries: a.accounts,
		ClientAddress: a.rateLimitAddress, Links: a.links,
		PublicURL: a.config.publicURL(), Logger: a.log, Playground: builtFiles(playground.Embedded(), a.config.Playground),
		SDL: a.servedSchema(), Console: files, Guide: builtFiles(guide.Embedded(), a.config.Guide),
		OffersOIDC: a.config.OIDCIssuer != "", SendsMail: a.mails.SendsMail(),
	})
	if err == nil {
		a.graph.WrapQueryCache(adapter.QueryCache)
		a.graph.StoreDocuments(adapter.Operations(), adapter.Texts())
		a.graph.TrustDocuments(operations)
	}
	return adapter, err
}

// builtFiles returns what a release contains in its folder dist, or else the files of the folder.
func builtFiles(embedded fs.FS, folder string) fs.FS {
	if embedded == nil {
		return existingFolder(folder)
	}
	dist, err := fs.Sub(embedded, "dist")
	if err != nil {
		panic(err) // the name of the folder is valid
	}
	return dist
}

// consoleOperations returns the texts of the operations of a built console, which its build lists;
// none without a console.
func consoleOperations(files fs.FS) (texts []string, err error) {
	if files == nil {
		return nil, nil
	}
	list, err := fs.ReadFile(files, "operations.json")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil {
		err = json.Unmarshal(list, &texts)
	}
	if err != nil {
		return nil, fmt.Errorf("the console's operations cannot be read: %w; build the console again", err)
	}
	return texts, nil
}

// existingFolder returns the folder's files, or nil if it does not exist. If it is a link that
// cannot be followed, reading a file returns an error.
func existingFolder(folder string) fs.FS {
	if _, err := os.Lstat(folder); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return os.DirFS(folder)
}

// Identify authenticates the key of a REST request. Unlike the graph, REST always requires one: it
// returns errs.Unauthenticated without a key.
func (a *App) Identify(r *http.Request) (context.Context, error) {
	return requirePrincipal(a.graph.IdentifyKey(r))
}

// identifiedSession authenticates the session of a REST request.
func (a *App) identifiedSession(r *http.Request) (context.Context, error) {
	return requirePrincipal(a.graph.IdentifySession(r))
}

func requirePrincipal(ctx context.Context, err error) (context.Context, error) {
	if err == nil {
		_, err = principal.From(ctx)
	}
	return ctx, err
}

// sessionPrincipal returns the user of a request's cookie; a zero principal without a cookie or
// after the session's end.
func (a *App) sessionPrincipal(r *http.Request) (principal.Principal, error) {
	token := rest.SessionToken(r)
	if token == "" {
		return principal.Principal{}, nil
	}
	if err := rest.CheckOrigin(r); err != nil {
		return principal.Principal{}, err
	}
	p, err := a.accounts.AuthenticateSession(r.Context(), token, r.Header.Get("X-Workspace-Id"))
	if errs.Is(err, errs.Unauthenticated) {
		return principal.Principal{}, nil
	}
	return p, err
}

// openAPIDocument returns the OpenAPI document without a database.
func openAPIDocument(config Config) ([]byte, error) {
	adapter, err := rest.New(rest.Config{Schema: graph.FullSchema(), PublicURL: config.publicURL()})
	if err != nil {
		return nil, err
	}
	return adapter.Document()
}

// readDocument analyzes a text that a client posts with the methods of ingestion.
func readDocument(title, content string) document.TextAnalysis {
	found, head := extract.Attribution(content, extract.Meta{Title: title}), extract.RestrictionOf(title, content)
	return document.TextAnalysis{
		Words: extract.CountWords(content), Characters: extract.CountCharacters(content),
		Language: optional.NonEmpty(extract.DetectLanguage(content)),
		Author:   optional.NonEmpty(found.Author), Company: optional.NonEmpty(found.Company),
		Executive:         optional.NonEmpty(found.Executive),
		CommunicationType: optional.NonEmpty(found.CommunicationType),
		Published:         found.Published,
		IsRestricted:      head.IsMarked, RestrictedUntil: head.Until,
	}
}

// countText counts the words and characters of a draft as documents are counted.
func countText(text string) (words, characters int) {
	return extract.CountWords(text), extract.CountCharacters(text)
}

// Provision creates a workspace and a key with all scopes.
func (a *App) Provision(ctx context.Context, in account.NewWorkspace) (workspaceID, secret string, err error) {
	w, err := a.accounts.CreateWorkspace(ctx, in)
	if err != nil {
		return "", "", err
	}
	scopes := []model.Scope{model.ScopeRead, model.ScopeWrite, model.ScopeAdmin}
	key, err := a.accounts.Mint(ctx, w.ID, "system", in.Name+" key", scopes, nil)
	if err != nil {
		return "", "", err
	}
	return w.ID, key.Secret, nil
}

// AddUser adds a user to a workspace.
func (a *App) AddUser(ctx context.Context, in account.NewUser) (*model.User, error) {
	return a.accounts.AddUser(ctx, in)
}

// SetPlan sets the plan of a workspace.
func (a *App) SetPlan(ctx context.Context, workspaceID string, plan model.Plan) error {
	return a.accounts.SetPlan(ctx, workspaceID, plan)
}

// LimitRuns sets the run limit of a workspace.
func (a *App) LimitRuns(ctx context.Context, workspaceID string, limit int) error {
	_, err := a.accounts.SetBudget(ctx, workspaceID, account.BudgetSettings{Limit: limit})
	return err
}

// extractConfig returns the configuration for images, recordings and captions. A source that needs
// a missing tool fails with a reason that names the tool.
func (a *App) extractConfig(client *fetch.Client) extract.Config {
	helpers := extract.Config{HTTP: client.HTTP(), FindRecognizer: extract.FindTesseract}
	provider := extract.Provider{BaseURL: a.config.LLMBaseURL, Key: a.config.LLMKey, Model: a.config.LLMModel,
		Price:  llm.Price{Prompt: a.config.LLMPromptPrice, Answer: a.config.LLMAnswerPrice},
		Record: a.accounts.RecordCall}
	if provider.BaseURL != "" && a.config.LLMProtocol != server.ProtocolAnthropic {
		helpers.Transcriber, helpers.Recognizer = extract.NewTranscription(provider), extract.NewVision(provider)
	}
	return helpers
}
