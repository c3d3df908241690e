// Package persona keeps simulated members of an audience: what they are, how they react and write, and what they learn from notes.
package persona

import (
	"context"
	"fmt"
	"net/url"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/job"
	"rostrum/llm"
	"rostrum/model"
)

// Documents is what the room needs of the documents' room.
type Documents interface {
	// ByIDs reads the named columns of the workspace's documents of these ids, in no order; ids that name none are left out.
	ByIDs(ctx context.Context, workspaceID string, ids []string, columns ...string) ([]*model.Document, error)
	// Mentioning reads the named columns of documents of the workspace whose title or text has any of the words, those that have all of them
	// first. What was kept with model.TagGenerated is left out.
	Mentioning(ctx context.Context, workspaceID string, words []string, most int, columns ...string) ([]*model.Document, error)
	// Keep stores a text as the document of an id, in the caller's transaction; what is stored already stays.
	Keep(ctx context.Context, tx dbx.Tx, workspaceID, id string, in model.CreateDocumentInput) error
}

// Accounts is what the room needs of the workspace that the caller acts in, and of its run budget: a job's run is reserved when it is queued
// and settled when it ends, that of a call for which somebody waits is spent with what it stores.
type Accounts interface {
	Workspace(ctx context.Context) (*model.Workspace, error)
	Reserve(ctx context.Context, tx dbx.Tx, workspaceID, operation, jobID string, runs int) error
	Commit(ctx context.Context, tx dbx.Tx, jobID string) error
	Return(ctx context.Context, tx dbx.Tx, jobID string) error
	TellBudget(ctx context.Context, workspaceID string) error
	Spend(ctx context.Context, workspaceID, operation string, runs int, work func(context.Context) (Finish, error)) error
}

// Addresses refuses addresses that no server should reach; its errors are for callers.
type Addresses interface {
	CheckURL(raw string) (*url.URL, error)
}

// Service is the room's door.
type Service struct {
	db        *dbx.DB
	documents Documents
	accounts  Accounts
	addresses Addresses
	jobs      *job.Service
	engine    llm.Engine
}

// Config is what the room is made from.
type Config struct {
	DB        *dbx.DB
	Documents Documents
	Accounts  Accounts
	Addresses Addresses
	Jobs      *job.Service
	Engine    llm.Engine
}

// New makes the room and registers its jobs.
func New(c Config) *Service {
	s := &Service{
		db: c.DB, documents: c.Documents, accounts: c.Accounts, addresses: c.Addresses, jobs: c.Jobs, engine: c.Engine,
	}
	s.register()
	return s
}

// Create makes a persona. Every bad field is named at once, and a document or persona that the workspace does not have is one of them.
func (s *Service) Create(ctx context.Context, in model.CreatePersonaInput) (*model.CreatePersonaPayload, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	made, err := s.compose(ctx, p, model.NewID(model.PersonaPrefix), in)
	if err != nil {
		return nil, err
	}
	if _, err := s.db.NewInsert().Model(made).Exec(ctx); err != nil {
		return nil, fmt.Errorf("create persona: %w", dbx.Err(err))
	}
	return &model.CreatePersonaPayload{PersonaID: made.ID, Message: created}, nil
}

const created = "Persona created successfully"

// compose is a persona of the input that is not stored yet.
func (s *Service) compose(ctx context.Context, p model.Principal, id string, in model.CreatePersonaInput) (*model.Persona, error) {
	workspace, err := s.accounts.Workspace(ctx)
	if err != nil {
		return nil, err
	}
	changes := changesOf(in)
	if err := s.check(ctx, p.WorkspaceID, changes); err != nil {
		return nil, err
	}
	now := model.Now()
	made := &model.Persona{
		ID: id, WorkspaceID: p.WorkspaceID, Category: defaultCategory, VoiceVisibility: model.VoiceVisibilityWorkspace,
		ResponseLanguage: workspace.MarketLanguage, IncludeInAudience: true, IsActive: true, TemplateBuilt: true,
		SocialLinks: []*model.SocialLink{}, GroundedStatements: []*model.GroundedStatement{},
		HealthState: unmeasured(), CreatedBy: p.Actor(), CreatedAt: now, UpdatedAt: now,
	}
	apply(made, changes, workspace.MarketLanguage)
	return made, nil
}

// Get reads one persona's columns (all when none is named); nil when the workspace has none of that id.
func (s *Service) Get(ctx context.Context, id string, columns ...string) (*model.Persona, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	found, err := s.byID(ctx, p.WorkspaceID, id, columns)
	return dbx.OrNone(found, err)
}

// Update changes what is given. It fails with not_found.
func (s *Service) Update(ctx context.Context, id string, in model.UpdatePersonaInput) (*model.UpdatePersonaPayload, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := s.byID(ctx, p.WorkspaceID, id, []string{"id"}); err != nil {
		return nil, err
	}
	if source := in.SourcePersonaID.Value(); source != nil && *source == id {
		return nil, errs.Invalid(errs.BodyField("value_error", "must not be the persona itself", "sourcePersonaId"))
	}
	workspace, err := s.accounts.Workspace(ctx)
	if err != nil {
		return nil, err
	}
	if err := s.check(ctx, p.WorkspaceID, in); err != nil {
		return nil, err
	}
	var changed *model.Persona
	err = s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) (err error) {
		changed, err = s.amend(ctx, tx, p.WorkspaceID, id, func(persona *model.Persona) {
			apply(persona, in, workspace.MarketLanguage)
		})
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("update persona: %w", err)
	}
	return &model.UpdatePersonaPayload{Persona: changed}, nil
}

// amend changes a persona under its row's lock. It fails with not_found.
func (s *Service) amend(
	ctx context.Context, tx dbx.Tx, workspaceID, id string, change func(*model.Persona),
) (*model.Persona, error) {
	persona, err := s.forUpdate(ctx, tx, workspaceID, id)
	if err != nil {
		return nil, err
	}
	change(persona)
	persona.UpdatedAt = model.Now()
	return persona, save(ctx, tx, persona)
}

// Delete removes a persona and all that belongs to it alone. It fails with not_found.
func (s *Service) Delete(ctx context.Context, id string) (*model.DeletePersonaPayload, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	if err := s.remove(ctx, p.WorkspaceID, id); err != nil {
		return nil, fmt.Errorf("delete persona: %w", err)
	}
	return &model.DeletePersonaPayload{ID: id}, nil
}
