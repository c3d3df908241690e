// Package audience has personas react to what a workspace publishes, tests narratives on them, and sums up what an audience makes of it.
package audience

import (
	"context"
	"encoding/json"

	"rostrum/dbx"
	"rostrum/job"
	"rostrum/llm"
	"rostrum/llm/text"
	"rostrum/model"
)

// Personas is what the room needs of the personas' room.
type Personas interface {
	// Get is nil for an id that the caller's workspace does not have.
	Get(ctx context.Context, id string, columns ...string) (*model.Persona, error)
	// ByIDs reads the workspace's personas of these ids, in no order.
	ByIDs(ctx context.Context, workspaceID string, ids []string) ([]*model.Persona, error)
	// Audience reads those that are active and in the audience, of these categories where any is named, oldest first.
	Audience(ctx context.Context, workspaceID string, categories []string) ([]*model.Persona, error)
	// Refinements reads what the personas learned, in their order.
	Refinements(ctx context.Context, personas []*model.Persona) ([][]*model.PersonaRefinement, error)
	// Categories lists the audience categories in use.
	Categories(ctx context.Context) ([]string, error)
}

// Documents is what the room needs of the documents' room.
type Documents interface {
	// Get is nil for an id that the caller's workspace does not have.
	Get(ctx context.Context, id string, columns ...string) (*model.Document, error)
	// Stamp gives a document a version that has none yet.
	Stamp(ctx context.Context, doc *model.Document) error
	// Keep stores a text as the document of an id, in the caller's transaction; what is stored already stays.
	Keep(ctx context.Context, tx dbx.Tx, workspaceID, id string, in model.CreateDocumentInput) error
	// Amend changes a document under its row's lock, in the caller's transaction.
	Amend(
		ctx context.Context, tx dbx.Tx, kind model.DocumentEventKind, workspaceID, id string, change func(*model.Document) error,
	) (*model.Document, error)
}

// Drafts is what the room needs of the room that keeps drafts.
type Drafts interface {
	// Draft is nil for an id that the caller's workspace does not have.
	Draft(ctx context.Context, id string, columns ...string) (*model.Draft, error)
	// Note adds an entry to a draft's test history, in the caller's transaction, unless the history has it already.
	Note(ctx context.Context, tx dbx.Tx, workspaceID, id string, entry json.RawMessage, same func(json.RawMessage) bool) error
	// Cover tells which points a text makes.
	Cover(ctx context.Context, content string, points []*model.PullThroughPriorityInput) (*model.CoveragePayload, error)
}

// Finish stores what came of a model's answer, in the transaction that keeps its run.
type Finish = func(ctx context.Context, tx dbx.Tx) error

// Runs is what the room needs of the workspace's run budget.
type Runs interface {
	Reserve(ctx context.Context, tx dbx.Tx, workspaceID, operation, jobID string, runs int) error
	// Settle spends so many of the runs that are reserved for a job and gives back the rest.
	Settle(ctx context.Context, tx dbx.Tx, jobID string, spent int) error
	Spend(ctx context.Context, workspaceID, operation string, runs int, work func(context.Context) (Finish, error)) error
	TellBudget(ctx context.Context, workspaceID string) error
}

// Config is what the room is made from.
type Config struct {
	DB        *dbx.DB
	Personas  Personas
	Documents Documents
	Drafts    Drafts
	Runs      Runs
	Jobs      *job.Service
	Engine    llm.Engine
	// Cares lists what a persona minds, with what it learned.
	Cares func(p *model.Persona, learned []*model.PersonaRefinement) []text.Care
	// Plain is a draft's text without markup.
	Plain func(draft *model.Draft) string
}

// Service is the room's door.
type Service struct {
	Config
}

// New makes the room and registers its jobs.
func New(c Config) *Service {
	s := &Service{c}
	s.register()
	return s
}
