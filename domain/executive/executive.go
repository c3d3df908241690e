package executive

import (
	"context"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/schema"

	"rostrum/dbx"
	"rostrum/llm"
	"rostrum/model"
	"rostrum/platform/job"
	"rostrum/platform/live"
)

// Documents is the part of the document service that this package uses.
type Documents interface {
	// ByIDs returns the workspace's documents with the ids (see dbx.ByIDs).
	ByIDs(ctx context.Context, workspaceID string, ids []string, columns ...string) ([]*model.Document, error)
	// FindByIDs returns the same documents as ByIDs, read from db.
	FindByIDs(ctx context.Context, db dbx.Reader, workspaceID string, ids []string,
		columns ...string) ([]*model.Document, error)
	// FindForUpdate locks and returns the named columns of a document, or errs.NotFound.
	FindForUpdate(ctx context.Context, tx dbx.Tx, workspaceID, id string, columns ...string) (*model.Document, error)
	// SelectIn returns a query of the workspace's documents under the alias d.
	SelectIn(db dbx.Reader, workspaceID string) *bun.SelectQuery
	// SelectPublished is SelectIn without trial texts: texts under narrative test and texts by
	// personas. They are no communications.
	SelectPublished(db dbx.Reader, workspaceID string) *bun.SelectQuery
	// ReadableBy returns the condition that a persona may have read the document under the alias.
	// mayReadInternal is a bool or a condition.
	ReadableBy(alias string, mayReadInternal any) schema.QueryWithArgs
	// SelectState returns a query of one row for the workspace: documents is their number, changed
	// the time of the newest change.
	SelectState(db dbx.Reader, workspaceID string) *bun.SelectQuery
}

// Accounts is the run budget and the lock of workspaces. Jobs reserve runs when queued and settle
// them at their end. Other calls spend runs with their result.
type Accounts interface {
	job.Budget
	// LockWorkspace locks and returns a workspace. It returns errs.NotFound.
	LockWorkspace(ctx context.Context, tx dbx.Tx, workspaceID string) (*model.Workspace, error)
	Spend(ctx context.Context, workspaceID, operation string, runs int,
		work func(context.Context) (Finish, error)) error
}

// Parties is the part of the party service that this package uses. Documents, signals and voices
// have the names of parties.
type Parties interface {
	// Attach returns and locks the party of each name, by the name, and creates missing ones.
	Attach(ctx context.Context, tx dbx.Tx, workspaceID string, kind model.PartyKind,
		names ...string) (map[string]model.Party, error)
	// Find returns the party of each name that the workspace knows, by the name.
	Find(ctx context.Context, workspaceID string, kind model.PartyKind, names ...string) (map[string]model.Party, error)
	// CanonicalNames returns the party's main name for each name. An unknown name is only trimmed.
	CanonicalNames(ctx context.Context, workspaceID string, kind model.PartyKind, names ...string) ([]string, error)
	// NamesOf returns all names of the party with a name or alias; only the given one if there is
	// none.
	NamesOf(ctx context.Context, workspaceID string, kind model.PartyKind, name string) ([]string, error)
	// NamedIDs returns a query of the ids of the parties that are known by one of the names.
	NamedIDs(workspaceID string, kind model.PartyKind, names ...string) *bun.SelectQuery
	// IDsByPart returns a query of the ids of the parties with a name that contains a text.
	IDsByPart(workspaceID string, kind model.PartyKind, part string) *bun.SelectQuery
	// SelectCounted returns a query of the executives in counts, by its column executive_id. The
	// executives get its other columns.
	SelectCounted(counts *bun.SelectQuery) *bun.SelectQuery
	// ExecutivesByName returns the executive of each name with the named columns, or nil.
	ExecutivesByName(ctx context.Context, names []string, columns ...string) ([]*model.Executive, error)
	// OwnCompanies returns the workspace's own companies, by name.
	OwnCompanies(ctx context.Context, workspaceID string) ([]*model.Company, error)
}

// Finish stores the result of a call in the transaction that spends its runs.
type Finish = func(ctx context.Context, tx dbx.Tx) error

// Personas is the part of the persona service that this package uses.
type Personas interface {
	// SelectIn returns a query of the workspace's personas under the alias p.
	SelectIn(db dbx.Reader, workspaceID string) *bun.SelectQuery
	// NewVoice returns an unsaved persona that writes like the documents, without a text model.
	NewVoice(ctx context.Context, name, description string, documentIDs []string) (*model.Persona, error)
	// Insert stores a new persona in the caller's transaction.
	Insert(ctx context.Context, tx dbx.Tx, made *model.Persona) error
	// SetVoiceListing enables or disables a persona as a voice. A persona without writing samples
	// gets tuned's; tuned may be nil.
	SetVoiceListing(ctx context.Context, tx dbx.Tx, workspaceID, id string, offered bool,
		tuned *model.Persona) (*model.Persona, error)
	// PassagesOf returns the sentences of texts with words of the personas' interests and concerns.
	// Unknown ids are left out.
	PassagesOf(ctx context.Context, workspaceID string, ids, texts []string) ([]*model.PersonaPassages, error)
}

// Reader finds people in a text by rules.
type Reader struct {
	// Speaker returns the quoted person of a sentence and the person's company; empty if not named.
	Speaker func(sentence string) (executive, company string)
	// Chiefs returns the people that a text calls chief executive, once per mention. It has their
	// company if named.
	Chiefs func(text string) []Chief
}

// Chief is a person that a text calls chief executive.
type Chief struct{ Executive, Company string }

// Config holds the dependencies of the Service.
type Config struct {
	DB        *dbx.DB
	Live      *live.Live
	Jobs      *job.Service
	Documents Documents
	Accounts  Accounts
	Personas  Personas
	Parties   Parties
	Reader    Reader
	Engine    llm.Engine
	Judge     llm.Judge
	// Ratings returns the ratings of the personas' reactions to the current texts of documents.
	Ratings func(ctx context.Context, workspaceID string, personaIDs, documentIDs []string) ([]*model.DocumentRating, error)
	// RecordChange adds a change of a row to the workspace's feed, in the change's transaction.
	RecordChange func(tx dbx.Tx, workspaceID, name, id string)
}

// Service implements the use cases of executives. It is safe for concurrent use.
type Service struct {
	Config
	metered *job.Metered
	details *live.Cache
}

// New returns a Service and registers its jobs.
func New(c Config) *Service {
	s := &Service{Config: c, metered: job.NewMetered(c.Jobs, c.Accounts),
		details: c.Live.NewCache("executive", keptDetails, keepDetails)}
	s.registerInsightJobs()
	return s
}
