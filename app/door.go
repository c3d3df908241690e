package app

import (
	"context"
	"net/http"
	"os"
	"time"

	"rostrum/domain/account"
	"rostrum/domain/document"
	"rostrum/domain/ingest/extract"
	"rostrum/errs"
	"rostrum/fetch"
	"rostrum/graph"
	"rostrum/model"
	"rostrum/rest"
)

// textMemory is how long a text that was sent once can be named by its hash, and persistedTexts how many of them this process holds.
const (
	textMemory     = 24 * time.Hour
	persistedTexts = 1000
)

// executor is the graph on the rooms.
func (a *App) executor(rooms graph.Rooms) *graph.Server {
	config := graph.Config{
		Authenticate: a.accounts.Authenticate, Session: a.signedIn, Limit: a.limit, Logger: a.log, Answers: a.answers,
		Trust: a.config.Trust, HideSchema: a.config.Introspect != nil && !*a.config.Introspect,
		Interpret: a.config.Interpret, Limits: graph.Limits{Query: a.config.QueryTime},
		Persisted: a.live.NewCache("text", persistedTexts, textMemory),
	}
	config.Resolvers = &graph.Resolver{Room: rooms, Bounds: config.Bounds()}
	return graph.New(config)
}

// adapter puts REST on the graph's executor.
func (a *App) adapter() (*rest.Adapter, error) {
	door, err := rest.New(rest.Config{
		Schema: a.graph.Schema(), Executor: a.graph.Executor(), Authenticate: a.Identify, Limit: a.limit,
		AuthenticateSession: a.identifiedSession, Lost: a.graph.Lost, Sessions: a.accounts, Caller: a.callerAddress, Links: a.links,
		PublicURL: a.config.publicURL(), Logger: a.log, Modules: os.DirFS(a.config.Playground),
	})
	if err == nil {
		a.graph.Prepare(door.QueryCache)
		a.graph.Store(door.Operations())
	}
	return door, err
}

// Identify finds whose key a request carries; unlike the graph, which describes itself to anyone, REST answers nobody without one.
func (a *App) Identify(r *http.Request) (context.Context, error) {
	return somebody(a.graph.IdentifyKey(r))
}

// identifiedSession finds who is signed in.
func (a *App) identifiedSession(r *http.Request) (context.Context, error) {
	return somebody(a.graph.IdentifySession(r))
}

func somebody(ctx context.Context, err error) (context.Context, error) {
	if err == nil {
		_, err = model.PrincipalFrom(ctx)
	}
	return ctx, err
}

// signedIn finds the user of a request's cookie; a zero principal when there is none or its session is over.
func (a *App) signedIn(r *http.Request) (model.Principal, error) {
	token := rest.SessionToken(r)
	if token == "" {
		return model.Principal{}, nil
	}
	if err := rest.CheckOrigin(r); err != nil {
		return model.Principal{}, err
	}
	p, err := a.accounts.AuthenticateSession(r.Context(), token, r.Header.Get("X-Workspace-Id"))
	if errs.Is(err, errs.Unauthenticated) {
		return model.Principal{}, nil
	}
	return p, err
}

// contract is the OpenAPI document, made without a database.
func contract(config Config) ([]byte, error) {
	door, err := rest.New(rest.Config{Schema: graph.New(graph.Config{}).Schema(), PublicURL: config.publicURL()})
	if err != nil {
		return nil, err
	}
	return door.Document()
}

// reading is how the documents' room reads a text that a client posts: with what ingestion reads fetched ones.
func reading(content string) document.Reading {
	found := extract.Attribution(content, extract.Meta{})
	return document.Reading{
		Words: extract.Words(content), Characters: extract.Characters(content), Language: model.Optional(extract.Language(content)),
		Company: model.Optional(found.Company), Executive: model.Optional(found.Executive), CommunicationType: model.Optional(found.CommunicationType),
	}
}

// counting is how drafts are counted: with what counts the words of documents.
func counting(text string) (words, characters int) {
	return extract.Words(text), extract.Characters(text)
}

// Provision makes a workspace and a key that may do everything in it.
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

// AddUser makes someone a member of a workspace.
func (a *App) AddUser(ctx context.Context, in account.NewUser) (*model.User, error) {
	return a.accounts.AddUser(ctx, in)
}

// SetPlan changes what a workspace has contracted.
func (a *App) SetPlan(ctx context.Context, workspaceID string, plan model.Plan) error {
	return a.accounts.SetPlan(ctx, workspaceID, plan)
}

// LimitRuns sets the run limit of a workspace.
func (a *App) LimitRuns(ctx context.Context, workspaceID string, limit int) error {
	_, err := a.accounts.SetBudget(ctx, workspaceID, account.Budget{Limit: limit})
	return err
}

// helpers are what extraction needs for images, recordings and captions; what neither is installed nor configured is left out,
// and its sources fail with a reason that says so.
func (a *App) helpers(ctx context.Context, client *fetch.Client) extract.Config {
	helpers := extract.Config{HTTP: client.HTTP()}
	provider := extract.Provider{BaseURL: a.config.LLMBaseURL, Key: a.config.LLMKey, Model: a.config.LLMModel}
	if provider.BaseURL != "" {
		helpers.Transcriber, helpers.Recognizer = extract.NewTranscription(provider), extract.NewVision(provider)
	}
	if local := extract.FindTesseract(ctx); local != nil {
		helpers.Recognizer = local
	}
	return helpers
}
