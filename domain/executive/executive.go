// Package executive knows who speaks in a workspace's documents: executives, their voices, what they say on which theme, and how that compares.
package executive

import (
	"context"

	"rostrum/dbx"
	"rostrum/job"
	"rostrum/live"
	"rostrum/llm"
	"rostrum/model"
)

// Documents is what the room needs of the documents' room.
type Documents interface {
	// ByIDs reads the named columns (all when none is named) of the workspace's documents of these ids, in no order; ids that name none are left out.
	ByIDs(ctx context.Context, workspaceID string, ids []string, columns ...string) ([]*model.Document, error)
}

// Accounts is what the room needs of the workspace's run budget: a job's runs are reserved when it is queued and settled when it ends, those of
// a call for which somebody waits are spent with what it stores.
type Accounts interface {
	Reserve(ctx context.Context, tx dbx.Tx, workspaceID, operation, jobID string, runs int) error
	Commit(ctx context.Context, tx dbx.Tx, jobID string) error
	Return(ctx context.Context, tx dbx.Tx, jobID string) error
	Settle(ctx context.Context, tx dbx.Tx, jobID string, spent int) error
	TellBudget(ctx context.Context, workspaceID string) error
	Spend(ctx context.Context, workspaceID, operation string, runs int, work func(context.Context) (Finish, error)) error
}

// Finish stores what came of a call, in the transaction that keeps its runs.
type Finish = func(ctx context.Context, tx dbx.Tx) error

// Personas is what the room needs of the personas' room.
type Personas interface {
	// NewVoice writes a persona that speaks as documents are written, without a text model, and stores nothing.
	NewVoice(ctx context.Context, name, description string, documentIDs []string) (*model.Persona, error)
	// Keep stores a new persona, in the caller's transaction.
	Keep(ctx context.Context, tx dbx.Tx, made *model.Persona) error
	// Offer includes a persona in the list of voices or leaves it out; one without writing samples takes those of tuned, which may be nil.
	Offer(ctx context.Context, tx dbx.Tx, workspaceID, id string, offered bool, tuned *model.Persona) (*model.Persona, error)
	// Opinions tells what personas make of texts, without a text model; ids that name none are left out.
	Opinions(ctx context.Context, workspaceID string, ids, texts []string) ([]*model.PersonaOpinions, error)
}

// Reader finds by rules who is named in a text.
type Reader struct {
	// Speaker is who is quoted in a sentence, with their company; empty where the sentence does not say so.
	Speaker func(sentence string) (executive, company string)
	// Chiefs lists the people whom a text calls chief executive, with their company where it names that, each as often as it does.
	Chiefs func(text string) []Chief
}

// Chief is a person whom a text calls chief executive.
type Chief struct{ Executive, Company string }

// Config is what the room is made from.
type Config struct {
	DB        *dbx.DB
	Live      *live.Live
	Jobs      *job.Service
	Documents Documents
	Accounts  Accounts
	Personas  Personas
	Reader    Reader
	Engine    llm.Engine
}

// Service is the room's door.
type Service struct {
	Config
	details *live.Cache
}

// New makes the room and registers its jobs.
func New(c Config) *Service {
	s := &Service{Config: c, details: c.Live.NewCache("executive", keptDetails, keepDetails)}
	s.register()
	return s
}
