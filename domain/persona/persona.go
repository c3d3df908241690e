package persona

import (
	"context"
	"fmt"
	"net/url"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/schema"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/llm"
	"rostrum/model"
	"rostrum/platform/job"
	"rostrum/platform/principal"
)

// Documents reads and stores documents.
type Documents interface {
	// ByIDs returns the workspace's documents with the ids (see dbx.ByIDs).
	ByIDs(ctx context.Context, workspaceID string, ids []string, columns ...string) ([]*model.Document, error)
	// ReadableBy returns the condition that a persona may have read the document under the alias.
	// mayReadInternal is a bool or a condition.
	ReadableBy(alias string, mayReadInternal any) schema.QueryWithArgs
	// ReadableByIDs is ByIDs without documents that a persona may not have read.
	ReadableByIDs(ctx context.Context, workspaceID string, ids []string, mayReadInternal bool,
		columns ...string) ([]*model.Document, error)
	// SelectIn returns a query of the workspace's documents under the alias d.
	SelectIn(db dbx.Reader, workspaceID string) *bun.SelectQuery
	// Mentioning returns documents that a persona may have read and that have any of the words in
	// title or text. Documents with all words come first.
	Mentioning(ctx context.Context, workspaceID string, words []string, most int, mayReadInternal bool,
		columns ...string) ([]*model.Document, error)
	// CreateIfMissing stores a text as a document in the caller's transaction, unless the id
	// exists.
	CreateIfMissing(ctx context.Context, tx dbx.Tx, workspaceID, id string, in api.CreateDocumentInput) error
}

// Accounts returns the caller's workspace and accounts for its runs. A job's run is reserved when
// it is queued and settled when it ends. Spend does both for a synchronous call.
type Accounts interface {
	job.Budget
	Workspace(ctx context.Context) (*model.Workspace, error)
	Spend(ctx context.Context, workspaceID, operation string, runs int,
		work func(context.Context) (FinishFunc, error)) error
}

// Addresses validates public addresses. Its errors are shown to callers.
type Addresses interface {
	CheckURL(raw string) (*url.URL, error)
}

// Service implements the use cases of personas.
type Service struct {
	db        *dbx.DB
	documents Documents
	accounts  Accounts
	addresses Addresses
	metered   *job.Metered
	engine    llm.Engine
	judge     llm.Judge
	nearest   NearestFunc
	record    func(tx dbx.Tx, workspaceID, name, id string)
}

// Config holds the dependencies of a Service. All are required, except Judge.
type Config struct {
	DB        *dbx.DB
	Documents Documents
	Accounts  Accounts
	Addresses Addresses
	Jobs      *job.Service
	Engine    llm.Engine
	Judge     llm.Judge
	Nearest   NearestFunc
	// RecordChange adds a change of a persona to the workspace's feed, in the change's transaction.
	RecordChange func(tx dbx.Tx, workspaceID, name, id string)
}

// New returns a Service and registers its jobs.
func New(c Config) *Service {
	s := &Service{
		db: c.DB, documents: c.Documents, accounts: c.Accounts, addresses: c.Addresses,
		metered: job.NewMetered(c.Jobs, c.Accounts), engine: c.Engine, judge: c.Judge,
		nearest: c.Nearest, record: c.RecordChange,
	}
	s.registerPersonaJobs()
	return s
}

// Create stores a new persona. It returns all field errors at once, also for unknown documents and
// personas.
func (s *Service) Create(ctx context.Context, in api.CreatePersonaInput) (*api.CreatePersonaPayload, error) {
	p := principal.Must(ctx)
	made, err := s.newPersona(ctx, p, model.NewID(model.PersonaPrefix), in)
	if err != nil {
		return nil, err
	}
	if err := s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		return s.Insert(ctx, tx, made)
	}); err != nil {
		return nil, fmt.Errorf("create persona: %w", err)
	}
	return &api.CreatePersonaPayload{Persona: made}, nil
}

// newPersona validates the input and returns a persona without storing it.
func (s *Service) newPersona(ctx context.Context, p principal.Principal, id string,
	in api.CreatePersonaInput) (*model.Persona, error) {
	workspace, err := s.accounts.Workspace(ctx)
	if err != nil {
		return nil, err
	}
	changes := toUpdateInput(in)
	if err := s.checkInput(ctx, p.WorkspaceID, changes); err != nil {
		return nil, err
	}
	now := model.Now()
	made := &model.Persona{
		ID: id, WorkspaceID: p.WorkspaceID, Category: defaultCategory, VoiceVisibility: model.VoiceVisibilityWorkspace,
		ResponseLanguage: workspace.MarketLanguage, IncludeInAudience: true, IsActive: true, TemplateBuilt: true,
		SocialLinks: []*model.SocialLink{}, GroundedStatements: []*model.GroundedStatement{},
		HealthState: unmeasuredHealth(), CreatedBy: p.Actor(), CreatedAt: now, UpdatedAt: now,
	}
	applyChanges(made, changes, workspace.MarketLanguage)
	return made, nil
}

// Get returns a persona, or nil if the workspace has none with this id. If columns are named, it
// reads only these.
func (s *Service) Get(ctx context.Context, id string, columns ...string) (*model.Persona, error) {
	p := principal.Must(ctx)
	found, err := s.byID(ctx, p.WorkspaceID, id, columns)
	return dbx.NilIfNotFound(found, err)
}

// Update changes the given fields. It fails with not_found and validation_failed.
func (s *Service) Update(ctx context.Context, in api.UpdatePersonaInput) (*api.UpdatePersonaPayload, error) {
	p := principal.Must(ctx)
	if _, err := s.byID(ctx, p.WorkspaceID, in.PersonaID, []string{"id"}); err != nil {
		return nil, err
	}
	if source := in.SourcePersonaID.Value(); source != nil && *source == in.PersonaID {
		return nil, errs.Invalid(errs.BodyField("value_error", "must not be the persona itself", "sourcePersonaId"))
	}
	workspace, err := s.accounts.Workspace(ctx)
	if err != nil {
		return nil, err
	}
	if err := s.checkInput(ctx, p.WorkspaceID, in); err != nil {
		return nil, err
	}
	var changed *model.Persona
	err = s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) (err error) {
		changed, err = s.updatePersona(ctx, tx, p.WorkspaceID, in.PersonaID, func(persona *model.Persona) {
			applyChanges(persona, in, workspace.MarketLanguage)
		})
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("update persona: %w", err)
	}
	return &api.UpdatePersonaPayload{Persona: changed}, nil
}

// updatePersona changes a persona under a row lock. It fails with not_found.
func (s *Service) updatePersona(
	ctx context.Context, tx dbx.Tx, workspaceID, id string, change func(*model.Persona),
) (*model.Persona, error) {
	persona, err := s.lockPersona(ctx, tx, workspaceID, id)
	if err != nil {
		return nil, err
	}
	change(persona)
	persona.UpdatedAt = model.Now()
	return persona, s.savePersona(ctx, tx, persona)
}

// Delete removes a persona and its dependent rows. It fails with not_found.
func (s *Service) Delete(ctx context.Context, id string) (*api.DeletePersonaPayload, error) {
	p := principal.Must(ctx)
	if err := s.deletePersona(ctx, p.WorkspaceID, id); err != nil {
		return nil, fmt.Errorf("delete persona: %w", err)
	}
	return &api.DeletePersonaPayload{DeletedID: id}, nil
}
